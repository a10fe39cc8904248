import * as z from 'zod'
import { limits } from '@/model/limits'
import { type ShownUplink, shownUplinks } from '@/server/devices/gateways/wan-calls'
import { indexedDevices } from '@/server/devices/inventory/device-index'
import { deviceKinds } from '@/server/devices/inventory/device-query'
import { summaryOf } from '@/server/devices/inventory/summary'
import { fleetOf } from '@/server/devices/link/fleet'
import { turnsSince, wanTurns } from '@/server/devices/link/wan-health'
import { call, type NetworkContext } from '@/server/kernel/call'
import { most, range, reading } from './reading'

// What the network carries, where to, and on which air.

export const bandwidth = call({
  ...reading,
  path: 'dashboard/bandwidth',
  input: z.strictObject({ range }),
  /** The network's throughput: HistorySeries and, in `now`, the last poll's rates and what they are measured at. */
  async run({ runtime, network, now }, input) {
    const { ask } = fleetOf(runtime)
    const [current, series] = await Promise.all([
      ask('traffic', network.id),
      ask('history', { of: 'network', network: network.id, range: input.range, now }),
    ])
    return { ...series, now: current }
  },
})

export const usageRealtime = call({
  ...reading,
  path: 'dashboard/usage-realtime',
  input: z.strictObject({}),
  /**
   * bit/s between the last two polls: of the network, and where they are measured (`source`), and of each interface of its
   * gateways to the internet. `at`: when the newest of these was read, unix ms.
   */
  async run({ runtime, network }) {
    const { ask } = fleetOf(runtime)
    const [current, wans] = await Promise.all([ask('traffic', network.id), ask('wanRates', network.id)])
    const at = Math.max(0, ...wans.map(one => one.at))
    return { ...current, wans, ...(at > 0 && { at }) }
  },
})

export const topDevices = call({
  ...reading,
  path: 'dashboard/top-aps',
  input: z.strictObject({ range, most, kind: z.enum(deviceKinds).optional() }),
  /** Devices by octets carried in the range, most first; those of which nothing is known are left out. */
  async run({ runtime, network, now }, { kind, range, most }) {
    const fleet = fleetOf(runtime)
    const all = indexedDevices(runtime, network.id)
    const devices = Int32Array.from(kind ? all.filter(one => one.kind === kind) : all, one => one.id)
    const { totals = [] } = await fleet.ask('history', { of: 'totals', devices, range, most, now })
    const result = totals.flatMap(({ device, inOctets, outOctets }) => {
      const row = summaryOf(runtime, fleet, device, now)
      if (!row) return []
      const { id, name, kind, status, reason, clients, clientsCounted, inBps, outBps } = row
      return [{ id, name, kind, status, reason, clients, clientsCounted, inBps, outBps, inOctets, outOctets }]
    })
    return { result }
  },
})

export const topSsids = call({
  ...reading,
  path: 'dashboard/top-ssids',
  input: z.strictObject({ range, most }),
  /**
   * Wi-Fi networks on the air by octets of the range, most first, then by clients: `downOctets` is to the clients; each absent
   * where no access point tells. `devices`: how many broadcast it.
   */
  async run({ runtime, network }, input) {
    const { ssids } = await fleetOf(runtime).ask('wireless', { network: network.id, range: input.range })
    const octets = (one: (typeof ssids)[number]) => (one.downOctets ?? 0) + (one.upOctets ?? 0)
    const result = ssids
      .toSorted((a, b) => octets(b) - octets(a) || (b.clients ?? 0) - (a.clients ?? 0))
      .slice(0, input.most)
      .map(one => ({ ...one, devices: one.devices.length }))
    return { result, total: ssids.length }
  },
})

export const channelTile = call({
  ...reading,
  path: 'dashboard/channel',
  input: z.strictObject({}),
  /**
   * Channels that the network's own radios are on, by band: how many, and how busy the air is there in per cent (absent where
   * no radio measures it). No band where no radio is on.
   */
  run: async ({ runtime, network }) => ({ result: await fleetOf(runtime).ask('channels', network.id) }),
})

/** What is kept of the ways of each gateway, by device. */
async function pastOf({ runtime, now }: NetworkContext, ways: readonly ShownUplink[]) {
  const devices = [...new Set(ways.map(one => one.deviceId))]
  const histories = devices.map(async device => {
    const keys = ways.filter(one => one.deviceId === device).map(one => one.key)
    return [device, await fleetOf(runtime).ask('uplinkHistory', { device, keys, now })] as const
  })
  return new Map(await Promise.all(histories))
}

export const wanOverview = call({
  ...reading,
  path: 'dashboard/wan-overview',
  input: z.strictObject({}),
  /**
   * The ways to the internet: how each is now, what it carries (bit/s at the last poll), and how it was in the last twelve
   * hours: `turns`, from when on (unix ms) it was what, and loss, latency and jitter on average over each step from `at` (unix s)
   * on, null where nothing was told.
   */
  async run(context) {
    const { runtime, network, now } = context
    const from = now - limits.wanHealthHours * 3_600_000
    const ways = await shownUplinks(context)
    const [past, rates] = await Promise.all([pastOf(context, ways), fleetOf(runtime).ask('wanRates', network.id)])
    const [any] = past.values()
    const result = ways.map(way => {
      const rate = rates.find(one => one.device === way.deviceId && one.interface === way.interface)
      const turns = turnsSince(wanTurns(runtime.db, way.deviceId)[way.key] ?? [], from)
      const own = past.get(way.deviceId)?.ways[way.key]
      return {
        ...way,
        ...(rate?.inBps !== undefined && { inBps: rate.inBps }),
        ...(rate?.outBps !== undefined && { outBps: rate.outBps }),
        ...{ turns, ...(own && { history: own }) },
      }
    })
    return { from, until: now, stepSeconds: any?.stepSeconds ?? 300, at: any?.at ?? [], result }
  },
})
