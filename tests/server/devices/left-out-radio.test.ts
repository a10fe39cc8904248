// What an access point's own driver plans of the networks it is given, and who is told of those it has no room for.
import { eq } from 'drizzle-orm'
import { credentials, devices, networks } from '@/db/schema'
import { networkOutlook } from '@/server/devices/change/overview/outlook'
import { engineOf } from '@/server/devices/change/plan/plan'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { sealCredential } from '@/server/devices/link/credential-store'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Radio } from '@/server/drivers/observation'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { takesAll } from '../_takes-all'

/** `radio`: the only one that it has. */
const accessPoint = (radio: Partial<Radio>) =>
  takesAll(() => ({
    facts: { kind: 'ap', capabilities: ['wifi', 'systemd', 'hostapd', 'root'] },
    radios: [{ key: 'wlan0', name: 'wlan0', interface: 'wlan0', bridge: 'br0', up: true, ...radio }],
  }))

let manager: Manager
let browser: Browser
let id: number
afterEach(() => manager.stop())

async function begin(radio: Partial<Radio>): Promise<void> {
  manager = await startTestManager({
    starters: [
      fleetInProcess({ drivers: () => accessPoint(radio) }),
      async runtime => void (await startChange(runtime, changeTransport(fleetOf(runtime)), 300)),
    ],
  })
  browser = await finishedWizard(manager)
  const { db } = manager.runtime
  const network = db.select().from(networks).get()
  const own = { organization: network?.organization ?? 0, network: network?.id ?? 0, name: 'ap1' }
  const login = { ...own, type: 'ssh' as const, user: 'root', secret: '', createdAt: 0, changedAt: 0 }
  const row = db.insert(credentials).values(login).returning({ id: credentials.id }).get()
  const secret = sealCredential(manager.runtime, row.id, { type: 'ssh', user: 'root', password: 'x' })
  db.update(credentials).set({ secret }).where(eq(credentials.id, row.id)).run()
  const place = { address: '192.0.2.1', port: 22, driver: 'linux' as const, kind: 'ap' as const, credential: row.id }
  const device = { ...own, ...place, status: 3, statusAt: 0, createdAt: 0 }
  id = db.insert(devices).values(device).returning({ id: devices.id }).get().id
  fleetOf(manager.runtime).upsert(id)
  await fleetOf(manager.runtime).ask('observeNow', id)
  manager.runtime.bus.emit({ topic: 'devices' })
}

const ok = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  if (answer.retCode !== 0) throw new Error(`${path}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
  return answer.data
}
const save = (name: string, more: object = {}) => ok('settings/ssid/save', { name, security: 'open', ...more })
async function push(): Promise<void> {
  const { jobId } = await ok('devices/push', { deviceIds: [id] })
  const done = await until(async () => {
    const result = (await ok('devices/push/result', { jobId })) as { state: string; devices: { state: string }[] }
    return result.state === 'running' ? undefined : result.devices
  })
  expect(done).toMatchObject([{ state: 'applied' }])
}

test.each<[string, Partial<Radio>, object, object]>([
  [
    'that takes one network',
    { maxBss: 1, driver: 'none' },
    {},
    { code: 'bssLimit', values: { ssid: 'Second', radio: 'wlan0', max: 1 } },
  ],
  [
    'of another band',
    { band: '2g', driver: 'nl80211', country: 'DE' },
    { bands: ['5g'] },
    { code: 'ssidBand', values: { ssid: 'Second', bands: '5 GHz' } },
  ],
])('a network that finds no place on a radio %s is named wherever it is asked for', async (_what, radio, more, why) => {
  await begin(radio)
  await save('First')
  await push()
  expect(await ok('changes/list')).toMatchObject({ total: 0, devices: [], leftOut: 0 })
  const second = await save('Second', more)
  expect(await ok('changes/list')).toMatchObject({ total: 0, devices: [], leftOut: 1 })
  const reason = { ...why, effect: 'out', count: 1, devices: [{ id, name: 'ap1' }] }
  const told = [
    { id: second.id, kind: 'ssid', name: 'Second', given: true, of: 1, on: 0, partly: 0, reasons: [reason] },
  ]
  expect((await ok('changes/left-out/list')).result).toEqual(told)
  expect((await ok('changes/left-out/list', { kind: 'ssid' })).result).toEqual(told)
  expect((await ok('devices/left-out/list', { deviceId: id })).result).toMatchObject([
    { document: second.id, name: 'Second', effect: 'out', ...why },
  ])
  expect((await ok('devices/push/preview', { deviceId: id })).warnings).toContainEqual(
    expect.objectContaining({ ...why, document: second.id }),
  )
  expect((await networkOutlook(engineOf(manager.runtime), 1))?.leftOut).toBe(1)
})
