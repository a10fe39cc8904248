import { readdirSync, readFileSync } from 'node:fs'
import { renderAll } from '@/server/devices/assess'
import type { DesiredDocument, ForeignItem, NativeConfig, TakenItem } from '@/server/devices/driver'
import { openwrtDriver as driver } from '@/server/devices/openwrt/driver'
import { foreignItems } from '@/server/devices/openwrt/foreign'
import { planPush } from '@/server/devices/openwrt/push'
import { sectionsOf } from '@/server/devices/openwrt/sections'
import { readTaken } from '@/server/devices/openwrt/taken'

const folder = `${import.meta.dirname}/../recordings/openwrt-24.10`
const recorded = readdirSync(folder)
  .filter(name => /^uci-show-.*\.out$/.test(name))
  .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
  .join('')

const facts = { kind: 'gateway' as const, capabilities: ['wifi'] }
const networks = [{ name: 'lan', device: 'br-lan' }]
const radios = (['2g', '5g'] as const).map((band, at) => ({ key: `radio${at}`, name: `radio${at}`, band, up: true }))
const observation = { takenAt: 0, depth: 'full' as const, networks, radios, login: 'publickey' as const }
const input = (documents: DesiredDocument[], taken: TakenItem[]) => ({
  ...{ facts, observation, documents, windowSeconds: 60, taken },
})

/** Everything that is offered, as a person who marks all of it. */
const chosenOf = (items: readonly ForeignItem[], wanted = /./): TakenItem[] =>
  items
    .filter(item => item.state === 'foreign' && wanted.test(item.id))
    .map(({ id, options, about }) => {
      const offered = options.filter(one => one.kind !== undefined)
      return { id, options: Object.fromEntries(offered.map(one => [one.option, one.value ?? null])), about }
    })

/** Chosen items with the documents that are proposed for them, as the manager stores both. */
function take(text: string, wanted?: RegExp) {
  const items = foreignItems(text, [])
  const chosen = chosenOf(items, wanted)
  const proposals = driver.renderers.flatMap(one => one.proposes?.(chosen, items, input([], chosen)) ?? [])
  const singles = new Map<string, DesiredDocument>()
  const documents: DesiredDocument[] = []
  const deciding = new Map<string, string>()
  for (const [at, { kind, fields, items: ids }] of proposals.entries()) {
    if (kind === 'system' || kind === 'radio') {
      const data = { ...singles.get(kind)?.data, ...fields }
      singles.set(kind, { id: kind, kind, name: '', data })
      continue
    }
    documents.push({ id: `d${at}`, kind, name: String(fields.name), data: fields })
    for (const id of ids) deciding.set(id, `d${at}`)
  }
  const taken = chosen.map(item => ({ ...item, document: deciding.get(item.id) }))
  return { items, taken, documents: [...documents, ...singles.values()] }
}

const planned = (documents: DesiredDocument[], taken: TakenItem[]): NativeConfig => ({
  blocks: renderAll(driver.renderers, input(documents, taken)).blocks,
})
const former = (taken: TakenItem[]): NativeConfig => ({
  blocks: taken.flatMap(one => driver.ownership?.former(one) ?? []),
})
const texts = ({ blocks }: NativeConfig) => Object.fromEntries(blocks.map(block => [block.id, block.text]))
/** The commands that a push would send. */
const commands = (before: NativeConfig, next: NativeConfig) =>
  planPush('1', before, next, 60)
    .writes.map(one => one.text)
    .join('')

/** With other values in a document of a kind. */
const changed = (documents: DesiredDocument[], kind: string, data: object) =>
  documents.map(one => (one.kind === kind ? { ...one, data: { ...one.data, ...data } } : one))

test('the recorded router: what can be taken over, what cannot, and what each option says', () => {
  const items = foreignItems(recorded, [])
  const offered = items.filter(one => one.state === 'foreign')
  expect(offered.map(one => one.id)).toEqual(
    expect.arrayContaining([
      'uci:network.lan',
      'uci:dhcp.lan',
      'uci:system.@system[0]',
      'uci:system.ntp',
      'uci:dropbear.main',
    ]),
  )
  expect(offered.find(one => one.id === 'uci:network.lan')).toEqual({
    id: 'uci:network.lan',
    area: 'network',
    label: 'network.lan',
    state: 'foreign',
    why: 'system',
    options: [
      { option: 'ipaddr', value: "'192.168.1.1'", kind: 'lan', field: 'address' },
      { option: 'netmask', value: "'255.255.255.0'", kind: 'lan', field: 'address' },
      { option: 'device', value: "'br-lan'" },
      { option: 'proto', value: "'static'" },
      { option: 'ip6assign', value: "'60'" },
    ],
    about: { type: 'interface', network: 'lan', vlan: '1', zone: 'lan' },
  })
  // The way out, the loopback and every rule of the firewall are nobody's to take over.
  for (const id of ['uci:network.loopback', 'uci:network.wan', 'uci:firewall.@rule[0]', 'uci:dhcp.@dnsmasq[0]'])
    expect(items.find(one => one.id === id)).toMatchObject({ state: 'unknown', why: 'noSetting' })
})

test('documents that say what runs: taking all of it over is a push that does nothing', () => {
  const { taken, documents } = take(recorded)
  expect(documents.find(one => one.kind === 'lan')?.data).toMatchObject({
    ...{ name: 'lan', vlan: 1, address: '192.168.1.1/24', dhcp: true, lease: 720 },
    ...{ poolStart: '192.168.1.100', poolEnd: '192.168.1.249' },
  })
  expect(documents.find(one => one.kind === 'system')?.data).toMatchObject({
    timeZone: 'UTC',
    ntpServers: [0, 1, 2, 3].map(at => `${at}.openwrt.pool.ntp.org`),
    passwordLogin: 'on',
  })
  const next = planned(documents, taken)
  expect(texts(next)).toEqual(texts(former(taken)))
  const seen = readTaken(sectionsOf(recorded), taken)
  expect(texts(seen)).toEqual(texts(next))
  expect(commands(seen, next)).toBe('')
})

test('a change writes exactly the owned options that differ', () => {
  const { taken, documents } = take(recorded, /network\.lan|dhcp\.lan|@system/)
  const moved = { address: '10.20.0.1/16', poolStart: '10.20.1.0', poolEnd: '10.20.1.99' }
  const next = planned(
    changed(changed(documents, 'lan', { ...moved, dns1: '9.9.9.9' }), 'system', { timeZone: 'Europe/Berlin' }),
    taken,
  )
  expect(commands(readTaken(sectionsOf(recorded), taken), next).split('\n')).toEqual([
    "set network.lan.ipaddr='10.20.0.1'",
    "set network.lan.netmask='255.255.0.0'",
    "set dhcp.lan.limit='100'",
    "set dhcp.lan.start='256'",
    "add_list dhcp.lan.dhcp_option='6,9.9.9.9'",
    "set system.@system[0].timezone='CET-1CEST,M3.5.0,M10.5.0/3'",
    "set system.@system[0].zonename='Europe/Berlin'",
    '',
  ])
})

test('handing back puts the former values, and takes off what was not set', () => {
  const { taken, documents } = take(recorded, /@system|ntp|dhcp/)
  const set = {
    timeZone: 'Asia/Kolkata',
    ntpServers: ['ntp.test'],
    syslog: 'udp',
    syslogHost: '192.0.2.9',
    syslogPort: 514,
  }
  const now = planned(changed(changed(documents, 'system', set), 'lan', { lease: 60 }), taken)
  expect(commands(now, former(taken)).split('\n')).toEqual([
    "set dhcp.lan.leasetime='12h'",
    'delete system.@system[0].log_ip',
    "set system.@system[0].timezone='UTC'",
    'delete system.@system[0].zonename',
    'delete system.ntp.server',
    ...[0, 1, 2, 3].map(at => `add_list system.ntp.server='${at}.openwrt.pool.ntp.org'`),
    '',
  ])
})

test('only what was chosen is ever written, whatever the settings say besides', () => {
  const { taken, documents } = take(recorded, /network\.lan/)
  const only = taken.map(item => ({ ...item, options: { ipaddr: item.options.ipaddr ?? null } }))
  const next = planned(
    changed(
      changed(documents, 'lan', { address: '10.1.0.1/16', poolStart: '10.1.0.5', poolEnd: '10.1.0.9' }),
      'system',
      {},
    ),
    only,
  )
  expect(commands(readTaken(sectionsOf(recorded), only), next)).toBe("set network.lan.ipaddr='10.1.0.1'\n")
  // Nothing is taken over: nothing is written, and why is said.
  const { blocks, warnings } = renderAll(driver.renderers, input(documents, []))
  expect(blocks).toEqual([])
  expect(warnings).toMatchObject([{ code: 'lanForeign', blocks: true }])
})

test('what nobody plans of a taken section stays; a section that is gone stops the push before it begins', () => {
  const { taken } = take(recorded, /network\.lan/)
  const seen = readTaken(sectionsOf(recorded), taken)
  expect(commands(seen, { blocks: [] })).toBe('')
  expect(() => planPush('1', { blocks: [] }, seen, 60)).toThrow('uci:network.lan is not on the device any more')
  const foreign = { blocks: [{ id: 'uci:network.wan', text: "network.wan.proto='none'" }] }
  expect(() => planPush('1', foreign, foreign, 60)).toThrow('not ours to write')
})

test('a manager that logs in with a password does not shut that door; one with a key does', () => {
  const { taken, documents } = take(recorded, /dropbear/)
  const off = changed(documents, 'system', { passwordLogin: 'off' })
  const by = (login: 'none' | 'password' | 'publickey') =>
    renderAll(driver.renderers, { ...input(off, taken), observation: { ...observation, login } })
  expect(by('password').warnings).toMatchObject([{ code: 'managerByPassword', blocks: true }])
  expect(by('none').warnings).toMatchObject([{ code: 'managerByPassword', blocks: true }])
  expect(by('publickey')).toMatchObject({
    warnings: [],
    blocks: [{ text: "dropbear.main.PasswordAuth='off'\ndropbear.main.RootPasswordAuth='off'" }],
  })
})

const lanText = (more: string) => `network.lan=interface
network.lan.device='br-lan'
network.lan.proto='static'
${more}`

test.each<[string, string, string | undefined]>([
  ['address and netmask in one', "network.lan.ipaddr='192.168.7.1/25'", '192.168.7.1/25'],
  ['a netmask that is none', "network.lan.ipaddr='192.168.7.1'\nnetwork.lan.netmask='255.0.255.0'", undefined],
  ['two addresses', "network.lan.ipaddr='192.168.7.1/24' '192.168.8.1/24'", undefined],
  ['no address', '', undefined],
])('an interface with %s', (_name, text, address) => {
  const { documents, taken } = take(lanText(text))
  expect(documents.find(one => one.kind === 'lan')?.data.address).toBe(address)
  if (!address) return
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
  const next = planned(changed(documents, 'lan', { address: '192.168.9.1/24' }), taken)
  expect(texts(next)).toEqual({ 'uci:network.lan': "network.lan.ipaddr='192.168.9.1/24'" })
})

const poolText = (more: string) =>
  `${lanText("network.lan.ipaddr='192.168.1.1'\nnetwork.lan.netmask='255.255.255.0'")}
dhcp.lan=dhcp
dhcp.lan.interface='lan'
${more}`

test.each<[string, string, object | undefined]>([
  ['nothing but its interface', '', { dhcp: true, poolStart: '192.168.1.100', poolEnd: '192.168.1.249', lease: 720 }],
  ['a lease in seconds', "dhcp.lan.leasetime='600'", { lease: 10 }],
  ['ignore', "dhcp.lan.ignore='1'", { dhcp: false }],
  ['options of its own', `dhcp.lan.dhcp_option='6,9.9.9.9' '66,"boot.test"'`, { dns1: '9.9.9.9' }],
  ['a lease without an end', "dhcp.lan.leasetime='infinite'", undefined],
  ['a pool beyond the segment', "dhcp.lan.start='200'\ndhcp.lan.limit='150'", undefined],
])('a pool with %s', (_name, text, fields) => {
  const { documents, taken, items } = take(poolText(text), /dhcp/)
  expect(items.find(one => one.id === 'uci:dhcp.lan')?.state).toBe(fields ? 'foreign' : 'unknown')
  if (!fields) return
  expect(documents[0]?.data).toMatchObject(fields)
  expect(texts(planned(documents, taken))).toEqual(texts(former(taken)))
})

test('what a device says is bounded, and what looks like a secret is hidden', () => {
  const long = 'x'.repeat(100_000)
  const many = Array.from({ length: 3_000 }, (_, at) => `junk.s${at}=thing\njunk.s${at}.a='${at}'`).join('\n')
  const text = `${many}\nddns.my=service\nddns.my.password='hunter2'\nddns.my.text='${long}'\nsystem.@system[0]=system\nsystem.@system[0].log_ip='${long}'\n"; rm -rf /\nnetwork.x.y=1\n`
  const items = foreignItems(text, [])
  expect(items).toHaveLength(500)
  expect(items[0]).toMatchObject({ id: 'uci:system.@system[0]', state: 'foreign' })
  expect(items[0]?.options.find(one => one.option === 'log_ip')).toEqual({
    option: 'log_ip',
    value: expect.stringMatching(/^'x{1999}…$/),
  })
  const ddns = foreignItems("ddns.my=service\nddns.my.password='hunter2'\n", [])
  expect(ddns[0]?.options).toEqual([{ option: 'password', value: "'\uE000hunter2\uE001'" }])
})

test('values with quotes and line breaks read back as they are', () => {
  const text = "x.s=t\nx.s.a='it'\\''s'\nx.s.b='one\ntwo='\\'''\nx.s.c='p' 'q r'\n"
  expect([...(sectionsOf(text)[0]?.options ?? [])]).toEqual([
    ['a', ["it's"]],
    ['b', ["one\ntwo='"]],
    ['c', ['p', 'q r']],
  ])
})
