import { renderAll } from '@/server/drivers/assess'
import { blockedRenderer } from '@/server/drivers/openwrt/blocked'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { fileChanges, splitFiles } from '@/server/drivers/openwrt/files'
import { limitsRenderer } from '@/server/drivers/openwrt/limits'
import { equal, planPush } from '@/server/drivers/openwrt/push'

const document = (kind: string, id: string, data: Record<string, unknown>) => ({ id, kind, name: id, data })
const ether = (name: string, master?: string) => ({
  key: name,
  name,
  type: 'ethernet' as const,
  ...(master && { master }),
})
const bridged = [{ key: 'br-lan', name: 'br-lan', type: 'bridge' as const }, ether('lan1', 'br-lan')]
const input = (
  documents: ReturnType<typeof document>[],
  capabilities: string[],
  more: { kind?: 'ap'; networks?: { name: string; device: string }[] } = {},
) => ({
  facts: { kind: more.kind ?? ('gateway' as const), capabilities },
  observation: {
    takenAt: 0,
    depth: 'full' as const,
    interfaces: bridged,
    networks: more.networks ?? [{ name: 'wan', device: 'pppoe-wan' }],
  },
  documents,
  windowSeconds: 90,
})

const block = document('blockedClient', 'b', { mac: '02:00:00:00:00:07', until: '2030-01-01T00:00:00Z' })
const tablesOf = (text = '') => text.match(/^table .*(?= \{)/gm)

test('the block list is judged as packets come in, in the bridge too where the kernel can', () => {
  const { blocks, warnings } = blockedRenderer.render(input([block], ['fw4', 'nftBridge']))
  expect(warnings).toEqual([])
  expect(blocks.map(one => one.id)).toEqual([
    'file:/etc/lanward/blocked.nft',
    'file:/lib/upgrade/keep.d/lanward-blocked',
    'uci:firewall.lw_nft_blocked',
  ])
  expect(tablesOf(blocks[0]?.text)).toEqual(['table inet lanward_blocked', 'table bridge lanward_blocked'])
  expect(blocks[0]?.text).toContain('ether saddr 02:00:00:00:00:07 meta time < 1893456000 counter drop')
  expect(blocks[2]?.text).toBe(`firewall.lw_nft_blocked=include
firewall.lw_nft_blocked.type='nftables'
firewall.lw_nft_blocked.path='/etc/lanward/blocked.nft'
firewall.lw_nft_blocked.position='ruleset-post'`)
})

test.each<[string, string[], 'ap' | undefined, string[] | null, string[]]>([
  ['a router without the package', ['fw4'], undefined, ['table inet lanward_blocked'], ['needs.nftBridge']],
  ['an access point with it', ['fw4', 'nftBridge'], 'ap', ['table bridge lanward_blocked'], []],
  ['an access point without it', ['fw4'], 'ap', null, ['needs.nftBridge']],
  ['a system before nftables', [], undefined, null, ['needs.fw4']],
])('what a device lacks is said: %s', (_what, capabilities, kind, tables, codes) => {
  const { blocks, warnings } = blockedRenderer.render(input([block], capabilities, kind && { kind }))
  expect(blocks.length === 0 ? null : tablesOf(blocks[0]?.text)).toEqual(tables)
  expect(warnings.map(one => one.code)).toEqual(codes)
})

test('the manager’s own address on the list is a cut', () => {
  const next = blockedRenderer.render(input([block], ['fw4']))
  const path = { peer: '192.168.1.2', local: '192.168.1.1', interface: 'br-lan' }
  const hosts = [{ mac: '02:00:00:00:00:07', address: '192.168.1.2', source: 'arp' as const }]
  const cuts = blockedRenderer.cuts?.({ blocks: [] }, next, { takenAt: 0, depth: 'full', path, hosts })
  expect(cuts).toMatchObject([{ code: 'blocked' }])
})

test('a limit drops what is over it, each way, and says that it does', () => {
  const limit = document('bandwidthRule', 'l', {
    name: 'slow',
    target: 'address',
    address: '10.0.0.7',
    upload: '1 Mbps',
    download: '80 Mbps',
  })
  const { blocks, warnings } = limitsRenderer.render(input([limit], ['fw4']))
  expect(warnings).toEqual([{ code: 'limitDrops', kind: 'bandwidthRule', document: 'l', values: { rule: 'slow' } }])
  const text = blocks[0]?.text ?? ''
  expect(text).toContain('elements = { "pppoe-wan" }')
  const up = 'iifname != @outside oifname @outside ip saddr 10.0.0.7'
  expect(text).toContain(`${up} limit rate over 125000 bytes/second burst 32000 bytes counter drop comment "l"
\t\t${up} accept comment "l"`)
  expect(text).toContain('ip daddr 10.0.0.7 limit rate over 10000000 bytes/second burst 32000 bytes counter drop')
  const dialled = document('wan', 'w', { name: 'w', interface: 'eth5', connection: 'pppoe', user: 'u', password: 'p' })
  const whole = renderAll(openwrtDriver.renderers, input([limit, dialled], ['fw4']))
  expect(whole.blocks.find(one => one.id === blocks[0]?.id)?.text).toContain('elements = { "ppp-eth5", "pppoe-wan" }')
  const past = limitsRenderer.render(input([limit], ['fw4', 'flowOffload']))
  expect(past.warnings.map(one => one.code)).toEqual(['flowOffload', 'limitDrops'])
  expect(limitsRenderer.render(input([limit], [])).warnings.map(one => one.code)).toEqual(['needs.fw4'])
  expect(limitsRenderer.render(input([limit], ['fw4'], { networks: [] })).warnings.map(one => one.code)).toEqual([
    'noUplink',
  ])
})

test('a push lays, changes and takes away the files of its plan, and no others', () => {
  const { blocks } = blockedRenderer.render(input([block], ['fw4']))
  const laid = planPush('id', { blocks: [] }, { blocks }, 60)
  expect(laid.files).toEqual([
    '/etc/config/firewall',
    '/etc/lanward/blocked.nft',
    '/lib/upgrade/keep.d/lanward-blocked',
  ])
  expect(laid.writes.slice(1).map(one => one.text)).toEqual(blocks.slice(0, 2).map(one => one.text))
  expect(laid.apply).toContain('cp -p $D/new/1 /etc/lanward/blocked.nft')
  expect(laid.settle).toContain('/etc/init.d/firewall reload')
  const gone = planPush('id', { blocks }, { blocks: [] }, 60)
  expect(gone.apply).toContain('rm -f /etc/lanward/blocked.nft')
  expect(gone.settle).toContain("grep -q '^table inet lanward_blocked {' /etc/lanward/blocked.nft")
  const foreign = { blocks: [{ id: 'file:/etc/passwd', text: '' }] }
  expect(() => fileChanges({ blocks: [] }, foreign)).toThrow(/not ours/)
})

test('files are read back as they are, line by line', () => {
  const [file] = blockedRenderer.render(input([block], ['fw4'])).blocks
  if (!file) throw new Error('nothing was planned')
  const { shown, files } = splitFiles(`firewall.a=zone\n== lanward file /etc/lanward/blocked.nft\n${file.text}`)
  expect(shown).toBe('firewall.a=zone\n')
  expect(files).toEqual([{ id: file.id, text: file.text }])
  expect(files[0] && equal(file, files[0])).toBe(true)
  expect(equal(file, { ...file, text: file.text.split('\n').toReversed().join('\n') })).toBe(false)
})

const air = (documents: ReturnType<typeof document>[], capabilities = ['wifi', 'fw4', 'nftBridge']) =>
  renderAll(openwrtDriver.renderers, {
    facts: { kind: 'ap' as const, capabilities },
    observation: {
      takenAt: 0,
      depth: 'full' as const,
      networks: [
        { name: 'lan', device: 'br-lan' },
        { name: 'guests', device: 'br-guests' },
      ],
      interfaces: [{ ...ether('eth0.20', 'br-guests'), type: 'vlan' as const }],
      radios: [{ key: 'radio0', name: 'radio0', band: '2g' as const, up: true }],
    },
    documents,
    windowSeconds: 90,
  })
const ssid = (id: string, data = {}) => document('ssid', id, { name: id, security: 'open', ...data })

test('rules and rates of Wi-Fi networks are set where the bridge can be filtered, else said', () => {
  const guests = ssid('Guests')
  const rule = document('wirelessRule', 'w', { name: 'w', ssid: guests.data })
  const rate = document('bandwidthRule', 'r', { name: 'r', target: 'ssid', ssid: guests.data, upload: '1 Mbps' })
  const codes = (capabilities: string[]) => air([guests, rule, rate], capabilities).warnings.map(one => one.code)
  expect([codes(['wifi', 'fw4']), codes([])]).toEqual([['ssidRate', 'wirelessRule'], []])
  const { blocks, warnings } = air([ssid('Staff'), guests, rule, rate])
  expect(warnings.map(one => one.code)).toEqual(['limitDrops'])
  // Only what a rule is about has a name of its own: another name takes a network off the air for a moment.
  const names = blocks.map(({ text }) => /\.ssid='(\w+)'/.exec(text)?.[1] && /\.ifname='(\w+)'/.exec(text)?.[1])
  const [name] = names.filter(Boolean)
  expect(names.filter(Boolean)).toEqual([expect.stringMatching(/^lw[0-9a-f]{7}$/)])
  const file = (path: string) => blocks.find(one => one.id === `file:/etc/lanward/${path}`)?.text
  expect(file('wireless.nft')).toContain(`iifname "${name}" counter drop comment "w"`)
  expect(file('ssids.nft')).toContain('limit rate over 125000 bytes/second burst 32000 bytes counter drop comment "r"')
  expect(file('ssids.nft')).toMatch(
    new RegExp(`hook input priority 10; policy accept;\n\t\tiifname "${name}" jump up0\n`),
  )
  expect(file('ssids.nft')).toMatch(/hook output priority 10; policy accept;\n\t}/)
  expect(air([ssid('Staff'), rule]).warnings.map(one => one.code)).toEqual(['ruleWithoutNetwork'])
})

test('the VLANs that private keys lead to are of their network', () => {
  const rooms = ssid('Rooms', { security: 'ppsk' })
  const key = document('ppsk', 'k', { name: 'k', key: 'long enough', ssid: rooms.data, vlan: 20 })
  const { blocks } = air([rooms, key, document('wirelessRule', 'w', { name: 'w' })])
  const text = blocks.find(one => one.id === 'file:/etc/lanward/wireless.nft')?.text
  expect(text).toMatch(/iifname \{ "(lw[0-9a-f]{7})", "\1-v20" \} counter drop/)
})

test('rules with a schedule are read again when the clocks change, and only they bring that along', () => {
  const night = { name: 'Night', weekly: 'mon-sun 22:00-24:00', dates: [] }
  const rule = (more: object) => document('wiredRule', 'r', { name: 'r', ...more })
  const of = (more: object) => renderAll(openwrtDriver.renderers, input([rule(more)], ['fw4'])).blocks
  const laid = of({ schedule: night })
  const cron = laid.find(one => one.id === 'file:/etc/crontabs/root')
  expect(cron?.text).toBe('1 * * * * sh /etc/lanward/clock.sh # lanward\n')
  expect(of({}).filter(one => one.id.startsWith('file:'))).toEqual([])
  const plan = planPush('id', { blocks: [] }, { blocks: laid }, 60)
  expect(plan.files).toEqual(expect.arrayContaining(['/etc/crontabs/root', '/etc/lanward/clock.sh']))
  expect(plan.settle).toContain('/etc/init.d/cron restart')
  expect(planPush('id', { blocks: laid }, { blocks: laid }, 60).files).toEqual([])
})
