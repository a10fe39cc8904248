import { readFileSync } from 'node:fs'
import { renderAll } from '@/server/drivers/assess'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { networkRoles } from '../drivers/_network-roles'
import { apply, document } from './_firewall'
import { lab, run, until } from './_lab'
import { holds, measure, type Way } from './_rate'

// A client of the access point: the far end of its radio's cable. The driver `none` of hostapd puts no interface into the
// bridge, as a real one does.

let wires = ''
let root = ''
// The folder for temporary files is not in there.
const client = (...command: string[]) =>
  run('ip', ['netns', 'exec', wires, 'chroot', root, 'env', '-u', 'TMPDIR', ...command])
const network = { id: 'ssid', kind: 'ssid', name: 'Guest', data: { name: 'Guest', security: 'open' } }
const rule = (id: string, data: Record<string, unknown>) =>
  document('wirelessRule', id, { ssid: network.data, ...data })
const pings = async (address: string) => (await client('ping', '-c', '1', '-W', '2', address)).code === 0
const hits = async (id: string) => {
  const { stdout } = await lab.sh('ap1', 'nft list table bridge lanward_wireless')
  return [...stdout.matchAll(new RegExp(`counter packets (\\d+).*comment "${id}"`, 'g'))].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  )
}

beforeAll(async () => {
  const { prefix, state } = await lab.up()
  root = readFileSync(`${state}/root`, 'utf8').trim()
  wires = `${prefix}-wires`
  await lab.reset('ap1')
  await client('ip', 'addr', 'replace', '10.77.1.50/22', 'dev', 'ap1-air')
  await apply('ap1', network)
  await lab.sh('ap1', 'ip link set wlan0 master br-lan up')
  await until(() => pings('10.77.0.1'))
})
afterAll(async () => {
  await client('ip', 'addr', 'flush', 'dev', 'ap1-air')
  await lab.reset('ap1')
})

test('a rule of a Wi-Fi network stops what it says, and its order and removal count', async () => {
  await apply('ap1', network, rule('no-gateway', { destinations: ['10.77.0.1'] }))
  expect(await pings('10.77.0.1')).toBe(false)
  expect(await hits('no-gateway')).toBeGreaterThan(0)
  await until(() => pings('10.77.0.2'))
  await until(() => pings('10.77.0.3'))

  await apply('ap1', network, rule('only', { action: 'allow', destinations: ['10.77.0.2'] }), rule('rest', {}))
  await until(() => pings('10.77.0.2'))
  expect([await pings('10.77.0.1'), await pings('10.77.0.3')]).toEqual([false, false])

  await apply('ap1', network)
  await until(() => pings('10.77.0.1'))
  await until(() => pings('10.77.0.3'))
  expect((await lab.sh('ap1', 'nft list ruleset')).stdout).toBe('')
})

const cli = async (...words: string[]) =>
  (await lab.in('ap1', ['hostapd_cli', '-p', '/run/hostapd', '-i', 'wlan0', ...words])).stdout.trim()
/** Those that are let in; hostapd forgets the others a moment later. */
const stations = async () =>
  [...(await cli('all_sta')).matchAll(/^((?:[0-9a-f]{2}:){5}[0-9a-f]{2})\nflags=.*\[AUTHORIZED\]/gm)].map(
    ([, mac]) => mac,
  )
const started = async () =>
  (await lab.sh('ap1', 'systemctl show -p MainPID -p ActiveEnterTimestampMonotonic lanward-hostapd@wlan0')).stdout
const blocked = (mac: string, more: object = {}) => ({ ...document('blockedClient', mac, {}), data: { mac, ...more } })
const [good, bad] = ['02:00:00:00:00:0a', '02:00:00:00:00:0b']

test('a blocked client loses the access point at once and the others keep it; so does one taken off an allow list', async () => {
  await apply('ap1', network)
  for (const mac of [good, bad]) await cli('new_sta', mac)
  await until(async () => (await stations()).length === 2)
  const before = await started()
  await apply('ap1', network, blocked(bad), blocked('02:00:00:00:00:0c', { until: '2030-01-01T00:00:00Z' }))
  expect(await stations()).toEqual([good])
  expect(await cli('deny_acl', 'SHOW')).toMatch(new RegExp(`^${bad}\\b.*$`))
  await apply('ap1', network)
  expect(await cli('deny_acl', 'SHOW')).toBe('')
  expect(await started()).toBe(before)

  const allowing = (macList: string[]) => ({ ...network, data: { ...network.data, macFilter: 'allow', macList } })
  await apply('ap1', allowing([good, bad]))
  for (const mac of [good, bad]) await cli('new_sta', mac)
  await until(async () => (await stations()).length === 2)
  const filtered = await started()
  await apply('ap1', allowing([good, bad]), blocked(good))
  expect([await stations(), await started()]).toEqual([[bad], filtered])
})

test('private keys come and go while the network stays on the air', async () => {
  const rooms = { ...network, data: { name: 'Rooms', security: 'ppsk' } }
  const key = (id: string) => document('ppsk', id, { key: `key of ${id}`, ssid: rooms.data })
  const file = async () => (await lab.sh('ap1', 'cat /etc/hostapd/lanward-wlan0-ssid.psk')).stdout
  expect(await apply('ap1', rooms)).toContain('privateKeyNone')
  const before = await started()
  await apply('ap1', rooms, key('anna'), key('bert'))
  expect((await file()).match(/key of \w+$/gm)).toEqual(['key of anna', 'key of bert'])
  await apply('ap1', rooms, key('bert'))
  expect((await file()).match(/key of \w+$/gm)).toEqual(['key of bert'])
  expect([await started(), await cli('ping')]).toEqual([before, 'PONG'])
})

test('a limited network holds its rates both ways, also when hostapd begins anew', async () => {
  await apply('ap1', network)
  await lab.sh('ap1', 'ip link set wlan0 master br-lan up')
  const ends = {
    client: (command: string[]) => client(...command),
    server: (command: string[]) => lab.in('gw', command),
  }
  const held = (port: number, way: Way, rate: number) =>
    holds(rate, attempt => measure(ends, '10.77.0.1', port + attempt, way, 5))
  const limit = document('bandwidthRule', 'slow', {
    ...{ target: 'ssid', ssid: network.data, download: '8 Mbps', upload: '2 Mbps' },
  })
  expect(await apply('ap1', network, limit)).not.toContain('ruleWithoutNetwork')
  await until(() => pings('10.77.0.1'))
  await held(5310, 'download', 8)
  await lab.sh('ap1', 'systemctl restart lanward-hostapd@wlan0; tc qdisc del dev wlan0 root')
  await lab.sh('ap1', 'systemctl restart lanward-hostapd@wlan0')
  await until(async () => (await lab.sh('ap1', 'sh /etc/lanward/wifi-queues.sh check')).code === 0)
  await held(5330, 'upload', 2)
  await apply('ap1', network)
  expect((await lab.sh('ap1', 'tc qdisc show; ip link show')).stdout).not.toMatch(/htb|ingress|lwq/)
})

const onOpenwrt = async (...documents: ReturnType<typeof document>[]) => {
  const { blocks } = renderAll(openwrtDriver.renderers, {
    facts: { kind: 'ap', capabilities: ['wifi', 'fw4', 'nftBridge'] },
    observation: {
      takenAt: 0,
      depth: 'full',
      radios: [{ key: 'radio0', name: 'radio0', band: '2g', up: true }],
      networks: [{ name: 'lan', device: 'br-lan' }],
      networkRoles,
    },
    documents: [network, ...documents],
    confirmSeconds: 60,
  })
  const named = /\.ifname='(lw\w+)'/.exec(blocks.map(block => block.text).join('\n'))?.[1] ?? ''
  const files = blocks.filter(block => block.id.endsWith('.nft'))
  expect(files).toHaveLength(1)
  const input = files[0]?.text.replaceAll(named, 'wlan0') ?? ''
  expect((await lab.in('ap1', ['nft', '-f', '-'], { input })).stderr).toBe('')
}

test('what an OpenWrt access point loads stops what it says, and holds its rates, on a bridge', async () => {
  await lab.sh('ap1', 'ip link set wlan0 master br-lan up')
  await until(() => pings('10.77.0.1'))
  await onOpenwrt(rule('no-gateway', { destinations: ['10.77.0.1'] }))
  expect(await pings('10.77.0.1')).toBe(false)
  await until(() => pings('10.77.0.2'))
  await lab.sh('ap1', 'nft flush ruleset')
  const rates = { download: '8 Mbps', upload: '2 Mbps' }
  await onOpenwrt(document('bandwidthRule', 'slow', { target: 'ssid', ssid: network.data, ...rates }))
  const held = (server: 'gw' | 'ap1', address: string, port: number, way: Way, rate: number) =>
    holds(rate, attempt => {
      const ends = {
        client: (command: string[]) => client(...command),
        server: (command: string[]) => lab.in(server, command),
      }
      return measure(ends, address, port + attempt, way)
    })
  // Through the bridge, and into the device itself.
  await until(() => pings('10.77.0.1'))
  await Promise.all([held('gw', '10.77.0.1', 5410, 'download', 8), held('ap1', '10.77.0.3', 5430, 'upload', 2)])
  await lab.sh('ap1', 'nft flush ruleset')
})
