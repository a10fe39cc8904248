import { firewallRenderer } from '@/server/drivers/openwrt/firewall/firewall'
import { parseShow, planPush } from '@/server/drivers/openwrt/push'
import { skipped } from '@/server/drivers/openwrt/uci/fw4-check'
import { networkRoles } from './_network-roles'

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
    observation: { takenAt: 0, depth: 'full', networks, networkRoles },
    documents,
    confirmSeconds: 90,
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

const path = { peer: '192.168.1.2', local: '192.168.1.1', interface: 'br-lan', service: 22 }
const hosts = [{ mac: '02:00:00:00:00:09', address: '192.168.1.2', source: 'arp' as const }]
const cutsOf = (documents: ReturnType<typeof document>[], before = render([])) =>
  firewallRenderer
    .cuts?.(
      { blocks: before },
      { blocks: render(documents) },
      { takenAt: 0, depth: 'full', networks, networkRoles, path, hosts },
    )
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
