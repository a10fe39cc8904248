import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Db } from '@/db/client'
import { devices, documents, type groups, networks, portalFiles } from '@/db/schema'
import { type FieldErrors, type Parsed, wrongFields } from '@/model/field-errors'
import type { MediaSort } from '@/model/guests/media'
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

/**
 * Files that a save names anew, `before` being those it had: the network's own and what another splash page of the
 * organization shows, each of the field's sort (rule G18). Of each field the first that is none.
 */
function strangeFiles(
  db: Db,
  kind: Kind,
  network: number,
  { data, before }: { data: Data; before: Data },
): FieldErrors {
  const found = Object.entries(kind.files).flatMap(([field, sort]) => {
    const had = referredIds(before[field])
    const wanted = referredIds(data[field])
    const missing = wanted.findIndex(id => !had.includes(id) && !isFileOf(db, network, id, sort))
    const path = Array.isArray(data[field]) ? `${field}.${missing}` : field
    return missing < 0 ? [] : [[path, 'notFound'] as const]
  })
  return Object.fromEntries(found)
}

function isFileOf(db: Db, network: number, id: string, sort: MediaSort): boolean {
  const organization = db.select({ id: networks.organization }).from(networks).where(eq(networks.id, network))
  const named = sql`exists (select 1 from ${documents} where ${documents.organization} = (${organization})
    and instr(${documents.data}, ${portalFiles.id}) > 0)`
  const whose = and(eq(portalFiles.id, id), eq(portalFiles.sort, sort), or(eq(portalFiles.network, network), named))
  return db.select({ id: portalFiles.id }).from(portalFiles).where(whose).get() !== undefined
}

/** A device that is managed here would be cut off by being blocked. */
function managedMac(db: Db, kind: Kind, network: number, data: Data): FieldErrors {
  if (kind.id !== 'blockedClient' || typeof data.mac !== 'string') return {}
  const own = and(eq(devices.network, network), eq(devices.mac, normalMac(data.mac) ?? data.mac))
  return db.select({ id: devices.id }).from(devices).where(own).get() ? { mac: 'managedDevice' } : {}
}

/** `before`: what was stored; absent: what comes from elsewhere or from before may name files that are gone. */
type Judged = { given: Data; checked: Parsed<Data>; more: FieldErrors; before?: Data | undefined }

/** What is wrong with what was given: by the kind's own check, by `more`, and by what the network lacks. */
export function allProblems(db: Db, kind: Kind, network: number, { given, checked, more, before }: Judged) {
  const told = 'data' in checked ? { fields: {}, values: {} } : checked
  const fields: FieldErrors = { ...told.fields, ...more }
  const wrong = wrongFields(fields)
  const right = Object.fromEntries(Object.entries(given).filter(([key]) => !wrong.has(key)))
  return {
    fields: {
      ...{ ...fields, ...strangeDevices(db, kind, network, right), ...strangeRefs(db, kind, network, right) },
      ...managedMac(db, kind, network, right),
      ...(before && strangeFiles(db, kind, network, { data: right, before })),
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
