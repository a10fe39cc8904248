import { adoptBlock, renderAll } from '@/server/drivers/assess'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { readImported } from '@/server/drivers/openwrt/uci/imported'
import { sectionsOf } from '@/server/drivers/openwrt/uci/sections'
import { changed, commands, former, input, planned, take, texts } from './_imported'
import { router, withOption } from './_router'

// Of a pool settings say what they can: a value that they cannot is left alone, and is no reason to leave the rest.

const small = withOption(router, 'network.lan.netmask', "'255.255.255.128'")
const all = ['start', 'limit', 'leasetime', 'dhcpv4', 'ignore', 'dhcp_option']
const unsaid: [what: string, text: string, left: string[], fields: object][] = [
  ['a week', withOption(router, 'dhcp.lan.leasetime', "'7d'"), ['leasetime'], { lease: undefined }],
  ['no end', withOption(router, 'dhcp.lan.leasetime', "'infinite'"), ['leasetime'], { lease: undefined }],
  ['an end beyond the subnet', small, ['limit'], { address: '192.168.1.1/25', poolEnd: '192.168.1.126' }],
  [
    'an option by its name',
    withOption(router, 'dhcp.lan.dhcp_option', "'option:ntp-server,192.168.1.1' '6,192.168.1.5'"),
    ['dhcp_option'],
    { dns1: undefined, options: undefined },
  ],
]

test.each(unsaid)('a pool with %s: address and the other options are imported', (_what, text, left, fields) => {
  const { items, taken, documents } = take(text)
  const pool = items.find(one => one.id === 'uci:dhcp.lan')
  expect(pool?.state).toBe('unmanaged')
  expect(pool?.options.flatMap(one => (one.kind ? one.option : []))).toEqual(all.filter(one => !left.includes(one)))
  for (const option of left)
    expect(pool?.options.find(one => one.option === option)).toMatchObject({ why: 'optionValue' })
  const lan = documents.find(one => one.kind === 'lan')?.data
  expect(lan).toMatchObject({ name: 'lan', vlan: 1, dhcp: true, poolStart: '192.168.1.100' })
  for (const [field, value] of Object.entries(fields)) expect(lan?.[field]).toEqual(value)
  const seen = readImported(sectionsOf(text), taken)
  expect(commands(seen, planned(documents, taken))).toBe('')
  // A setting of what was left out has no effect, and the plan names it.
  const set = { lease: 30, dns1: '192.0.2.9', poolEnd: '192.168.1.110' }
  const next = renderAll(driver.renderers, input(changed(documents, 'lan', set), taken))
  const block = next.blocks.find(one => one.id === 'uci:dhcp.lan')?.text
  for (const option of left) expect(block).not.toContain(`.${option}=`)
  expect(next.warnings).toContainEqual(
    expect.objectContaining({ code: 'lanImportedLeft.options', values: { lan: 'lan', options: left.join(', ') } }),
  )
})

test.each(unsaid)(
  'a pool with %s: what somebody changed of the others on the device comes back alone',
  (_what, text) => {
    const { taken, documents } = take(text)
    const [seen] = readImported(sectionsOf(withOption(text, 'dhcp.lan.start', "'90'")), taken).blocks.filter(
      one => one.id === 'uci:dhcp.lan',
    )
    const [adopted] = (seen && adoptBlock(driver, input(documents, taken), seen)) ?? []
    const limits = 'limit' in (taken.find(one => one.id === 'uci:dhcp.lan')?.options ?? {})
    expect(adopted?.fields).toMatchObject({ poolStart: '192.168.1.90', ...(limits && { poolEnd: '192.168.1.239' }) })
    expect(documents.some(one => one.kind === 'lan' && 'lease' in one.data)).toBe('lease' in (adopted?.fields ?? {}))
  },
)

test.each([
  ["start='300'", withOption(router, 'dhcp.lan.start', "'300'")],
  ['the gateway among its addresses', withOption(router, 'dhcp.lan.start', "'1'")],
])('a pool that no setting says (%s) stays as it is, and its network is imported', (_what, text) => {
  const { items, taken, documents } = take(text)
  expect(items.find(one => one.id === 'uci:dhcp.lan')?.state).toBe('unsupported')
  expect(documents.find(one => one.kind === 'lan')?.data).toMatchObject({ address: '192.168.1.1/24', dhcp: false })
  expect(commands(readImported(sectionsOf(text), taken), planned(documents, taken))).toBe('')
})

test('a pool is imported only when it was chosen', () => {
  const { taken, documents } = take(router, /network\.lan$/)
  expect(documents.find(one => one.kind === 'lan')?.data).toMatchObject({ address: '192.168.1.1/24', dhcp: false })
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
})
