import { and, eq, notInArray, sql } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { silentReasons } from '@/model/device-state'

const isAnswering = and(eq(devices.status, 1), notInArray(devices.reason, [...silentReasons]))

/** How many devices of a query's group are online by `deviceState`. */
export const answeringCount = sql<number>`coalesce(sum(${isAnswering}), 0)`
