// Fields of a device's own settings that the device decides itself: told with the settings, refused at the field.
import { devices } from '@/db/schema'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Driver } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import type { DeviceRole, Observation } from '@/server/drivers/observation'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let owner: Browser
let seen: { kind: DeviceRole; more: Partial<Observation> }
const bridge = { key: 'br0', name: 'br0', type: 'bridge' as const, adminUp: true, up: true, openvswitch: true }
const observed = (): Observation => ({
  ...{
    takenAt: Date.now(),
    depth: 'full',
    interfaces: [bridge],
    path: { peer: '192.0.2.9', local: '192.0.2.1', interface: 'br0' },
  },
  facts: { kind: seen.kind, capabilities: ['root', 'systemd'] },
  ...seen.more,
})
/** The Linux driver upon a device that is what `seen` says. */
const driver = {
  ...(linuxDriver as Driver<unknown>),
  connect: async () => ({}),
  close: () => undefined,
  facts: async () => observed().facts,
  observe: async () => observed(),
} as Driver<unknown>

async function adopted(as: typeof seen): Promise<number> {
  seen = as
  const login = insertCredential(
    one.runtime,
    { organization: 1, network: 1 },
    { type: 'ssh', user: 'root', password: 'x' },
  )
  const own = { organization: 1, network: 1, name: 'sw', address: '192.0.2.1', port: 22, driver: 'linux' as const }
  const { id } = one.runtime.db
    .insert(devices)
    .values({ ...own, kind: as.kind, credential: login, status: 0, statusAt: 0, createdAt: 0 })
    .returning({ id: devices.id })
    .get()
  return id
}
const read = async (id: number) => {
  fleetOf(one.runtime).upsert(id)
  await fleetOf(one.runtime).ask('observeNow', id)
}
type View = { locked: Record<string, string>; revision: number; own: object }
const view = async (scope: object) => (await owner.post('settings/system/get', { scope })).data as unknown as View
const save = async (device: number, fields: object) =>
  owner.post('settings/system/save', { scope: { device }, revision: (await view({ device })).revision, ...fields })

beforeEach(async () => {
  one = await startTestManager({
    starters: [
      fleetInProcess({ drivers: () => driver, pollMs: 3_600_000 }),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)), 60)
      },
    ],
  })
  owner = await finishedWizard(one)
})
afterEach(() => one.stop())

test.each<[string, typeof seen, object]>([
  [
    'N18: of a lease with option 43',
    { kind: 'switch', more: { managementByDhcp: true } },
    { managementVlan: 'byDhcp' },
  ],
  ['of a gateway', { kind: 'gateway', more: {} }, { managementVlan: 'gateway' }],
  ['without a bridge of VLANs', { kind: 'ap', more: { interfaces: [] } }, { managementVlan: 'unable' }],
  ['open on a switch', { kind: 'switch', more: {} }, {}],
])('the management VLAN, %s', async (_name, as, locked) => {
  const id = await adopted(as)
  await read(id)
  expect((await view({ device: id })).locked).toEqual(locked)
  expect((await view({})).locked).toEqual({})
  const answer = await save(id, { managementVlan: 20 })
  if (!('managementVlan' in locked)) return expect(answer).toMatchObject({ retCode: 0 })
  expect(answer.data).toMatchObject({ fields: { managementVlan: 'locked' } })
  expect(await save(id, { hostname: 'other' })).toMatchObject({ retCode: 0 })
})

test('N18: what stood there before the lock keeps its value and can be taken back', async () => {
  const id = await adopted({ kind: 'switch', more: {} })
  await read(id)
  expect(await save(id, { managementVlan: 20 })).toMatchObject({ retCode: 0 })
  seen = { kind: 'switch', more: { managementByDhcp: true } }
  await read(id)
  expect((await save(id, { managementVlan: 21 })).data).toMatchObject({ fields: { managementVlan: 'locked' } })
  expect(await save(id, { managementVlan: 20, hostname: 'sw' })).toMatchObject({ retCode: 0 })
  expect(await save(id, { hostname: 'sw' })).toMatchObject({ retCode: 0 })
  expect((await view({ device: id })).own).toEqual({ hostname: 'sw' })
})
