import type { NativeBlock, Renderer, RenderInput } from '@/server/drivers/driver'
import { wifiRenderer as linux } from '@/server/drivers/linux/wifi'
import { wifiRenderer as openwrt } from '@/server/drivers/openwrt/wifi'

// What somebody changed on the device reads as the very fields that would have written it.

const base = {
  name: 'Harbour',
  security: 'wpa2',
  key: 'harbour1234',
  macFilter: 'block',
  macList: ['02:00:00:00:00:01'],
}
const document = (data: object) => ({ id: '1', kind: 'ssid', name: 'Harbour', data: { ...base, ...data } })
const input: Omit<RenderInput, 'documents'> = {
  facts: { kind: 'ap', capabilities: ['systemd', 'hostapd', 'wifi', 'root'], mac: '02:00:5e:10:00:01' },
  observation: {
    takenAt: 0,
    depth: 'full',
    radios: [
      { key: 'radio0', name: 'radio0', band: '2g', driver: 'nl80211', interface: 'wlan0', country: 'DE', up: true },
    ],
    networks: [{ name: 'lan', device: 'br-lan' }],
  },
  windowSeconds: 60,
}

function readBack(renderer: Renderer, data: object): Record<string, unknown> {
  const before = renderer.render({ ...input, documents: [document({})] }).blocks
  const after = new Map(
    renderer.render({ ...input, documents: [document(data)] }).blocks.map(block => [block.id, block]),
  )
  const changed = before.filter(block => after.get(block.id)?.text !== block.text)
  expect(changed).not.toHaveLength(0)
  const told = changed.flatMap(
    block => renderer.adopt?.(after.get(block.id) as NativeBlock, block, [document({})]) ?? [],
  )
  expect(new Set(told.map(one => one.document))).toEqual(new Set(['1']))
  return Object.assign({}, ...told.map(one => one.fields))
}

const changes: object[] = [
  { name: 'It\'s "é" \\ $(id)' },
  { key: 'another key 1' },
  { key: '0123456789abcdef'.repeat(4) },
  { security: 'wpa2wpa3' },
  { security: 'wpa3' },
  { security: 'wep', key: '0123456789' },
  { hidden: true },
  { isolation: true },
  { dtim: 9 },
  { maxClients: 12 },
  { stationTimeout: 61 },
  { neighborReports: true },
  { transitionManagement: true },
  { fastRoaming: true },
  { macList: ['02:00:00:00:00:01', '02:00:00:00:00:02'] },
]

describe.each([
  ['linux', linux],
  ['openwrt', openwrt],
] as const)('%s', (_name, renderer) => {
  test.each(changes)('%j', data => expect(readBack(renderer, data)).toEqual(data))
})
