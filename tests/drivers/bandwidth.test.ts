import type { DesiredDocument } from '@/server/drivers/driver'
import { foreignQueues } from '@/server/drivers/linux/interfaces'
import { shapingRenderer } from '@/server/drivers/linux/shaping'
import { wifiShapingRenderer } from '@/server/drivers/linux/wifi-shaping'
import { ssidRatesRenderer } from '@/server/drivers/openwrt/ssid-rates'

const rule = (id: string, data: Record<string, unknown>) => ({
  id,
  kind: 'bandwidthRule',
  name: id,
  data: { name: `Rule ${id}`, ...data },
})
const lan = { key: 'eth1', name: 'eth1', type: 'ethernet' as const, addresses: ['10.0.0.1/24'] }
const wan = { key: 'eth0', name: 'eth0', type: 'ethernet' as const, addresses: ['192.0.2.2/24'], defaultRoute: true }
const docker = { key: 'docker0', name: 'docker0', type: 'bridge' as const, addresses: ['172.17.0.1/16'] }

function render(documents: ReturnType<typeof rule>[], more: { capabilities?: string[]; interfaces?: object[] } = {}) {
  const interfaces = (more.interfaces ?? [wan, lan, docker]) as (typeof lan)[]
  return shapingRenderer.render({
    facts: { kind: 'gateway', capabilities: more.capabilities ?? ['root', 'systemd', 'nftables', 'tc'] },
    observation: { takenAt: 0, depth: 'full', interfaces },
    documents,
    windowSeconds: 90,
  })
}
const text = (path: string, documents: ReturnType<typeof rule>[]) =>
  render(documents).blocks.find(block => block.id === `file:/etc/lanward/${path}`)?.text ?? ''

const both = { download: '8 Mbps', upload: '512 Kbps' }

test('packets get the class of the nearest rule, to and from the internet only', () => {
  const lines = text('shaping.nft', [
    rule('net', { target: 'lan', lan: { address: '10.0.0.1/24' }, ...both }),
    rule('six', { target: 'address', address: '2001:db8::/64', download: '1 Mbps' }),
    rule('host', { target: 'address', address: '10.0.0.7', upload: '1 Mbps' }),
    rule('mac', { target: 'client', mac: '001a2b3c4d5e', ...both }),
    rule('off', { target: 'client', mac: '001a2b3c4d5f', enabled: false, ...both }),
  ])
    .split('\n')
    .filter(line => line.includes('comment "') || line.includes('update @'))
    .map(line => line.trim())
  const out = 'iifname != @outside oifname @outside'
  const back = 'iifname @outside oifname != @outside'
  expect(lines).toEqual([
    'ether saddr 00:1a:2b:3c:4d:5e update @client_11_4 { ip saddr }',
    'ether saddr 00:1a:2b:3c:4d:5e update @client_11_6 { ip6 saddr }',
    `${out} ether saddr 00:1a:2b:3c:4d:5e counter meta priority set 4c57:10 accept comment "mac"`,
    `${back} ip daddr @client_11_4 counter meta priority set 4c57:11 accept comment "mac"`,
    `${back} ip6 daddr @client_11_6 counter meta priority set 4c57:11 accept comment "mac"`,
    `${out} ip saddr 10.0.0.7 counter meta priority set 4c57:12 accept comment "host"`,
    `${back} ip6 daddr 2001:db8::/64 counter meta priority set 4c57:15 accept comment "six"`,
    `${out} ip saddr 10.0.0.0/24 counter meta priority set 4c57:16 accept comment "net"`,
    `${back} ip daddr 10.0.0.0/24 counter meta priority set 4c57:17 accept comment "net"`,
  ])
})

test('upload is held towards the internet, download towards the LAN', () => {
  const queues = text('queues.sh', [rule('mac', { target: 'client', mac: '001a2b3c4d5e', ...both })])
  expect(queues).toContain("on 'eth0' && {\n  queue 10 512 3200 20\n}\non 'eth1' && {\n  queue 11 8000 10000 100\n}\n")
  expect(queues).not.toContain('docker0')
})

test('what is missing, and a queue of somebody else, is told and blocks', () => {
  const documents = [rule('mac', { target: 'client', mac: '001a2b3c4d5e', ...both })]
  const codes = (more: Parameters<typeof render>[1]) =>
    render(documents, more).warnings.map(one => [one.code, one.blocks])
  expect(codes({ capabilities: ['root', 'systemd', 'nftables'] })).toEqual([['needs.tc', true]])
  expect(codes({ interfaces: [lan] })).toEqual([['noUplink', true]])
  expect(codes({ interfaces: [wan, { ...lan, shaper: 'cake' }] })).toEqual([['queueForeign', true]])
  expect(codes({ interfaces: [wan, lan, { ...docker, shaper: 'cake' }] })).toEqual([])
})

test('queues of the system and of ours are nobody else’s', () => {
  const shown = `qdisc noqueue 0: dev lo root refcnt 2
qdisc mq 0: dev eth0 root
qdisc fq_codel 0: dev eth0 parent :1 limit 10240p
qdisc htb 4c57: dev eth1 root refcnt 3 r2q 10
qdisc cake 8001: dev eth2 root refcnt 2
qdisc htb 1: dev eth3 root refcnt 2`
  expect([...foreignQueues(shown)]).toEqual([
    ['eth2', 'cake'],
    ['eth3', 'htb'],
  ])
})

const ssid = { name: 'Guest', security: 'open' }
const air = (
  documents: DesiredDocument[],
  capabilities = ['root', 'systemd', 'tc', 'hostapd', 'wifi'],
  more: object = {},
) =>
  wifiShapingRenderer.render({
    facts: { kind: 'ap', capabilities },
    observation: {
      ...{ takenAt: 0, depth: 'full' },
      radios: [{ key: 'phy0', name: 'phy0', band: '2g', driver: 'nl80211', interface: 'wlan0', country: 'DE' }],
      ...more,
    },
    documents: [
      { id: 'a', kind: 'ssid', name: 'A', data: { ...ssid, name: 'A' } },
      { id: 's', kind: 'ssid', name: 'Guest', data: ssid },
      ...documents,
    ],
    windowSeconds: 90,
  })

test('a Wi-Fi network is limited on the interfaces that send it out, and nothing else of the device is', () => {
  const limit = rule('guests', { target: 'ssid', ssid, ...both })
  const { blocks, warnings } = air([limit])
  expect(warnings).toEqual([])
  expect(blocks.map(block => block.id)).toEqual([
    'file:/etc/lanward/wifi-queues.sh',
    'file:/etc/systemd/system/lanward-wifi-queues.service',
  ])
  expect(blocks[0]?.text).toContain(
    "on 'wlan0_1' && {\n  queue 1 8000 10000 100\n}\nfrom 'wlan0_1' lwq0 && {\n  queue 1 512 3200 20\n}",
  )
  expect(blocks[0]?.text).not.toContain("'wlan0'")
  expect(air([rule('up', { target: 'ssid', ssid, upload: '1 Mbps' })]).blocks[0]?.text).not.toContain("on 'wlan0_1'")
  // A gateway's table knows nothing of it.
  expect(render([limit])).toEqual({ blocks: [], warnings: [] })
})

test('what stands in the way of a limit for a Wi-Fi network is named', () => {
  const limit = rule('guests', { target: 'ssid', ssid, ...both })
  const codes = (made: ReturnType<typeof air>) => [
    made.blocks.length,
    ...made.warnings.map(one => [one.code, one.blocks]),
  ]
  expect(codes(air([limit], ['root', 'systemd', 'hostapd', 'wifi']))).toEqual([0, ['needs.tc', true]])
  expect(codes(air([rule('x', { ...limit.data, ssid: { name: 'Gone' } })]))).toEqual([
    0,
    ['ruleWithoutNetwork', undefined],
  ])
  expect(codes(air([rule('x', { ...limit.data, enabled: false })]))).toEqual([0])
  const interfaces = [{ key: 'wlan0_1', name: 'wlan0_1', type: 'wifi', shaper: 'cake' }]
  expect(codes(air([limit], undefined, { interfaces }))).toEqual([0, ['queueForeign', true]])
  const openwrt = (capabilities: string[]) =>
    ssidRatesRenderer.render({ facts: { kind: 'ap', capabilities }, documents: [limit], windowSeconds: 90 })
  expect([codes(openwrt(['wifi'])), codes(openwrt([]))]).toEqual([[0, ['ssidRate', undefined]], [0]])
})
