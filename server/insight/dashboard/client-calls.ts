import { and, count, eq, gte, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { clients } from '@/db/schema'
import { dayStart } from '@/model/places'
import { kept } from '@/server/devices/clients/known'
import { connectedPage } from '@/server/devices/clients/shown'
import { fleetOf } from '@/server/devices/link/fleet'
import { countsByMethod } from '@/server/guests/sessions/counts'
import { visitCounts } from '@/server/guests/sessions/visits'
import { rangeOf } from '@/server/history/tiers'
import { call, type NetworkContext } from '@/server/kernel/call'
import { most, range, reading } from './reading'

// Clients on the dashboard: who is there by what the devices tell, who was by what is kept of them.

export const clientsCount = call({
  ...reading,
  path: 'dashboard/clients-count',
  input: z.strictObject({ range }),
  /** Clients now, and over time; absent when no device of the network tells of clients. */
  async run({ runtime, network, now }, input) {
    const { ask } = fleetOf(runtime)
    const [current, series] = await Promise.all([
      ask('clientCounts', network.id),
      ask('history', { of: 'network', network: network.id, range: input.range, now }),
    ])
    return { ...current, range: input.range, stepSeconds: series.stepSeconds, at: series.at, clients: series.clients }
  },
})

const counted = ({ runtime, network }: NetworkContext, where?: SQL): number =>
  runtime.db
    .select({ n: count() })
    .from(clients)
    .where(and(eq(clients.network, network.id), where))
    .get()?.n ?? 0

const dayMs = 86_400_000

export const clientsGeneral = call({
  ...reading,
  path: 'dashboard/clients-general',
  input: z.strictObject({}),
  /**
   * Clients now by Wi-Fi and wire (absent when no device tells), guests among them who are in, those first seen in the
   * last day, and the highest average of five minutes in it with its time (unix s).
   */
  async run(context) {
    const { runtime, network, now } = context
    const { ask } = fleetOf(runtime)
    const [current, series] = await Promise.all([
      ask('clientCounts', network.id),
      ask('history', { of: 'network', network: network.id, range: '1d', now }),
    ])
    const known = series.clients.flatMap((clients, index) =>
      clients === null ? [] : { clients: Math.round(clients), at: series.at[index] ?? 0 },
    )
    const peak = known.reduce<(typeof known)[number] | undefined>(
      (top, one) => (top && top.clients >= one.clients ? top : one),
      undefined,
    )
    const guests = countsByMethod(context).methods.reduce((sum, one) => sum + one.in, 0)
    return { ...current, guests, fresh: counted(context, gte(clients.firstSeenAt, now - dayMs)), ...(peak && { peak }) }
  },
})

export const clientsStatistics = call({
  ...reading,
  path: 'dashboard/clients-statistics',
  input: z.strictObject({ range }),
  /**
   * Clients seen in the range: how many, how many of them for the first time, how many were known before. `since`, unix ms:
   * clients are kept for 31 days, a longer range begins there.
   */
  run(context, input) {
    const since = context.now - Math.min(rangeOf[input.range].seconds * 1000, kept.days * dayMs)
    const seen = counted(context, or(eq(clients.online, true), gte(clients.seenAt, since)))
    const fresh = counted(context, gte(clients.firstSeenAt, since))
    return { range: input.range, since, seen, fresh, returning: Math.max(0, seen - fresh) }
  },
})

/** MACs that clients made up themselves belong to no maker (IEEE 802, the second bit of the first octet). */
const isPrivate = sql<number>`substr(${clients.mac}, 2, 1) IN ('2', '6', 'a', 'e')`

const sumOf = (rows: readonly { clients: number }[]) => rows.reduce((total, row) => total + row.clients, 0)
/** Makers that are told apart. */
const mostVendors = 50

export const clientsPie = call({
  ...reading,
  path: 'dashboard/clients-pie',
  input: z.strictObject({}),
  /**
   * Clients now: `wired`, by band, by SSID (null: on Wi-Fi, nobody tells which), and by maker as their MACs say (`vendors`,
   * most first; `private`: MACs of their own making; `unknown`). `told` is false where no device tells of clients.
   */
  async run({ runtime, network }) {
    const shares = await fleetOf(runtime).ask('clientShares', network.id)
    const rows = runtime.db
      .select({ vendor: clients.vendor, private: isPrivate, n: count() })
      .from(clients)
      .where(and(eq(clients.network, network.id), eq(clients.online, true)))
      .groupBy(clients.vendor, isPrivate)
      .all()
    const sum = (of: typeof rows) => of.reduce((total, row) => total + row.n, 0)
    const vendors = rows
      .filter(row => row.vendor !== '' && !row.private)
      .map(({ vendor, n }) => ({ vendor, clients: n }))
      .sort((a, b) => b.clients - a.clients)
      .slice(0, mostVendors)
    const own = sum(rows.filter(row => row.private))
    // Who has just come is counted already, and not looked up yet; a controller's clients are counted and not named.
    const all = shares.wired + sumOf(shares.bands)
    return {
      ...{ told: shares.told, wired: shares.wired },
      bands: shares.bands.toSorted((a, b) => b.clients - a.clients),
      ssids: shares.ssids.toSorted((a, b) => b.clients - a.clients),
      ...{ vendors, private: own, unknown: Math.max(0, all - own - sumOf(vendors)) },
    }
  },
})

export const topClients = call({
  ...reading,
  path: 'dashboard/top-clients',
  input: z.strictObject({ most }),
  /** Clients that are connected by octets of the last day (`day`), where anybody counts them. */
  async run({ runtime, network }, input) {
    const sort = { field: 'traffic', direction: 'desc' } as const
    const { result, total } = await connectedPage(runtime, network.id, { sort, page: 1, pageSize: input.most })
    return { result, total }
  },
})

export const guestTile = call({
  ...reading,
  path: 'dashboard/guest-counts',
  input: z.strictObject({}),
  /**
   * Guests who are in now, who came in and who was refused since midnight, in all and by method. `ever`: there was one.
   * `visits`: devices that the portal asked how they want to come in since midnight; `entered`: those of them that did.
   */
  run(context) {
    const { runtime, network, now } = context
    const { ever, methods } = countsByMethod(context)
    const { visits, entered } = visitCounts(runtime, network.id, dayStart(network.timezone, now))
    const sum = (of: 'in' | 'came' | 'refused') => methods.reduce((total, one) => total + one[of], 0)
    return { ever, in: sum('in'), came: sum('came'), refused: sum('refused'), visits, entered, methods }
  },
})
