import { renderAll } from '@/server/drivers/assess'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { readImported } from '@/server/drivers/openwrt/uci/imported'
import { sectionsOf } from '@/server/drivers/openwrt/uci/sections'
import { changed, commands, former, input, planned, take, texts } from './_imported'
import { air, guests, router, withOption } from './_router'

// OpenWrt takes the words of a list alike, however its file spells them.

const whole = withOption(
  withOption(
    withOption([router, guests, air].join('\n'), 'network.wan.peerdns', "'0'"),
    'network.wan.dns',
    "'192.0.2.1' '192.0.2.2'",
  ),
  'dhcp.lan.dhcp_option',
  `'6,192.0.2.3,192.0.2.4' '15,"lan.test"'`,
)
/** Each list that an import reads: its option, its words, and what a setting puts in their place. */
const lists: [option: string, words: string[], kind: string, other: object][] = [
  ['firewall.@zone[1].network', ['wan', 'wan6'], '', {}],
  ['firewall.@zone[2].network', ['guest', 'hall'], '', {}],
  ['network.wan.dns', ['192.0.2.1', '192.0.2.2'], 'wan', { dns1: '192.0.2.9' }],
  ['dhcp.lan.dhcp_option', ['6,192.0.2.3,192.0.2.4', '15,"lan.test"'], 'lan', { dns1: '192.0.2.9' }],
  ['system.ntp.server', ['0.pool.example', '1.pool.example'], 'system', { ntpServers: ['ntp.example'] }],
  [
    'wireless.@wifi-iface[0].maclist',
    ['02:00:00:00:00:0a', '02:00:00:00:00:0b'],
    'ssid',
    { macList: ['02:00:00:00:00:0c'] },
  ],
]
const spelled = (words: string[]) => [
  words.map(word => `'${word}'`).join(' '),
  `'${words.join(' ')}'`,
  `'${words[0]}\t ${words.slice(1).join('  ')} '`,
]
const withoutValues = ({ items, documents }: ReturnType<typeof take>) => ({
  documents,
  items: items.map(item => ({ ...item, options: item.options.map(({ value: _, ...option }) => option) })),
})

test.each(lists)('%s is read and written alike in all its spellings', (option, words, kind, other) => {
  const [plain = '', ...rest] = spelled(words)
  const usual = take(withOption(whole, option, plain))
  const next = (of: ReturnType<typeof take>) =>
    kind ? planned(changed(of.documents, kind, other), of.taken) : planned(of.documents, of.taken)
  for (const spelling of rest) {
    const text = withOption(whole, option, spelling)
    const it = take(text)
    expect(withoutValues(it)).toEqual(withoutValues(usual))
    // Taking it over is a push that does nothing, and what it says is no drift whichever way it is spelled.
    const seen = readImported(sectionsOf(text), it.taken)
    expect(commands(seen, planned(it.documents, it.taken))).toBe('')
    for (const block of former(usual.taken).blocks) {
      const same = former(it.taken).blocks.find(one => one.id === block.id)
      expect(same && driver.equal(block, same)).toBe(true)
    }
    // A change writes the same, and what is handed back is spelled as it was.
    expect(texts(next(it))).toEqual(texts(next(usual)))
    if (kind) expect(commands(next(it), former(it.taken))).toContain(`set ${option}=${spelling}\n`)
  }
})

test('a list of one word with no blank in it goes back as a list', () => {
  const { taken, documents } = take(withOption(whole, 'system.ntp.server', "'0.pool.example'"))
  const now = planned(changed(documents, 'system', { ntpServers: ['ntp.example'] }), taken)
  expect(commands(now, former(taken))).toBe("delete system.ntp.server\nadd_list system.ntp.server='0.pool.example'\n")
})

test('a plain value keeps its blanks', () => {
  const { documents } = take(withOption(whole, 'wireless.@wifi-iface[0].ssid', "'Lobby  and hall'"))
  expect(documents.find(one => one.kind === 'ssid')?.data.name).toBe('Lobby  and hall')
  const text = withOption(whole, 'dhcp.lan.dhcp_option', `'66,"boot at 6, 7"'`)
  expect(take(text).documents.find(one => one.kind === 'lan')?.data.options).toEqual([
    { code: 66, type: 'text', value: 'boot at 6, 7' },
  ])
})

const ruled = (text: string, rule: object) => {
  const { taken, documents } = take(text, /network\.|zone/)
  const guest = documents.find(one => one.kind === 'lan' && one.data.vlan === 30)?.data
  const data = { name: 'r', action: 'deny', protocol: 'any', from: 'lan', to: 'wan', fromLan: guest, ...rule }
  const wanted = [...documents, { id: 'r', kind: 'wiredRule', name: 'r', data }]
  const { blocks, warnings } = renderAll(driver.renderers, input(wanted, taken))
  return {
    sources: blocks.flatMap(one => (one.kind === 'wiredRule' ? (/\.src='(.*)'/.exec(one.text)?.[1] ?? '') : [])),
    codes: warnings.map(one => one.code),
  }
}

test.each(spelled(['guest', 'hall']))('a rule about one of the networks in %s is of their zone', spelling => {
  const { sources, codes } = ruled(withOption(whole, 'firewall.@zone[2].network', spelling), {})
  expect(sources).toEqual(['guests'])
  expect(codes).not.toContain('ruleWithoutLan')
})

test('N14: a network whose zone is unknown is in no other: its rule is left out and named', () => {
  const text = withOption(whole, 'firewall.@zone[2].network', "'hall'")
  const { sources, codes } = ruled(text, {})
  expect(sources).toEqual([])
  expect(codes).toEqual(expect.arrayContaining(['ruleWithoutLan', 'lanImportedLeft.zone']))
  // Rules about all networks go on without it, and the plan says so.
  const all = ruled(text, { fromLan: undefined })
  expect(new Set(all.sources)).toEqual(new Set(['lan', 'guests']))
  expect(all.codes).toContain('lanImportedLeft.zone')
})

test('a wireless network in the VLAN of an imported one leaves its rules in their zone', () => {
  const { taken, documents } = take(withOption(whole, 'wireless.@wifi-iface[0].network', "'guest'"))
  const guest = documents.find(one => one.kind === 'lan' && one.data.vlan === 30)?.data
  const data = { name: 'r', action: 'deny', protocol: 'any', from: 'lan', to: 'wan', fromLan: guest }
  const wanted = [...documents, { id: 'r', kind: 'wiredRule', name: 'r', data }]
  const { blocks } = renderAll(driver.renderers, input(wanted, taken))
  expect(blocks.find(one => one.kind === 'wiredRule')?.text).toContain(".src='guests'")
})

test('a WAN whose zone is unknown is in no zone of another name', () => {
  const { documents, taken, items } = take(withOption(whole, 'firewall.@zone[1].network', "'other'"))
  expect(items.find(one => one.id === 'uci:network.wan')?.about).not.toHaveProperty('wayZone')
  const wan = documents.find(one => one.kind === 'wan')
  const wanted = changed(documents, 'wan', { dmzHost: '192.168.1.9' })
  expect(wan).toBeDefined()
  const { blocks, warnings } = renderAll(driver.renderers, input(wanted, taken))
  expect(blocks.filter(one => one.id.includes('lw_dmz'))).toEqual([])
  expect(warnings.map(one => one.code)).toContain('wanImportedLeft.zone')
})
