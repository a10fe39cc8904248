import { and, eq, inArray, sql } from 'drizzle-orm'
import { devices, networks } from '@/db/schema'
import type { Data } from '@/model/kind'
import type { Band } from '@/model/wifi/channels'
import { radio } from '@/model/wifi/radio'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { isDamaged, openRow } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'
import { networkGroups, pathOf } from '@/server/networks/groups/groups'
import { type Allowed, allowedIn } from '@/server/networks/settings/regulatory'
import { singleRows } from '@/server/networks/settings/singles'
import type { LiveRadio } from '@/server/worker/live-radios'
import { chooseChannel, isQuiet } from './channel-choice'

// The channel that each access point keeps, by band, for where settings say automatic. It is chosen once and stays, so
// that one more access point changes none of the others. What a push left is not touched by choosing: a device that took
// one gets a channel only with a push that changes it anyway, and then the one it is on.

const bands = ['2g', '5g', '6g'] as const
export type Channels = { [band in Band]?: number }
export const channelsOf = ({ channels }: { channels: string }): Channels => JSON.parse(channels)

/** What the radios of a device are on, as its last reading has it. */
export type SeenRadios = (device: number) => readonly LiveRadio[]

const columns = {
  id: devices.id,
  organization: devices.organization,
  group: devices.group,
  driver: devices.driver,
  kind: devices.kind,
  channels: devices.channels,
  // The facts themselves are large, and there are thousands.
  wifi: sql<number>`instr(${devices.facts}, '"wifi"') > 0`,
  // With names of tables: here columns come without theirs.
  pushed: sql<number>`exists (
    select 1 from deployments where deployments.device = devices.id and deployments.state in ('applied', 'partial')
  )`,
}
type Placed = Pick<typeof devices.$inferSelect, 'id' | 'organization' | 'group' | 'driver' | 'kind' | 'channels'> & {
  wifi: number
  pushed: number
}

const defaults: Readonly<Record<string, unknown>> = radio.fields.parse({})

/** A field of the radios as the nearest of a device's scopes sets it. */
function radioFieldOf(runtime: Runtime, network: number) {
  const rows = singleRows(runtime.db, network, [radio.id])
  const groups = networkGroups(runtime.db, network)
  const set = new Map<string, Data>(
    rows.flatMap(row => {
      const opened = openRow(runtime.secrets, radio, row)
      return isDamaged(opened) ? [] : [[`${row.scope} ${row.scopeId}`, opened.data] as const]
    }),
  )
  return ({ id, group }: Placed, field: string): unknown => {
    const scopes = [`device ${id}`, ...pathOf(groups, group).map(one => `group ${one}`), `network ${network}`]
    return scopes.flatMap(scope => set.get(scope)?.[field] ?? [])[0] ?? defaults[field]
  }
}
type FieldOf = ReturnType<typeof radioFieldOf>

type Known = { field: FieldOf; seen: SeenRadios }

/** Where it is or will be on a band: as a person set it, else as it was chosen, and meanwhile as its radios are. */
function takenBy(device: Placed, band: Band, { field, seen }: Known): Set<number> {
  const set = Number(field(device, `channel${band}`))
  if (set !== 0) return new Set([set])
  const now = seen(device.id).flatMap(one => (one.band === band ? (one.channel ?? []) : []))
  return new Set(now.concat(channelsOf(device)[band] ?? []))
}

/**
 * How many access points of a network are on each channel of a band, counted once somebody asks: what is given for a device
 * and a band counts it in or out, and returns all.
 */
function channelUse(placed: readonly Placed[], known: Known) {
  const used = new Map<Band, Map<number, number>>()
  const count = (device: Placed, band: Band, by: 1 | -1, into: Map<number, number>) => {
    for (const channel of takenBy(device, band, known)) into.set(channel, (into.get(channel) ?? 0) + by)
    return into
  }
  const of = (band: Band) => {
    const held = used.get(band) ?? placed.reduce((into, device) => count(device, band, 1, into), new Map())
    used.set(band, held)
    return held
  }
  return (device: Placed, band: Band, by: 1 | -1) => count(device, band, by, of(band))
}

type Filling = { known: Known; use: ReturnType<typeof channelUse>; asked: number | undefined }

/** A device's channels with those that it lacks, or that the country does not allow, chosen anew; writes nothing. */
function fill(device: Placed, allowed: Allowed, { known, use, asked }: Filling): void {
  for (const band of bands) {
    const { [band]: kept, ...others } = channelsOf(device)
    const quiet = allowed[band].filter(isQuiet)
    if (quiet.length === 0 ? kept === undefined : quiet.some(one => one.channel === kept)) continue
    if (device.pushed && kept === undefined && device.id !== asked) continue
    const width = Number(known.field(device, `width${band}`))
    const runs = device.pushed ? known.seen(device.id).find(one => one.band === band)?.channel : undefined
    const stands = quiet.find(one => one.channel === runs)?.channel
    const used = use(device, band, -1)
    const chosen = stands ?? chooseChannel({ band, width, allowed: allowed[band] }, used)
    device.channels = JSON.stringify(chosen === undefined ? others : { ...others, [band]: chosen })
    use(device, band, 1)
  }
}

/**
 * Chooses for the access points of a network that have no channel, or one that their country does not allow; where
 * nothing is known of the country all stays. `asked`: one whose plan is made, which told its Wi-Fi by that. Returns the
 * devices that get others; writes nothing.
 */
function chosenAnew(runtime: Runtime, network: number, seen: SeenRadios, asked?: number): Placed[] {
  const { db } = runtime
  const own = db.select({ country: networks.country }).from(networks).where(eq(networks.id, network)).get()
  const placed: Placed[] = db
    .select(columns)
    .from(devices)
    .where(eq(devices.network, network))
    .orderBy(devices.id)
    .all()
  const known = { field: radioFieldOf(runtime, network), seen }
  const filling = { known, use: channelUse(placed, known), asked }
  const able = placed.filter(device => (device.wifi || device.id === asked) && abilitiesOf(device).channels)
  return able.filter(device => {
    const allowed = allowedIn(String(known.field(device, 'country') ?? own?.country))
    const before = device.channels
    if (allowed) fill(device, allowed, filling)
    return device.channels !== before
  })
}

export type Planned = Pick<typeof devices.$inferSelect, 'id' | 'network'>

/** Keeps them chosen: from the start on, where settings, countries or places change, and as radios appear. */
export function keepChannels(runtime: Runtime, seen: SeenRadios) {
  const keep = (network: number, changed: readonly Placed[]) => {
    const { db } = runtime
    for (const { id, channels } of changed) db.update(devices).set({ channels }).where(eq(devices.id, id)).run()
    for (const { id, organization } of changed) runtime.bus.emit({ topic: 'device', network, id, organization })
  }
  const fillNow = (network: number) => {
    try {
      runtime.db.transaction(() => keep(network, chosenAnew(runtime, network, seen)))
    } catch (error) {
      // A disk that takes nothing: the next occasion does it.
      console.error('channels could not be chosen:', error)
    }
  }
  const without = (ids: readonly number[]) =>
    runtime.db
      .selectDistinct({ network: devices.network })
      .from(devices)
      .where(and(inArray(devices.id, [...ids]), eq(devices.channels, '{}'), columns.wifi))
      .all()
  const own = ({ id, network }: Planned) => chosenAnew(runtime, network, seen, id).find(one => one.id === id)
  const stored = ({ id }: Planned) =>
    runtime.db.select({ channels: devices.channels }).from(devices).where(eq(devices.id, id)).get()?.channels ?? '{}'
  for (const { id } of runtime.db.select({ id: networks.id }).from(networks).all()) fillNow(id)
  const off = runtime.bus.on(({ topic, network, each }) => {
    if (network !== undefined && !each && ['settings', 'networks', 'devices'].includes(topic)) fillNow(network)
  })
  runtime.closers.push(off)
  return {
    /** Of devices that were adopted, or told facts. */
    look(ids: readonly number[]): void {
      for (const { network } of without(ids)) fillNow(network)
    },
    /** For a plan; the caller knows that it has Wi-Fi. */
    of: (device: Planned): string => own(device)?.channels ?? stored(device),
    /** False where others would be chosen by now. */
    keep(device: Planned, channels: string): boolean {
      const now = own(device)
      if ((now?.channels ?? stored(device)) !== channels) return false
      keep(device.network, now ? [now] : [])
      return true
    },
  }
}
