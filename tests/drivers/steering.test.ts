import type { DesiredDocument, NativeBlock } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { steeringRenderer as linux } from '@/server/drivers/linux/steering'
import type { Observation } from '@/server/drivers/observation'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { parseShow } from '@/server/drivers/openwrt/push'
import { steeringRenderer as openwrt } from '@/server/drivers/openwrt/steering'
import { startSshServer } from './ssh-server'

const document = (kind: string, id: string, data: object): DesiredDocument => ({
  id,
  kind,
  name: '',
  data: { ...data },
})
const ssid = (name: string, more: object = {}) => document('ssid', name, { name, security: 'open', ...more })
const seen: Observation = { takenAt: 0, depth: 'full', networks: [{ name: 'lan', device: 'br-lan' }] }
const input = (data: object, documents: DesiredDocument[], capabilities = ['wifi', 'usteer'], observation = seen) => ({
  facts: { kind: 'ap' as const, capabilities },
  observation,
  documents: [document('steering', 'steering', data), ...documents],
  windowSeconds: 90,
})
type More = { documents?: DesiredDocument[]; capabilities?: string[]; seen?: Observation }
const render = (data: object, { documents = [ssid('Harbour')], capabilities, seen }: More = {}) =>
  openwrt.render(input({ enabled: true, ...data }, documents, capabilities, seen))
const codes = (made: { warnings: { code: string }[] }) => made.warnings.map(one => one.code)

test('W8, W9: one section for all networks that are on, with the thresholds in dBm and clients; read back as planned', () => {
  const documents = [ssid("It's b"), ssid('a'), ssid('off', { enabled: false })]
  const made = render({ roamingThreshold: -80, clientThreshold: 100 }, { documents })
  const [block] = made.blocks as [NativeBlock]
  expect([codes(made), made.blocks.length, block.kind, block.document]).toEqual([[], 1, 'steering', 'steering'])
  expect(block.text.split('\n')).toEqual([
    'usteer.lw_steering=usteer',
    "usteer.lw_steering.enabled='1'",
    "usteer.lw_steering.network='lan'",
    "usteer.lw_steering.ssid_list='It'\\''s b' 'a'",
    "usteer.lw_steering.roam_scan_snr='-80'",
    "usteer.lw_steering.roam_scan_timeout='60000'",
    "usteer.lw_steering.roam_trigger_snr='-80'",
    "usteer.lw_steering.signal_diff_threshold='10'",
    "usteer.lw_steering.load_kick_enabled='1'",
    "usteer.lw_steering.load_kick_min_clients='100'",
  ])
  expect(parseShow(block.text).blocks.map(one => one.text)).toEqual([block.text])
})

test('without a client threshold nobody is disconnected for a busy channel; switched off, nothing is written', () => {
  const [block] = render({}).blocks as [NativeBlock]
  expect(block.text).toContain("roam_trigger_snr='-75'")
  expect(block.text).toContain("load_kick_enabled='0'")
  expect(block.text).not.toContain('load_kick_min_clients')
  expect(render({ enabled: false })).toEqual({ blocks: [], warnings: [] })
  expect(render({}, { documents: [] })).toEqual({ blocks: [], warnings: [] })
})

test.each<[string, More]>([
  ['needs.usteer', { capabilities: ['wifi'] }],
  ['networkMissing', { seen: { ...seen, networks: [] } }],
])('is left out, and says why: %s', (code, more) => {
  const made = render({}, more)
  expect([codes(made), made.blocks]).toEqual([[code], []])
})

test('a device with Debian is left out, and says so', () => {
  expect([linuxDriver.renderers, driver.renderers]).toEqual([
    expect.arrayContaining([linux]),
    expect.arrayContaining([openwrt]),
  ])
  expect(codes(linux.render(input({ enabled: true }, [])))).toEqual(['steeringOpenwrt'])
  expect(codes(linux.render(input({ enabled: false }, [])))).toEqual([])
})

test('what somebody changed of it on the device can be taken into the settings', () => {
  const [planned] = render({ clientThreshold: 20 }).blocks as [NativeBlock]
  const [changed] = render({ roamingThreshold: -66 }).blocks as [NativeBlock]
  expect(openwrt.adopt?.(changed, planned, [])).toEqual([
    { document: 'steering', fields: { roamingThreshold: -66, clientThreshold: undefined } },
  ])
})

test('a push is proven by what the running service says', async () => {
  let asked = 0
  const server = await startSshServer({
    auth: ({ method }) => method === 'none',
    exec(line) {
      if (line === 'ubus list') return { stdout: 'system\nusteer\n' }
      if (line.includes('get_config')) return { stdout: JSON.stringify({ roam_trigger_snr: ++asked > 1 ? -75 : 0 }) }
      return { stdout: '{}' }
    },
  })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  const problems = await driver.selfCheck(session, render({}))
  driver.close(session)
  await server.close()
  expect([problems, asked]).toEqual([[], 2])
})
