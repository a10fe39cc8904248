import { eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { alertConfigs } from '@/db/schema'
import { type AlertConfig, alertConfig } from '@/model/notify/alert-config'
import type { Switchable } from '@/model/notify/catalogue'

export const configRow = (db: Db, network: number) =>
  db.select().from(alertConfigs).where(eq(alertConfigs.network, network)).get()

/** What a network wants to be told of; as it is without settings, where there are none or they are damaged. */
export function readConfig(db: Db, network: number): AlertConfig {
  const row = configRow(db, network)
  return (row && alertConfig.safeParse(JSON.parse(row.data)).data) ?? alertConfig.parse({})
}

/** Rule W11: how long a device has to be offline before anybody is told. */
export const offlineMs = (db: Db, network: number): number => readConfig(db, network).offlineMinutes * 60_000

/** A network can do without being told of some types. */
export const isOff = (db: Db, network: number, type: string): boolean =>
  readConfig(db, network).off.includes(type as Switchable)
