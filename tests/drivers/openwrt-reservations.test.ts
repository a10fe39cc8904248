import { renderAll } from '@/server/drivers/assess'
import type { NativeBlock } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { verifyDhcp } from '@/server/drivers/openwrt/lan/lan-check'
import { reservationsOf } from '@/server/drivers/openwrt/observe/reservations'
import { parseSections } from '@/server/drivers/openwrt/uci/show'
import { changed, input, take } from './_imported'
import { router } from './_router'
import { words } from './openwrt-server'
import { type Answer, startSshServer } from './ssh-server'

// What a device's owner reserved stands beside our reservations, in one dnsmasq: two of one address are none that it starts with.

const owners = [
  'dhcp.@host[0]=host',
  "dhcp.@host[0].name='NAS'",
  "dhcp.@host[0].mac='02:00:00:00:00:31 02-00-00-00-00-32'",
  "dhcp.@host[0].ip='192.168.1.31'",
  // uci counts ours.
  'dhcp.lw_lan1_020000000055=host',
  "dhcp.lw_lan1_020000000055.mac='02:00:00:00:00:55'",
  "dhcp.lw_lan1_020000000055.ip='192.168.1.55'",
  'dhcp.@host[2]=host',
  "dhcp.@host[2].mac='02:00:00:00:00:41'",
  "dhcp.@host[2].ip='ignore'",
  'dhcp.@domain[0]=domain',
  "dhcp.@domain[0].name='files'",
  "dhcp.@domain[0].ip='192.168.1.40'",
  'dhcp.@cname[0]=cname',
  "dhcp.@cname[0].cname='www'",
  "dhcp.@cname[0].target='files'",
].join('\n')
const text = `${router}\n${owners}`
const reservations = reservationsOf(parseSections(text))

const lease = (mac: string, address: string, name?: string) => ({ mac: `02:00:00:00:00:${mac}`, address, name })
const told = (leases: object[]) => {
  const { taken, documents } = take(text)
  const given = input(changed(documents, 'lan', { leases }), taken)
  const { warnings } = renderAll(driver.renderers, { ...given, observation: { ...given.observation, reservations } })
  return warnings.flatMap(({ code, values, blocks, kind, document }) =>
    code.startsWith('lanReserved')
      ? [[code, values?.value ?? values?.address, values?.by, blocks, kind, document]]
      : [],
  )
}

test('what the owner reserved is read without ours', () => {
  expect(reservations).toEqual([
    {
      ...{ by: 'dhcp.@host[0]', type: 'host', name: 'nas', address: '192.168.1.31' },
      macs: ['02:00:00:00:00:31', '02:00:00:00:00:32'],
    },
    { by: 'dhcp.@host[1]', type: 'host', address: 'ignore', macs: ['02:00:00:00:00:41'] },
    { by: 'dhcp.@domain[0]', type: 'domain', name: 'files', address: '192.168.1.40', macs: [] },
    { by: 'dhcp.@cname[0]', type: 'cname', name: 'www', macs: [] },
  ])
})

const lan = ['lan', expect.any(String)]
test.each<[string, ReturnType<typeof lease>, unknown[] | undefined]>([
  ['an address of the owner', lease('77', '192.168.1.31'), ['lanReserved', '192.168.1.31', 'dhcp.@host[0]', true]],
  [
    'the owner’s address for the same client',
    lease('31', '192.168.1.31', 'nas'),
    ['lanReserved', '192.168.1.31', 'dhcp.@host[0]', true],
  ],
  ['a name of the owner', lease('77', '192.168.1.77', 'nas'), ['lanReserved', 'nas', 'dhcp.@host[0]', true]],
  [
    'a name of the owner’s for another address',
    lease('77', '192.168.1.77', 'Files'),
    ['lanReserved', 'Files', 'dhcp.@domain[0]', true],
  ],
  ['an alias of the owner’s', lease('77', '192.168.1.77', 'www'), ['lanReserved', 'www', 'dhcp.@cname[0]', true]],
  // dnsmasq takes that, and gives the client either.
  [
    'a second address of a client',
    lease('32', '192.168.1.32', 'nas'),
    ['lanReservedTwice', '192.168.1.31', 'dhcp.@host[0]', undefined],
  ],
  ['the owner’s name for the same address', lease('77', '192.168.1.40', 'files'), undefined],
  ['a reservation of ours', lease('55', '192.168.1.55'), undefined],
  ['nothing in common', lease('77', '192.168.1.77', 'printer'), undefined],
])('a reservation with %s', (_what, one, expected) => {
  expect(told([one])).toEqual(expected ? [[...expected, ...lan]] : [])
})

const running: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

/** The proof of these sections on a device whose dnsmasq says so. */
async function proof(blocks: readonly NativeBlock[], said: string) {
  let asked = 0
  const server = await startSshServer({
    auth: ({ method }) => method === 'none',
    exec: (line): Answer => {
      if (words(line).join(' ') === 'ubus call system board') return { stdout: '{}' }
      if (line.includes('ubus list')) return { stdout: 'system\n' }
      if (!line.includes('pidof dnsmasq')) return { code: 0 }
      asked++
      return { stdout: said }
    },
  })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  running.push({ close: async () => driver.close(session) }, server)
  const found = await verifyDhcp(session, blocks, 0)
  expect(asked).toBe(1)
  return found.map(one => [one.code, one.values?.interface])
}

const section = (id: string, type: string, options: Record<string, string>, more: Partial<NativeBlock> = {}) => ({
  ...{ id: `uci:${id}`, kind: 'lan', document: 'd' },
  text: [`${id}=${type}`, ...Object.entries(options).map(([option, value]) => `${id}.${option}='${value}'`)].join('\n'),
  ...more,
})
const imported = { id: 'uci:dhcp.lan', item: 'uci:dhcp.lan', kind: 'lan', document: 'd', text: "dhcp.lan.start='100'" }
const host = section('dhcp.lw_lan1_020000000077', 'host', { mac: '02:00:00:00:00:77', ip: '192.168.1.31' })
const own = section('dhcp.lw_lan20', 'dhcp', { interface: 'lw_lan20', start: '100', dhcpv4: 'server' })
const closed = section('dhcp.lw_lan30', 'dhcp', { interface: 'lw_lan30', dhcpv4: 'disabled' }, { document: 'e' })
const portal = section('dhcp.lw_portal', 'domain', { name: 'portal.test', ip: '192.168.1.9' }, { document: undefined })
const range = 'range set:lw_lan20,192.168.20.100,192.168.20.150\n'

test.each<[string, NativeBlock[], string, unknown[]]>([
  ['an imported pool', [imported], '', ['lan']],
  ['a reservation in an imported pool', [imported, host], '', ['lan']],
  ['a pool of ours', [own], range, ['lw_lan20']],
  ['a pool that gives nothing out', [closed], '', ['lw_lan30']],
  ['a name', [portal], '', ['lw_portal']],
])('a push of %s is not confirmed by a dnsmasq that ended', async (_what, blocks, said, names) => {
  expect(await proof(blocks, said)).toEqual(names.map(name => ['lanDhcpDown', name]))
  expect(await proof(blocks, `running\n${said}`)).toEqual([])
})

test('a pool of ours that a running dnsmasq was not told of is down; where another program serves nothing is proven', async () => {
  expect(await proof([own], 'running\n')).toEqual([['lanDhcpDown', 'lw_lan20']])
  expect(await proof([own, host, portal], 'off\nelsewhere\n')).toEqual([])
})

test('a dnsmasq that its owner switched off is no fault of what asks nothing of it', async () => {
  expect(await proof([imported, closed], 'off\n')).toEqual([])
  expect(await proof([imported, host], 'off\n')).toEqual([['lanDhcpDown', 'lan']])
})
