// Since when something needs a person, and what of it comes first.
import { devices } from '@/db/schema'
import { byUrgency, type Urgency } from '@/model/urgency'
import { heightOf } from '@/server/devices/incidents/high'
import { watchLevels } from '@/server/devices/incidents/levels'
import { urgencyOf } from '@/server/devices/inventory/device-index'
import { createFleet, fleetOf, fleetPart } from '@/server/devices/link/fleet'
import { applyStates, markUnwatched } from '@/server/devices/link/states'
import type { WanState } from '@/server/drivers/wan'
import { sinceAll } from '@/server/insight/dashboard/notices'
import { startBackups } from '@/server/manager/backups/schedule'
import { backupState } from '@/server/manager/backups/state'
import { raiseAlert } from '@/server/notify/alerts/raise'
import type { StateChange } from '@/server/worker/protocol'
import { inProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

test.each([
  ['nothing', [], {}],
  ['one', [{ since: 5 }], { since: 5 }],
  ['several: the first of them', [{ since: 5 }, { since: 3 }], { since: 3 }],
  ['one of which it is not known', [{}], {}],
  ['several, one of which it is not known', [{ since: 5 }, {}], {}],
] as const)('since when, of %s', (_, of, since) => {
  expect(sinceAll(of)).toEqual(since)
})

test('what is worse comes first, of the same the newest, and last what began nobody knows when', () => {
  const [old, fresh, unknown]: Urgency[] = [
    { level: 'warning', since: 1 },
    { level: 'warning', since: 9 },
    { level: 'warning' },
  ]
  const [down, downLong]: Urgency[] = [
    { level: 'critical', since: 3 },
    { level: 'critical', since: 2 },
  ]
  const all = [unknown, old, downLong, fresh, down] as Urgency[]
  expect(all.toSorted(byUrgency)).toEqual([down, downLong, fresh, old, unknown])
})

test.each([
  ['low', 89, undefined, 'low'],
  ['high at the bound, and low before: from now on', 90, 'low', 7],
  ['high, and so since before', 99, 3, 3],
  ['high at the first look', 90, undefined, 'before'],
  ['high since before the first look', 90, 'before', 'before'],
  ['low again', 0, 3, 'low'],
  ['not told any more', undefined, 3, undefined],
] as const)('a value that is %s', (_, value, before, after) => {
  expect(heightOf(value, 90, before, 7)).toBe(after)
})

const well = { status: 1, statusAt: 1, reason: '', reasonAt: undefined, seenAt: 5, openLogin: false } as const
test.each([
  ['offline', { ...well, status: 0, statusAt: 8, reason: 'timeout', reasonAt: 6 }, { level: 'critical', since: 8 }],
  ['silent: since its last answer', { ...well, reason: 'timeout', reasonAt: 6 }, { level: 'warning', since: 5 }],
  ['silent, and never heard', { ...well, reason: 'closed', seenAt: undefined }, { level: 'warning' }],
  ['not to be read as a whole', { ...well, reason: 'malformed', reasonAt: 6 }, { level: 'warning', since: 6 }],
  ['so since nobody knows when', { ...well, reason: 'malformed' }, { level: 'warning' }],
  ['open to everybody', { ...well, openLogin: true, reasonAt: 6 }, { level: 'warning' }],
] as const)('a device that is %s', (_, device, urgency) => {
  expect(urgencyOf(device as Parameters<typeof urgencyOf>[0])).toEqual(urgency)
})

describe('the call', () => {
  let one: Manager
  let browser: Browser
  let ids: { gw: number; ap: number; sw: number }
  beforeEach(async () => {
    one = await startTestManager({
      starters: [runtime => fleetPart.start(runtime, createFleet(runtime, inProcess()))],
    })
    browser = await finishedWizard(one)
    const insert = (name: string, kind: 'gateway' | 'ap' | 'switch', at: number) => {
      const place = { organization: 1, network: 1, address: `192.0.2.${at}`, port: 22, driver: 'linux', kind }
      const row = { ...place, name, status: 1, statusAt: 1, createdAt: 1 }
      return one.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get().id
    }
    ids = { gw: insert('gw', 'gateway', 1), ap: insert('ap', 'ap', 2), sw: insert('sw', 'switch', 3) }
  })
  afterEach(() => one.stop())

  const tell = (id: number, at: number, more: Partial<StateChange> = {}) =>
    applyStates(one.runtime, [{ id, at, status: 1, reason: '', events: [], ...more }])
  const ways = (at: number, wans: Record<string, WanState>) => tell(ids.gw, at, { wans })
  type Health = {
    state: string
    trouble: { name: string; level: string; since?: number }[]
    notices: { code: string; level: string; since?: number; count: number; names?: string[] }[]
  }
  const health = async () => (await browser.post('dashboard/health')).data as Health
  const notice = async (code: string) => (await health()).notices.find(one => one.code === code)

  test('a way to the internet is offline or degraded since its turn, until it is online', async () => {
    ways(1000, { eth0: 'online', eth1: 'online' })
    expect(await health()).toMatchObject({ state: 'ok', notices: [] })
    ways(2000, { eth0: 'offline', eth1: 'online' })
    const offline = { code: 'wanOffline', level: 'critical', count: 1, names: ['eth0'], since: 2000 }
    expect(await health()).toMatchObject({ state: 'critical', notices: [offline, { code: 'alerts', since: 2000 }] })
    ways(3000, { eth0: 'offline', eth1: 'degraded' })
    const degraded = { code: 'wanDegraded', level: 'warning', count: 1, names: ['eth1'], since: 3000 }
    expect((await health()).notices).toMatchObject([offline, degraded, { code: 'alerts', since: 2000 }])
    ways(4000, { eth0: 'offline', eth1: 'offline' })
    expect(await notice('wanOffline')).toMatchObject({ count: 2, names: ['eth1', 'eth0'], since: 2000 })
    ways(5000, { eth0: 'online', eth1: 'online' })
    expect((await health()).notices.map(one => one.code)).toEqual(['alerts'])
  })

  test('of a gateway that is not heard nothing is said of its ways', async () => {
    ways(1000, { eth0: 'offline' })
    expect(await notice('wanOffline')).toBeDefined()
    markUnwatched(one.runtime, () => undefined)
    expect(await notice('wanOffline')).toBeUndefined()
  })

  test('devices: offline before what cannot be read, each since when', async () => {
    tell(ids.sw, 1000, { reason: 'malformed' })
    tell(ids.sw, 1500, { reason: 'malformed' })
    tell(ids.ap, 2000, { status: 0, reason: 'timeout' })
    tell(ids.gw, 3000, { status: 0, reason: 'timeout' })
    const found = async () => (await health()).trouble.map(({ name, level, since }) => [name, level, since])
    expect(await found()).toEqual([
      ['gw', 'critical', 3000],
      ['ap', 'critical', 2000],
      ['sw', 'warning', 1000],
    ])
    tell(ids.sw, 4000)
    expect((await found()).map(([name]) => name)).toEqual(['gw', 'ap'])
    // Nobody watched meanwhile: that it cannot be read may have begun at any time.
    markUnwatched(one.runtime, () => undefined)
    tell(ids.sw, 5000, { reason: 'malformed' })
    expect((await found()).at(-1)).toEqual(['sw', 'warning', undefined])
  })

  test('load: since it was seen to rise, and of one device that was high from the first look nothing', async () => {
    const fleet = fleetOf(one.runtime)
    const look = (at: number, load: Record<'gw' | 'ap', number>) => {
      for (const name of ['gw', 'ap'] as const) fleet.live.set(fleet.rowOf(ids[name]), { cpuPercent: load[name] })
      watchLevels(one.runtime, at)
    }
    look(1000, { gw: 20, ap: 20 })
    look(2000, { gw: 90, ap: 20 })
    look(3000, { gw: 91, ap: 95 })
    expect(await notice('cpu')).toMatchObject({ level: 'warning', count: 2, since: 2000 })
    look(4000, { gw: 20, ap: 95 })
    expect(await notice('cpu')).toMatchObject({ count: 1, since: 3000 })
    markUnwatched(one.runtime, () => undefined)
    watchLevels(one.runtime, 5000)
    tell(ids.ap, 6000)
    look(7000, { gw: 20, ap: 95 })
    expect(await notice('cpu')).not.toHaveProperty('since')
  })

  test('alerts: since the oldest that is unread; a backup: since it was made', async () => {
    for (const at of [3000, 2000]) raiseAlert(one.runtime, { type: 'workerRestarted', values: { error: 'x' }, at })
    expect(await notice('alerts')).toMatchObject({ count: 2, since: 2000 })
    const lastProven = { name: 'x.tar.gz', at: 4000, documents: 0, devices: 0, portable: false }
    backupState.change(one.runtime.db, { lastProven })
    startBackups(one.runtime)
    expect((await health()).notices).toMatchObject([
      { code: 'backups', since: 4000 },
      { code: 'alerts', since: 2000 },
    ])
  })
})
