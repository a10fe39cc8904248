import { and, eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import type { Abilities } from '@/model/abilities'
import { type Fleet, radiosAt } from '@/server/devices/link/fleet'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import type { Runtime } from '@/server/kernel/runtime'
import { type LiveRadio, radiosOfLive } from '@/server/worker/live-radios'
import type { LiveColumn } from './device-query'
import { type StoredDevice, storedDevice } from './stored-devices'

/** One device in a list. A live value that is absent is unknown; on an offline device all of them are. */
export type DeviceSummary = Omit<StoredDevice, 'network'> & {
  can: Abilities
  uptimeSeconds?: number
  cpuPercent?: number
  memoryPercent?: number
  clients?: number
  /** False: its clients were not counted yet; a missing `clients` is then unknown, and else one that it does not tell. */
  clientsCounted: boolean
  wifiClients?: number
  inBps?: number
  outBps?: number
  portsUp?: number
  portsTotal?: number
  poeWatts?: number
  temperature?: number
  /** What its ports received or sent in error, of about the last hour. */
  portErrors?: number
  /** Lowest band first, at most four; absent: nobody told of radios, or the device is offline. */
  radios?: LiveRadio[]
}

const uptimeOf = (bootAt: number, now: number) => Math.max(0, Math.round((now - bootAt) / 1000))

/** A stored device with what polls tell of it. */
export function withLive(fleet: Fleet, { network: _, ...stored }: StoredDevice, now: number): DeviceSummary {
  const { bootAt, countedAt, radio1, radio2, radio3, radio4, ...live } = fleet.live.row(fleet.rowOf(stored.id))
  const radios = radiosOfLive({ radio1, radio2, radio3, radio4 })
  return {
    ...stored,
    can: abilitiesOf(stored),
    ...live,
    seenAt: live.seenAt ?? stored.seenAt,
    clientsCounted: countedAt !== undefined,
    ...(bootAt !== undefined && { uptimeSeconds: uptimeOf(bootAt, now) }),
    ...(radios && { radios }),
  }
}

/** What a list of radios is sorted by: the lowest band's channel, the highest power. */
const ofRadios = {
  channel: ([first]: LiveRadio[]) => first?.channel,
  txPower: (radios: LiveRadio[]) => {
    const told = radios.flatMap(one => one.txPowerDbm ?? [])
    return told.length > 0 ? Math.max(...told) : undefined
  },
} as const

/** What a column of polls has of a device; undefined: it is unknown. */
export function liveValue(fleet: Fleet, column: LiveColumn, stored: StoredDevice, now: number): number | undefined {
  const row = fleet.rowOf(stored.id)
  if (column === 'seenAt') return fleet.live.get(row, 'seenAt') ?? stored.seenAt
  if (column === 'channel' || column === 'txPower') return ofRadios[column](radiosAt(fleet, row))
  if (column !== 'uptimeSeconds') return fleet.live.get(row, column)
  const bootAt = fleet.live.get(row, 'bootAt')
  return bootAt === undefined ? undefined : uptimeOf(bootAt, now)
}

export function summaryOf(runtime: Runtime, fleet: Fleet, id: number, now: number): DeviceSummary | undefined {
  const stored = storedDevice(runtime, id)
  return stored && withLive(fleet, stored, now)
}

/** What a device of this network is called; undefined for one of another network, and for none. */
export const nameInNetwork = ({ db }: Pick<Runtime, 'db'>, network: number, id: number): string | undefined =>
  db
    .select({ name: devices.name })
    .from(devices)
    .where(and(eq(devices.id, id), eq(devices.network, network)))
    .get()?.name
