import { eq, inArray } from 'drizzle-orm'
import { alerts, devices } from '@/db/schema'
import type { AlertConfig } from '@/model/notify/alert-config'
import { thresholds } from '@/model/notify/catalogue'
import { fleetPart } from '@/server/devices/link/fleet'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { readConfig } from '@/server/notify/alerts/config'
import { deviceTrouble, recoverAlerts } from '@/server/notify/alerts/raise'
import { noteHigh } from './high'

type Seen = {
  value?: number | undefined
  limit: number
  ease: number
  open: boolean
  since?: number | undefined
}
type Judged = 'raise' | 'recover' | 'wait' | undefined

/**
 * What follows from one reading. `since`: from when on it was too much without a break (Unix ms). Too much for so many
 * minutes raises; below the limit by the ease it is over; what is not told changes nothing.
 */
export function judgeLevel({ value, limit, ease, open, since }: Seen, now: number, minutes: number): Judged {
  if (value === undefined) return undefined
  if (value >= limit) return !open && since !== undefined && now - since >= minutes * 60_000 ? 'raise' : 'wait'
  return open && value < limit - ease ? 'recover' : undefined
}

/** Since when values are too much, by device and type. */
const sincePart = part<Map<string, number>>('alertLevels', () => new Map())

function openKeys({ db }: Runtime): Set<string> {
  const types = thresholds.map(({ type }) => type)
  const rows = db
    .select({ device: alerts.device, type: alerts.type, recoveredAt: alerts.recoveredAt })
    .from(alerts)
    .where(inArray(alerts.type, types))
    .all()
  return new Set(rows.flatMap(({ device, type, recoveredAt }) => (recoveredAt === null ? [`${device} ${type}`] : [])))
}

type Row = { id: number; organization: number; network: number; name: string }

function judgeDevice(runtime: Runtime, row: Row, config: AlertConfig, open: ReadonlySet<string>, now: number): void {
  const fleet = fleetPart.of(runtime)
  const since = sincePart.of(runtime)
  for (const { type, field, ease } of thresholds) {
    const key = `${row.id} ${type}`
    const off = config.off.includes(type)
    if (off && open.has(key)) recoverAlerts(runtime, row, type, { at: now, silent: true })
    const value = off ? undefined : fleet.live.get(fleet.rowOf(row.id), field)
    const limit = config[field]
    const state = { value, limit, ease, open: open.has(key), since: since.get(key) }
    const minutes = config.delays[type] ?? config.levelMinutes
    const judged = judgeLevel(state, now, minutes)
    if (judged === 'raise') {
      const values = { value: Math.round(value ?? 0), limit, minutes }
      deviceTrouble(runtime, row, type, { values, at: now })
    }
    if (judged === 'recover') recoverAlerts(runtime, row, type, { at: now })
    if (judged !== 'wait') since.delete(key)
    else if (!since.has(key)) since.set(key, now)
  }
}

/** Looks at the live values of all devices that answer. */
export function watchLevels(runtime: Runtime, now = Date.now()): void {
  const { db } = runtime
  const rows = db
    .select({ id: devices.id, organization: devices.organization, network: devices.network, name: devices.name })
    .from(devices)
    .where(eq(devices.status, 1))
    .all()
  const open = openKeys(runtime)
  const configs = new Map([...new Set(rows.map(({ network }) => network))].map(one => [one, readConfig(db, one)]))
  for (const row of rows) {
    const config = configs.get(row.network)
    if (config) judgeDevice(runtime, row, config, open, now)
  }
  noteHigh(
    runtime,
    rows.map(row => row.id),
    now,
  )
}
