import { and, count, desc, eq, inArray, or } from 'drizzle-orm'
import * as z from 'zod'
import { credentials, deviceEvents, devices } from '@/db/schema'
import { unpairedCount } from '@/server/devices/adoption/discovery'
import { channelsOf } from '@/server/devices/link/channels'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Facts, Interface, LldpNeighbour, Observation } from '@/server/drivers/observation'
import { ranges } from '@/server/history/tiers'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, pageOf, paginate } from '@/server/kernel/lists'
import { networkGroups } from '@/server/networks/groups/groups'
import { networkFor } from '@/server/people/access/access'
import type { DeviceReading } from '@/server/worker/protocol'
import { orderedDevices, tallyOf } from './device-index'
import { countsOf, deviceFilter, isLive, keeping, type SortField, sortFields, statusNames } from './device-query'
import { absencesOf } from './online-time'
import { liveValue, summaryOf, withLive } from './summary'
import { waitingDevices } from './waiting'

const reading = { tag: 'devices', scope: 'network', authority: 'devices', changes: false } as const
const id = z.int().min(1)

/** The device's row; an id of another network answers as if it did not exist. */
export function findDevice({ runtime, network }: Pick<NetworkContext, 'runtime' | 'network'>, device: number) {
  const found = runtime.db
    .select()
    .from(devices)
    .where(and(eq(devices.id, device), eq(devices.network, network.id)))
    .get()
  return found ?? fail('deviceNotFound', { id: device })
}

/** A device that was moved to another network of the asker's: with its name, so that the page can say where it is. */
function refuseElsewhere({ runtime: { db }, network, actor }: NetworkContext, device: number): void {
  const found = db.select({ network: devices.network }).from(devices).where(eq(devices.id, device)).get()
  if (!found || found.network === network.id) return
  const there = networkFor(db, actor, found.network)
  if (there) fail('deviceElsewhere', { id: device, networkId: there.id, network: there.name })
}

const list = call({
  ...reading,
  path: 'devices/list',
  input: z.strictObject({ ...listInput, filter: deviceFilter.optional() }),
  /**
   * {result: DeviceSummary[], total, page, pageSize, counts}; counts are of the whole network. `counts.unpaired`: found by
   * the last search and not adopted; `devices/discover/result` lists them.
   */
  async run({ runtime, network, now }, { page, pageSize, search, sort, filter }) {
    if (sort && !sortFields.includes(sort.field)) failFields({ 'sort.field': 'notAllowed' })
    const fleet = fleetOf(runtime)
    const waiting = filter?.modified ? await waitingDevices(runtime, network.id) : undefined
    const field = (sort?.field ?? 'name') as SortField
    const found = orderedDevices(runtime, network.id, {
      keeps: keeping(() => networkGroups(runtime.db, network.id), filter, waiting),
      text: search?.trim().toLowerCase() ?? '',
      direction: sort?.direction ?? 'asc',
      by: isLive(field) ? row => liveValue(fleet, field, row, now) : field,
    })
    const shown = paginate(found, page, pageSize)
    const counts = { ...countsOf(tallyOf(runtime, network.id)), unpaired: unpairedCount(runtime, network.id) }
    const named = shown.result.map(row => ({ ...withLive(fleet, row, now), statusName: statusNames[row.status] }))
    return { ...shown, result: named, counts }
  },
})

export type InterfaceRow = Interface & { inBps?: number; outBps?: number }
type Shown = Omit<Observation, 'facts' | 'interfaces' | 'hosts' | 'depth'>

/** A device's reading for its page: interfaces carry their rates; what the device did not provide is absent. */
function shown(read: DeviceReading | undefined): Partial<Shown> & { interfaces?: InterfaceRow[] } {
  if (!read?.observation) return {}
  const { facts: _facts, hosts: _hosts, depth: _depth, interfaces, ...rest } = read.observation
  const rates = new Map(read.rates.map(({ key, ...rate }) => [key, rate]))
  return { ...rest, interfaces: interfaces?.map(one => ({ ...one, ...rates.get(one.key) })) }
}

/** Devices of this network among the neighbours that a device tells: by the MAC address or the address they give of themselves. */
function managedAmong(
  { runtime, network }: Pick<NetworkContext, 'runtime' | 'network'>,
  told: readonly LldpNeighbour[],
) {
  const macs = told.flatMap(one => one.chassisId?.toLowerCase() ?? [])
  const addresses = told.flatMap(one => one.managementAddress ?? [])
  if (macs.length + addresses.length === 0) return []
  return runtime.db
    .select({ id: devices.id, name: devices.name, mac: devices.mac, address: devices.address })
    .from(devices)
    .where(and(eq(devices.network, network.id), or(inArray(devices.mac, macs), inArray(devices.address, addresses))))
    .all()
}

const info = call({
  ...reading,
  path: 'devices/info',
  input: z.strictObject({ id }),
  /**
   * Everything known of one device: its summary, `facts`, the last reading (`reading`, absent until the first one),
   * which neighbours are devices of this network (`managed`), the channel by band that its radios get where settings say automatic (`channels`), what can be done with it (`actions`), who undoes a push (`reverts`), the login it uses and how polling goes.
   */
  async run(context, input) {
    const { runtime, now } = context
    refuseElsewhere(context, input.id)
    const row = findDevice(context, input.id)
    const fleet = fleetOf(runtime)
    const read = await fleet.ask('reading', row.id)
    const login = row.credential
      ? runtime.db
          .select({ id: credentials.id, name: credentials.name, type: credentials.type, user: credentials.user })
          .from(credentials)
          .where(eq(credentials.id, row.credential))
          .get()
      : undefined
    const neighbours = read?.observation?.neighbours ?? []
    const summary = summaryOf(runtime, fleet, row.id, now) ?? fail('deviceNotFound', { id: input.id })
    return {
      ...summary,
      hostKey: row.hostKey,
      createdAt: row.createdAt,
      channels: channelsOf(row),
      facts: JSON.parse(row.facts) as Partial<Facts>,
      credential: login ?? null,
      reading: shown(read),
      managed: managedAmong(context, neighbours),
      actions: read?.actions ?? [],
      reverts: read?.reverts ?? 'none',
      polls: read?.polls ?? null,
    }
  },
})

const usage = call({
  ...reading,
  path: 'devices/usage',
  input: z.strictObject({ id, interface: z.string().max(255).optional(), range: z.enum(ranges).default('1d') }),
  /** HistorySeries: columns over time, null = not known then. */
  async run(context, input) {
    const { id: device } = findDevice(context, input.id)
    const { range, interface: port } = input
    const { runtime, now } = context
    const absences = absencesOf(runtime.db, device, now)
    return fleetOf(runtime).ask('history', { of: 'device', device, interface: port, range, now, absences })
  },
})

const traffic = call({
  ...reading,
  path: 'devices/traffic',
  input: z.strictObject({ ids: z.array(id).max(200) }),
  /**
   * Of several devices at once, for the small lines of a list: {id, bps} with the last two hours, in and out together in
   * bit/s, oldest first; null = not known then.
   */
  async run({ runtime, network, now }, { ids }) {
    const own = runtime.db
      .select({ id: devices.id })
      .from(devices)
      .where(and(eq(devices.network, network.id), inArray(devices.id, ids)))
      .all()
    const fleet = fleetOf(runtime)
    const result = await Promise.all(
      own.map(async ({ id: device }) => {
        const { inBps, outBps } = await fleet.ask('history', { of: 'device', device, range: '2h', now })
        return { id: device, bps: inBps.map((value, at) => both(value, outBps[at])) }
      }),
    )
    return { result }
  },
})
const both = (one: number | null, other: number | null | undefined): number | null =>
  one === null && other == null ? null : (one ?? 0) + (other ?? 0)

const eventLog = call({
  ...reading,
  path: 'devices/event-log',
  input: z.strictObject({ id, page: listInput.page, pageSize: listInput.pageSize }),
  /** Newest first; `code` is a key of events.json. */
  run(context, input) {
    const { id: device } = findDevice(context, input.id)
    const { db } = context.runtime
    const own = eq(deviceEvents.device, device)
    const total = db.select({ n: count() }).from(deviceEvents).where(own).get()?.n ?? 0
    const { page, offset } = pageOf(total, input.page, input.pageSize)
    const rows = db
      .select()
      .from(deviceEvents)
      .where(own)
      .orderBy(desc(deviceEvents.id))
      .limit(input.pageSize)
      .offset(offset)
      .all()
    const result = rows.map(row => ({
      id: row.id,
      at: row.at,
      code: row.code,
      values: JSON.parse(row.values) as Record<string, string | number>,
    }))
    return { result, total, page, pageSize: input.pageSize }
  },
})

const sync = call({
  ...reading,
  path: 'devices/sync',
  topics: ['devices'],
  changes: true,
  changelog: 'looks',
  send: 'each',
  input: z.strictObject({ id }),
  /** Reads the device now; answers when that is done, or with the reason why not. */
  async run(context, input) {
    const device = findDevice(context, input.id)
    await fleetOf(context.runtime).ask('observeNow', device.id).catch(failDevice)
    return { at: Date.now() }
  },
})

export const deviceCalls = [list, info, usage, traffic, eventLog, sync] as const
