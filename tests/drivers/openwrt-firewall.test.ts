import { firewallRenderer } from '@/server/drivers/openwrt/firewall'
import { skipped } from '@/server/drivers/openwrt/fw4-check'
import { parseShow, planPush } from '@/server/drivers/openwrt/push'

const document = (kind: string, id: string, data: Record<string, unknown>) => ({
  id,
  kind,
  name: id,
  data: { name: id, ...data },
})
const rule = (id: string, data: Record<string, unknown>) => document('wiredRule', id, data)
const forward = (id: string, data: Record<string, unknown>) => document('portForward', id, data)

const networks = [
  { name: 'lan', device: 'br-lan' },
  { name: 'wan', device: 'eth1' },
]
const rendered = (documents: ReturnType<typeof document>[]) =>
  firewallRenderer.render({
    facts: { kind: 'gateway', capabilities: [] },
    observation: { takenAt: 0, depth: 'full', networks },
    documents,
    windowSeconds: 90,
  })
const render = (documents: ReturnType<typeof document>[]) => rendered(documents).blocks

test.each(['𐌰', '漢', 'é', 'x'])(
  'a name of %s fits into a comment of nftables beside what fw4 writes there',
  letter => {
    const name = letter.repeat(60)
    const names = render([
      rule('r', { name, protocol: 'any', action: 'deny' }),
      forward('f', { name, protocol: 'tcp', ports: '443', address: '192.168.1.9' }),
    ]).map(block => /\.name='(.*)'/.exec(block.text)?.[1] ?? '')
    expect(names.length).toBeGreaterThan(1)
    for (const one of names) {
      expect(one).toBe(letter.repeat([...one].length))
      expect(Buffer.byteLength(`!fw4: ${one} (reflection)`)).toBeLessThanOrEqual(128)
    }
  },
)

test('a rule as fw4 takes it', () => {
  const [block] = render([
    rule('a-1', {
      name: 'It"s $(id) \\ No web',
      protocol: 'tcpUdp',
      ports: '80,443,8000-8100',
      sources: ['10.1.0.0/16', '10.1.2.3', '192.0.2.7'],
      macs: ['00-1A-2B-3C-4D-5E', '001a2b3c4d5f'],
      action: 'reject',
    }),
  ])
  expect(block).toEqual({
    id: 'uci:firewall.lw_rule_a_1_lan_wan_4',
    kind: 'wiredRule',
    document: 'a-1',
    text: [
      'firewall.lw_rule_a_1_lan_wan_4=rule',
      "firewall.lw_rule_a_1_lan_wan_4.name='Its id  No web'",
      "firewall.lw_rule_a_1_lan_wan_4.family='ipv4'",
      "firewall.lw_rule_a_1_lan_wan_4.src='lan'",
      "firewall.lw_rule_a_1_lan_wan_4.dest='wan'",
      "firewall.lw_rule_a_1_lan_wan_4.proto='tcp' 'udp'",
      "firewall.lw_rule_a_1_lan_wan_4.src_ip='10.1.0.0/16 192.0.2.7'",
      "firewall.lw_rule_a_1_lan_wan_4.src_mac='00:1a:2b:3c:4d:5e 00:1a:2b:3c:4d:5f'",
      "firewall.lw_rule_a_1_lan_wan_4.dest_port='80 443 8000-8100'",
      "firewall.lw_rule_a_1_lan_wan_4.target='REJECT'",
    ].join('\n'),
  })
})

const asked = { from: 'lan', to: 'device', protocol: 'any', action: 'deny' }
test.each([
  ['refuses all of it', asked, true],
  ['rejects ICMP', { ...asked, protocol: 'icmp', action: 'reject' }, true],
  ['refuses some ports', { ...asked, protocol: 'tcp', ports: '80' }, false],
  ['refuses IPv4', { ...asked, sources: ['10.0.0.0/8'] }, false],
  ['lets it through', { ...asked, action: 'allow' }, false],
  ['is about what passes on', { ...asked, to: 'wan' }, false],
])('neighbours find the gateway by IPv6 before a rule that %s', (_what, data, needed) => {
  const ids = render([rule('1', data)]).map(block => block.id)
  expect(ids[0] === 'uci:firewall.lw_neighbours').toBe(needed)
  expect(ids.length).toBe(needed ? 2 : 1)
})

const guests = document('lan', 'l', { vlan: 20, address: '10.0.20.1/24', dhcp: false })
const ways = (data: Record<string, unknown>) =>
  render([rule('1', data), guests]).map(({ text }) =>
    ['src', 'dest'].map(option => new RegExp(`\\.${option}='(.*)'`).exec(text)?.[1] ?? '-').join('>'),
  )

test.each([
  [{}, ['lan>wan', 'lw_lan20>wan']],
  [{ from: 'wan', to: 'lan' }, ['wan>lan', 'wan>lw_lan20']],
  [{ from: 'any', to: 'any' }, ['lan>*', 'lw_lan20>*', 'wan>*']],
  [{ fromLan: { address: '10.0.20.1/24', vlan: 20 } }, ['lw_lan20>wan']],
  [{ from: 'wan', to: 'lan', toLan: { address: '10.0.0.1/24', vlan: 1 } }, ['wan>lan']],
  [{ from: 'wan', to: 'device', action: 'allow' }, ['wan>-']],
  [{ from: 'device', to: 'wan' }, ['->wan']],
])('from and to: %j', (data, expected) => expect(ways(data)).toEqual(expected))

test('each way to the internet that is set here is asked too; a network that this device does not have is said', () => {
  const wan = document('wan', 'w', { interface: 'eth2', connection: 'dhcp', metric: 10 })
  const list = render([
    wan,
    forward('f', { ports: '80', address: '10.0.0.7' }),
    rule('1', { from: 'wan', to: 'device' }),
  ])
  expect(list.map(block => block.id)).toEqual([
    'uci:firewall.lw_forward_f_0_0',
    'uci:firewall.lw_forward_f_0_0_lw_wan',
    'uci:firewall.lw_neighbours',
    'uci:firewall.lw_rule_1_wan_device',
    'uci:firewall.lw_rule_1_lw_wan_device',
  ])
  const lost = rendered([rule('1', { fromLan: { address: '10.0.30.1/24', vlan: 30 } })])
  expect(lost).toMatchObject({ blocks: [], warnings: [{ code: 'ruleWithoutLan', document: '1' }] })
})

const path = { peer: '192.168.1.2', local: '192.168.1.1', interface: 'br-lan', service: 22 }
const hosts = [{ mac: '02:00:00:00:00:09', address: '192.168.1.2', source: 'arp' as const }]
const cutsOf = (documents: ReturnType<typeof document>[], before = render([])) =>
  firewallRenderer
    .cuts?.({ blocks: before }, { blocks: render(documents) }, { takenAt: 0, depth: 'full', networks, path, hosts })
    .map(({ code, document: id }) => [code, id])
const toDevice = { from: 'lan', to: 'device' }

test.each<[string, Record<string, unknown>[], string | undefined]>([
  ['all to the device', [toDevice], 'a'],
  ['all to anywhere', [{ from: 'any', to: 'device', action: 'reject' }], 'a'],
  ['its port', [{ ...toDevice, protocol: 'tcp', ports: '1-1024' }], 'a'],
  ['its address', [{ ...toDevice, sources: ['192.168.1.0/24'] }], 'a'],
  ['its MAC address', [{ ...toDevice, macs: ['020000000009'] }], 'a'],
  ['another port', [{ ...toDevice, protocol: 'tcp', ports: '80,443' }], undefined],
  ['another protocol', [{ ...toDevice, protocol: 'udp' }], undefined],
  ['another address', [{ ...toDevice, sources: ['192.168.2.0/24'] }], undefined],
  ['another side', [{ from: 'wan', to: 'device' }], undefined],
  ['what passes through', [{ from: 'lan', to: 'wan' }], undefined],
  ['an exception before it', [{ ...toDevice, protocol: 'tcp', ports: '22', action: 'allow' }, toDevice], undefined],
  [
    'an exception by schedule',
    [{ ...toDevice, action: 'allow', schedule: { name: 'Office', weekly: 'mon-sun 00:00-24:00' } }, toDevice],
    'b',
  ],
  [
    'an exception for a source port',
    [{ ...toDevice, protocol: 'tcp', sourcePorts: '4000', action: 'allow' }, toDevice],
    'b',
  ],
])('a rule that would cut the manager off: %s', (_what, list, cut) =>
  expect(cutsOf(list.map((data, at) => rule('ab'[at] ?? '', { action: 'deny', ...data })))).toEqual(
    cut === undefined ? [] : [['firewall', cut]],
  ),
)

test('what was there before cuts nothing anew', () => {
  const deny = [rule('a', { ...toDevice, action: 'deny' })]
  expect(cutsOf(deny, render(deny))).toEqual([])
})

test('G16: a schedule as fw4 takes it: a rule for times of the same days, none of the week on a date of its own', () => {
  const dates = [
    { date: '2026-12-25', times: '' },
    { date: '2026-12-24', times: '10:00-12:00' },
    { date: '2027-01-01', times: '23:30-24:00' },
  ]
  const schedule = { name: 'Office', weekly: 'mon-fri 08:00-12:30; sun 23:00-24:00', dates }
  const list = render([rule('r', { schedule })])
  const when = list.map(({ text }) =>
    [...text.matchAll(/\.(weekdays|start_time|stop_time|start_date|stop_date)='(.*)'/g)]
      .map(match => match[2])
      .join(' '),
  )
  const spans = ['2026-12-23T23:59:59', '2026-12-26T00:00:00 2026-12-31T23:59:59', '2027-01-02T00:00:00']
  expect(when).toEqual([
    ...spans.map(span => `Mon Tue Wed Thu Fri 08:00:00 12:29:59 ${span}`),
    ...spans.map(span => `Sun 23:00:00 23:59:59 ${span}`),
    '2026-12-24T10:00:00 2026-12-24T11:59:59',
    '2027-01-01T23:30:00 2027-01-01T23:59:59',
  ])
  expect(new Set(list.map(block => block.id)).size).toBe(list.length)
  expect(list[0]?.text).toContain("firewall.lw_rule_r_lan_wan_t0.stop_date='2026-12-23T23:59:59'")
})

test('forwards: a section for each source and each range', () => {
  const list = render([
    forward('f', { ports: '80,5000-5010', address: '10.0.0.7', sources: ['198.51.100.1', '203.0.113.0/24'] }),
    forward('g', { ports: '8080', address: '10.0.0.8', innerPort: 80, protocol: 'tcpUdp' }),
  ])
  expect(list.map(block => block.id)).toEqual([
    'uci:firewall.lw_forward_f_0_0',
    'uci:firewall.lw_forward_f_0_1',
    'uci:firewall.lw_forward_f_1_0',
    'uci:firewall.lw_forward_f_1_1',
    'uci:firewall.lw_forward_g_0_0',
  ])
  expect(list[3]?.text).toContain(".src_dport='5000-5010'")
  expect(list[3]?.text).toContain(".dest_port='5000-5010'")
  expect(
    list[4]?.text
      .split('\n')
      .slice(1)
      .map(line => line.split('.')[2]),
  ).toEqual([
    "name='g'",
    "src='wan'",
    "dest='lan'",
    "proto='tcp' 'udp'",
    "src_dport='8080'",
    "dest_ip='10",
    "dest_port='80'",
    "target='DNAT'",
    "reflection='1'",
  ])
})

test('P7: a DMZ comes after the forwards, from the zone of its own way', () => {
  const way = (id: string, data: Record<string, unknown>) => document('wan', id, { interface: `eth${id}`, ...data })
  const list = render([
    way('2', { dmzHost: '10.0.0.9' }),
    way('3', { connection: 'kept', dmzHost: '10.0.0.8' }),
    forward('f', { ports: '80', address: '10.0.0.7' }),
  ])
  expect(list.map(block => block.id.replace('uci:firewall.lw_', ''))).toEqual([
    'forward_f_0_0',
    'forward_f_0_0_lw_dmz1',
    'dmz_2',
    'dmz_3',
  ])
  expect(list[2]?.text.split('\n').slice(2)).toEqual(
    ["src='lw_dmz1'", "dest='lan'", "proto='all'", "dest_ip='10.0.0.9'", "target='DNAT'", "reflection='0'"].map(
      line => `firewall.lw_dmz_2.${line}`,
    ),
  )
  expect(list[3]?.text).toContain("src='wan'")
})

test('they are read back as they were planned, and a new order writes them anew', () => {
  const two = [rule('1', { protocol: 'tcp', ports: '80' }), rule('2', { action: 'allow' })]
  const [next, turned] = [render(two), render(two.toReversed())]
  const seen = parseShow(next.map(block => block.text).join('\n'))
  expect(seen.blocks.map(({ id, text }) => ({ id, text }))).toEqual(next.map(({ id, text }) => ({ id, text })))
  const plan = planPush('id', seen, { blocks: turned }, 60)
  expect(plan.writes[0]?.text.match(/lw_rule_\d/g)?.[0]).toBe('lw_rule_2')
  expect(plan.apply.match(/uci -q delete firewall/g)).toHaveLength(2)
  expect(planPush('id', seen, { blocks: next }, 60).writes[0]?.text).toBe('')
})

// The words of firewall4's warn_section and of those who call it.
test('what fw4 leaves out is told', () => {
  const said = `[!] Section lw_rule_1_lan_wan (No web) option 'src_port' specifies invalid value 'x'
[!] Section @rule[3] (Theirs) option 'proto' specifies invalid value
[!] Section lw_lan20_to_wan inheriting IPv4 restriction from dest wan
[!] Section lw_nft_blocked specifies unreachable path '/etc/lanward/blocked.nft', ignoring section
Ruleset passes nftables check.`
  expect(skipped(said)).toEqual([
    { section: 'lw_rule_1_lan_wan', problem: "(No web) option 'src_port' specifies invalid value 'x'" },
    {
      section: 'lw_nft_blocked',
      problem: "specifies unreachable path '/etc/lanward/blocked.nft', ignoring section",
    },
  ])
  expect(skipped('Ruleset passes nftables check.')).toEqual([])
})
