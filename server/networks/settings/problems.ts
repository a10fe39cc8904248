import { and, eq, inArray } from 'drizzle-orm'
import type * as z from 'zod'
import type { Db } from '@/db/client'
import { devices, type groups } from '@/db/schema'
import { type FieldErrors, type Parsed, wrongFields } from '@/model/field-errors'
import { type Data, type Kind, referredIds } from '@/model/kind'
import { normalMac } from '@/model/rules'
import { isRefusal } from '@/server/kernel/fail'
import { kindRows } from './store'

/** Those of `ids` that the network has. */
export const inNetwork = (db: Db, table: typeof groups | typeof devices, network: number, ids: readonly number[]) =>
  new Set(
    ids.length === 0
      ? []
      : db
          .select({ id: table.id })
          .from(table)
          .where(and(eq(table.network, network), inArray(table.id, [...ids])))
          .all()
          .map(row => row.id),
  )

type DeviceRow = { device: number }

/** Rows of devices that the network does not have (any more); of each field the first. */
function strangeDevices(db: Db, kind: Kind, network: number, data: Data): FieldErrors {
  const found = kind.perDevice.flatMap(field => {
    const ids = ((data[field] as DeviceRow[] | undefined) ?? []).map(row => row.device)
    const known = inNetwork(db, devices, network, ids)
    const missing = ids.findIndex(id => !known.has(id))
    return missing < 0 ? [] : [[`${field}.${missing}.device`, 'notFound'] as const]
  })
  return Object.fromEntries(found)
}

/** References to documents that the network does not have (any more); of each field the first. */
function strangeRefs(db: Db, kind: Kind, network: number, data: Data): FieldErrors {
  const found = Object.entries(kind.refs).flatMap(([field, to]) => {
    const wanted = referredIds(data[field])
    const known = new Set(wanted.length ? kindRows(db, network, to).map(row => row.id) : [])
    const missing = wanted.findIndex(one => !known.has(one))
    const path = Array.isArray(data[field]) ? `${field}.${missing}` : field
    return missing < 0 ? [] : [[path, 'notFound'] as const]
  })
  return Object.fromEntries(found)
}

/** A device that is managed here would be cut off by being blocked. */
function managedMac(db: Db, kind: Kind, network: number, data: Data): FieldErrors {
  if (kind.id !== 'blockedClient' || typeof data.mac !== 'string') return {}
  const own = and(eq(devices.network, network), eq(devices.mac, normalMac(data.mac) ?? data.mac))
  return db.select({ id: devices.id }).from(devices).where(own).get() ? { mac: 'managedDevice' } : {}
}

type Judged = { given: Data; checked: Parsed<Data>; more: FieldErrors }

/** What is wrong with what was given: by the kind's own check, by `more`, and by what the network lacks. */
export function allProblems(db: Db, kind: Kind, network: number, { given, checked, more }: Judged) {
  const told = 'data' in checked ? { fields: {}, values: {} } : checked
  const fields: FieldErrors = { ...told.fields, ...more }
  const wrong = wrongFields(fields)
  const right = Object.fromEntries(Object.entries(given).filter(([key]) => !wrong.has(key)))
  return {
    fields: {
      ...{ ...fields, ...strangeDevices(db, kind, network, right), ...strangeRefs(db, kind, network, right) },
      ...managedMac(db, kind, network, right),
    },
    values: told.values,
  }
}

/** The name that a document gets in lists and messages; undefined where the field is wrong. */
export function titleOf(kind: Kind, given: Data): string | undefined {
  const { data } = (kind.fields.shape[kind.title] as z.ZodType).safeParse(given[kind.title])
  return data === undefined ? undefined : String(data)
}

/** Whether work that judges lets something pass, instead of refusing it. */
export function passes(judge: () => unknown): boolean {
  try {
    judge()
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}
