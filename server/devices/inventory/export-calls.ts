import * as z from 'zod'
import { deviceState } from '@/model/device-state'
import { limits } from '@/model/limits'
import { fleetOf } from '@/server/devices/link/fleet'
import { call, type NetworkContext } from '@/server/kernel/call'
import { csvFile } from '@/server/kernel/csv'
import { networkGroups } from '@/server/networks/groups/groups'
import type { LiveRadio } from '@/server/worker/live-radios'
import { orderedDevices } from './device-index'
import { deviceKinds, keeping } from './device-query'
import { type OnlineTime, onlineTimes } from './online-time'
import { type DeviceSummary, withLive } from './summary'
import { waitingDevices } from './waiting'

// Files of a network's devices: what they are, and when they were online.

const exported: [string, (row: DeviceSummary) => string | number | undefined][] = [
  ['name', row => row.name],
  ['status', deviceState],
  ['kind', row => row.kind],
  ['address', row => row.address],
  ['mac', row => row.mac],
  ['vendor', row => row.vendor],
  ['model', row => row.model],
  ['serial', row => row.serial],
  ['firmware', row => row.firmware],
  ['part number', row => row.partNumber],
  ['hardware version', row => row.hardware],
  ['boot version', row => row.boot],
  ['ipv6', row => row.ipv6 ?? undefined],
  ['group', row => row.groupName],
  ['driver', row => row.driver],
  ['uptime seconds', row => row.uptimeSeconds],
  ['cpu %', row => round(row.cpuPercent)],
  ['memory %', row => round(row.memoryPercent)],
  ['clients', row => row.clients],
  ['channels', row => ofEach(row, ({ channel }) => channel)],
  ['tx power dBm', row => ofEach(row, ({ txPowerDbm }) => txPowerDbm)],
  ['in bit/s', row => round(row.inBps)],
  ['out bit/s', row => round(row.outBps)],
  ['last seen', row => (row.seenAt ? new Date(row.seenAt).toISOString() : undefined)],
  ['reason', row => row.reason],
  ['remarks', row => row.remarks],
]
/** One value a radio, lowest band first: `6 36`. */
const ofEach = ({ radios }: DeviceSummary, of: (radio: LiveRadio) => number | undefined) =>
  radios?.map(one => of(one) ?? 'unknown').join(' ')
const round = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * 10) / 10)
/** What is not known is a word, never an empty cell that reads as nothing or zero. */
const known = (value: string | number | undefined) => (value === undefined ? 'unknown' : value)

const exporting = {
  tag: 'devices',
  scope: 'network',
  authority: 'devices',
  changes: false,
  get: true,
  exports: true,
} as const
/** As the list's address says it: one value each. */
const listed = {
  search: z.string().max(limits.textCharacters).optional(),
  status: z.coerce.number().pipe(z.int().min(0).max(3)).optional(),
  silent: z.enum(['0', '1']).optional(),
  kind: z.enum(deviceKinds).optional(),
  group: z.coerce.number().pipe(z.int()).optional(),
  modified: z.literal('1').optional(),
}
type Listed = z.output<z.ZodObject<typeof listed>>

/** The devices that the list shows with these words of its address, by name. */
async function listedDevices({ runtime, network, now }: NetworkContext, wanted: Listed): Promise<DeviceSummary[]> {
  const { search, status, silent, kind, group, modified } = wanted
  const filter = {
    ...(status !== undefined && { status: [status] }),
    ...(silent && { silent: silent === '1' }),
    ...(kind && { kind: [kind] }),
    ...(group !== undefined && { groupId: group }),
    ...(modified && { modified: true as const }),
  }
  const waiting = modified ? await waitingDevices(runtime, network.id) : undefined
  const found = orderedDevices(runtime, network.id, {
    keeps: keeping(() => networkGroups(runtime.db, network.id), filter, waiting),
    text: search?.trim().toLowerCase() ?? '',
    direction: 'asc',
    by: 'name',
  })
  return found.map(row => withLive(fleetOf(runtime), row, now))
}

const exportDevices = call({
  ...exporting,
  path: 'exports/devices',
  input: z.strictObject(listed),
  /** A CSV file of the network's devices; cells that a spreadsheet would run are defused. */
  async run(context, wanted) {
    const rows = await listedDevices(context, wanted)
    const lines = rows.map(row => exported.map(([, of]) => known(of(row))))
    return csvFile('devices', [exported.map(([head]) => head), ...lines], context.now)
  },
})

const dayMs = 86_400_000
const percent = ({ onlineMs, offlineMs }: OnlineTime) =>
  onlineMs + offlineMs === 0 ? undefined : round((100 * onlineMs) / (onlineMs + offlineMs))
const seconds = (ms: number) => Math.round(ms / 1000)
const onlineColumns: [string, (row: DeviceSummary, time: OnlineTime) => string | number | undefined][] = [
  ['name', row => row.name],
  ['mac', row => row.mac],
  ['address', row => row.address],
  ['group', row => row.groupName],
  ['status', deviceState],
  ['status since', row => new Date(row.statusAt).toISOString()],
  ['last seen', row => (row.seenAt ? new Date(row.seenAt).toISOString() : undefined)],
  ['reason', row => row.reason],
  ['online %', (_, time) => percent(time)],
  ['online seconds', (_, time) => seconds(time.onlineMs)],
  ['offline seconds', (_, time) => seconds(time.offlineMs)],
  ['unknown seconds', (_, time) => seconds(time.unknownMs)],
  ['outages', (_, time) => time.outages],
  ['longest outage seconds', (_, time) => seconds(time.longestMs)],
]

const exportOnlineStatus = call({
  ...exporting,
  path: 'exports/online-status',
  /** `days`: how far back. */
  input: z.strictObject({ ...listed, days: z.enum(['1', '7', '30']).default('7') }),
  /** A CSV file of when the network's devices were online, by their own events: now, and in the last days. */
  async run(context, { days, ...wanted }) {
    const { runtime, network, now } = context
    const rows = await listedDevices(context, wanted)
    const times = onlineTimes(runtime.db, network.id, now - Number(days) * dayMs, now)
    const lines = rows.map(row => {
      const time = times.get(row.id)
      return onlineColumns.map(([, of]) => known(time && of(row, time)))
    })
    return csvFile('online-status', [onlineColumns.map(([head]) => head), ...lines], now)
  },
})

export const deviceExportCalls = [exportDevices, exportOnlineStatus] as const
