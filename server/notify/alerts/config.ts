import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { alertConfigs } from '@/db/schema'
import { type AlertConfig, alertConfig } from '@/model/notify/alert-config'
import {
  type AlertLevel,
  type AlertType,
  type Delayed,
  levelOf,
  type SeverityKey,
  type Switchable,
  severityKey,
  switchable,
} from '@/model/notify/catalogue'

export const configRow = (db: Db, network: number) =>
  db.select().from(alertConfigs).where(eq(alertConfigs.network, network)).get()

/** Types that a network could do without before it was stored of which ones it had decided. */
const formerly: readonly Switchable[] = [
  ...(['deviceRestarted', 'cpuHigh', 'memoryHigh', 'temperatureHigh', 'portDown', 'portErrors'] as const),
  ...(['wanOffline', 'wanDegraded', 'wifiClients'] as const),
]
const stored = z.looseObject({
  known: z.array(z.string()).default([...formerly]),
  off: z.array(z.string()).default([]),
})

/** As it is stored: with the types that there were, so that one that a later version brings is as without settings. */
export const storedConfig = (values: AlertConfig): string => JSON.stringify({ ...values, known: switchable })

function openConfig(text: string): AlertConfig | undefined {
  const found = stored.safeParse(JSON.parse(text)).data
  if (!found) return undefined
  const { known, ...values } = found
  const fresh = alertConfig.parse({}).off.filter(type => !known.includes(type))
  return alertConfig.safeParse({ ...values, off: [...values.off, ...fresh] }).data
}

/** What a network wants to be told of; as it is without settings, where there are none or they are damaged. */
export function readConfig(db: Db, network: number): AlertConfig {
  const row = configRow(db, network)
  return (row && openConfig(row.data)) ?? alertConfig.parse({})
}

/** Rule W11: how long a device has to be offline before anybody is told. */
export const offlineMs = (db: Db, network: number): number => readConfig(db, network).offlineMinutes * 60_000

/** How grave an alert is in its network, else as the catalogue has it. */
export function severityOf(db: Db, network: number | null, type: AlertType, grade?: string): AlertLevel {
  const own = network === null ? {} : readConfig(db, network).severities
  return own[severityKey(type, grade) as SeverityKey] ?? levelOf(type, grade)
}

/** So long a trouble has to last in its network before anybody is told, ms; 0 where nothing is said of it. */
export const delayMs = (db: Db, network: number | null, type: AlertType): number =>
  network === null ? 0 : (readConfig(db, network).delays[type as Delayed] ?? 0) * 60_000

/** A network can do without being told of some types. */
export const isOff = (db: Db, network: number, type: string): boolean =>
  readConfig(db, network).off.includes(type as Switchable)
