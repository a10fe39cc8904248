import { adoptBlock, assess, type Reading, renderAll, unfit, uplinks } from '@/server/drivers/assess'
import type { DesiredDocument, NativeBlock, Renderer, RenderInput } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { wifiRenderer } from '@/server/drivers/linux/wifi/wifi'
import type { Facts, Observation } from '@/server/drivers/observation'
import { wifiRenderer as openwrtWifi } from '@/server/drivers/openwrt/wifi/wifi'
import { renderOnce } from '@/server/drivers/render-once'
import { readPath } from '@/server/drivers/unix/path'
import { networkRoles } from './_network-roles'

const facts: Facts = { kind: 'ap', capabilities: ['systemd', 'hostapd', 'root', 'wifi'] }
const observation: Observation = {
  takenAt: 0,
  depth: 'full',
  facts,
  interfaces: [{ key: 'eth0', name: 'eth0', type: 'ethernet', mac: '02:00:00:00:00:01' }],
  radios: [{ key: 'wlan0', name: 'wlan0', interface: 'wlan0', bridge: 'br0', band: '2g', country: 'PT', maxBss: 4 }],
  networks: [{ name: 'lan', device: 'br-lan' }],
  networkRoles,
  bss: [{ key: 'b', radio: 'wlan0', ssid: 'Café', interface: 'wlan0', up: true }],
  stations: [
    { mac: '02:00:00:00:01:01', ssid: 'Café' },
    { mac: '02:00:00:00:01:02', ssid: 'Café' },
  ],
}
const ssid = (id: string, name: string, more = {}) => ({
  id,
  kind: 'ssid',
  name,
  data: { name, security: 'wpa2', key: 'correct horse', bands: ['2g'], ...more },
})
const documents = [ssid('1', 'Café'), ssid('2', 'Staff "1"', { hidden: true })]
const input = { facts, observation, documents, confirmSeconds: 90 }
const equal = linuxDriver.equal
const conf = (renderer: Renderer, of = documents) =>
  renderer.render({ ...input, documents: of }).blocks.filter(block => block.text.includes('ssid')) as NativeBlock[]

test('a changed network names who is on it, and is harmless to a manager that comes in by cable', () => {
  const before = wifiRenderer.render(input)
  const next = wifiRenderer.render({ ...input, documents: [ssid('1', 'Café', { dtim: 3 })] })
  const wired = { ...observation, path: { peer: '10.0.0.2', local: '10.0.0.1', interface: 'br0', port: 'eth0' } }
  expect(assess(linuxDriver, before, next, wired, () => [])).toEqual({
    cuts: [],
    interrupted: [{ ssid: 'Café', devices: [], clients: 2 }],
  })
  expect(assess(linuxDriver, before, before, wired, () => [])).toEqual({ cuts: [], interrupted: [] })
})

test('a manager that comes in by the radio is told which block cuts it', () => {
  const next = wifiRenderer.render(input)
  const wireless = { ...observation, path: { peer: '10.0.0.2', local: '10.0.0.1', interface: 'br0', port: 'wlan0' } }
  expect(assess(linuxDriver, { blocks: [] }, next, wireless, () => []).cuts).toEqual([
    {
      ...{ code: 'interface', values: { interface: 'wlan0' } },
      ...{ block: 'file:/etc/hostapd/lanward-wlan0.conf', kind: 'ssid', document: undefined },
    },
  ])
})

const sw: Observation = {
  takenAt: 0,
  depth: 'full',
  interfaces: [{ key: '3', name: 'ge3', type: 'ethernet' }],
  ports: [{ number: 3, interface: '3', label: '3' }],
  neighbours: [{ localPort: '3', chassisId: '02:00:00:00:00:01' }],
  hosts: [
    { mac: '02:00:00:00:00:01', port: '3', source: 'fdb' },
    { mac: '02:00:00:00:01:01', port: '3', source: 'both' },
  ],
  path: { peer: '10.0.0.2', local: '10.0.0.3', interface: '9', port: '9' },
}
const ap: Reading = { id: 2, name: 'AP lobby', address: '10.0.0.9', observation }

test('a port that is touched names the device behind it, its networks and clients', () => {
  const ports: Renderer = {
    kinds: ['portProfile'],
    render: () => ({ blocks: [], warnings: [] }),
    interrupts: block => ({ interfaces: [block.id] }),
    cuts: () => [{ code: 'interface', block: '3', values: { interface: 'ge3' } }],
  }
  const driver = { renderers: [ports], equal }
  const said = assess(driver, { blocks: [] }, { blocks: [{ id: '3', text: 'off' }] }, sw, () => [ap])
  expect(said.interrupted).toEqual([{ port: '3', devices: [{ name: 'AP lobby', ssids: 1, clients: 2 }], clients: 2 }])
  expect(said.cuts).toHaveLength(1)
})

test('the neighbour on the way to the manager is what a device hangs on', () => {
  const behind: Reading = {
    ...ap,
    observation: {
      ...observation,
      path: { peer: '10.0.0.2', local: '10.0.0.9', interface: 'br0', port: 'eth0' },
      neighbours: [{ localPort: 'eth0', systemName: 'sw1' }],
    },
  }
  expect(uplinks([{ id: 1, name: 'sw1', address: '10.0.0.3', observation: sw }, behind])).toEqual([[2, 1]])
})

describe.each([
  ['linux', wifiRenderer],
  ['openwrt', openwrtWifi],
])('%s', (_name, renderer) => {
  const driver = { renderers: [renderer], equal }
  const edited = (from: RegExp, to: string) => {
    const block = conf(renderer).find(one => from.test(one.text)) as NativeBlock
    return { ...block, text: block.text.replace(from, to) }
  }
  test.each([
    ['name', /(ssid2="|ssid=')Staff/, '$1Crew', { name: 'Crew "1"' }],
    ['key', /correct horse(?!.*correct horse)/s, 'battery 2', { key: 'battery 2' }],
    ['isolation', /(ap_isolate=|isolate=')0(?![\s\S]*isolate)/, '$11', { isolation: true }],
    ['dtim', /(dtim_period='?)2(?![\s\S]*dtim)/, '$15', { dtim: 5 }],
  ])('a %s that was changed on the device is told as a field', (_field, from, to, fields) => {
    const adopted = adoptBlock(driver, input, edited(from, to))
    expect(adopted).toMatchObject([{ document: expect.stringMatching(/^[12]$/), fields }])
    expect(Object.keys(adopted?.[0]?.fields ?? {})).toEqual(Object.keys(fields))
  })
  test('what settings cannot say is not taken over', () => {
    expect(adoptBlock(driver, input, edited(/dtim_period='?2'?/, 'wds_sta=1'))).toBeUndefined()
    expect(adoptBlock(driver, input, edited(/(dtim_period='?)2/, '$177'))).toBeUndefined()
  })
})

test('a name in escapes comes back as it was', () => {
  const block = conf(wifiRenderer, [ssid('1', 'Ünï "x"')])[0] as NativeBlock
  const renamed = conf(wifiRenderer, [ssid('1', 'Ŷ🛜')])[0] as NativeBlock
  const of = [ssid('1', 'Ünï "x"')]
  expect(adoptBlock({ renderers: [wifiRenderer], equal }, { ...input, documents: of }, renamed)).toEqual([
    { document: '1', fields: { name: 'Ŷ🛜' } },
  ])
  expect(block.text).not.toBe(renamed.text)
})

test('a device without radios cannot do Wi-Fi, and nobody can do what no driver knows', () => {
  expect(unfit([wifiRenderer], facts, ['ssid', 'vpn', 'vpn'])).toEqual(['vpn'])
  expect(unfit([wifiRenderer], { kind: 'gateway', capabilities: [] }, ['ssid'])).toEqual(['ssid'])
})

test.each([
  ['on a bridge', '10.0.0.2 5 10.0.0.1 22', '10.0.0.2 dev br0 src 10.0.0.1', 'br0', 'eth1'],
  ['routed', '192.0.2.9 5 10.0.0.1 22', '192.0.2.9 via 10.0.0.2 dev br0 src 10.0.0.1', 'br0', 'eth1'],
  ['without ip', '10.0.0.2 5 10.0.0.1 22', undefined, 'br0', 'eth1'],
  ['by a link-local address', 'fe80::2%br0 5 fe80::1%br0 22', 'fe80::2 dev br0', 'br0', 'br0'],
])('the way in, %s', (_name, connection, route, name, port) => {
  const interfaces = [
    { key: 'br0', name: 'br0', type: 'bridge' as const, addresses: ['10.0.0.1/24'] },
    { key: 'eth1', name: 'eth1', type: 'ethernet' as const },
  ]
  const hosts = [{ mac: '02:00:00:00:00:0a', address: '10.0.0.2', port: 'eth1', source: 'both' as const }]
  expect(readPath(connection, route, interfaces, hosts)).toMatchObject({ interface: name, port })
})

test('no way in is made up', () => {
  expect(readPath('', undefined, [])).toBeUndefined()
  expect(readPath('$(reboot) 1 2 3', undefined, [])).toBeUndefined()
})

test('a renderer that others ask works once for a plan, and anew for another', () => {
  const worked = jest.fn((input: RenderInput) => ({
    blocks: input.documents.map(one => ({ id: one.id, text: String(one.data.vlan) })),
    warnings: [],
  }))
  const first: Renderer = { kinds: ['lan'], render: worked }
  const asks = (input: RenderInput) => ({
    blocks: [],
    warnings: [],
    slowSeconds: renderOnce(first, input).blocks.length,
  })
  const renderers: Renderer[] = [
    { kinds: ['lan', 'wan'], render: asks },
    first,
    { kinds: ['wan', 'lan'], render: asks },
  ]
  const lan = (vlan: number) => ({ id: 'a', kind: 'lan', name: 'a', data: { vlan } })
  const plan = (...of: DesiredDocument[]) => renderAll(renderers, { ...input, documents: of })
  expect(plan(lan(20), { ...lan(1), kind: 'wan' })).toMatchObject({ blocks: [{ text: '20' }], slowSeconds: 1 })
  expect(worked).toHaveBeenCalledTimes(1)
  expect(plan(lan(30)).blocks).toEqual([{ id: 'a', text: '30' }])
  expect(plan().blocks).toEqual([])
  expect(worked).toHaveBeenCalledTimes(3)
})
