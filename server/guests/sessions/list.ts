import { and, count, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { devices, guests } from '@/db/schema'
import { deviceState } from '@/model/device-state'
import type { Answer } from '@/model/guests/questions'
import { type GuestEnd, type GuestState, guestStates } from '@/model/guests/session'
import { orderBy, pageOf, type Sort } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'
import { blocksOf, type GuestBlock } from './blocks'

/** Somebody who is in, was, or tried to; times in unix ms. */
export type ListedGuest = {
  id: number
  state: GuestState
  mac: string
  address: string
  method: number
  /** The voucher's number where it was one; `label`: its group, or by which name or address somebody came in. */
  voucher: number | null
  label: string
  answers: Answer[]
  /** In for a moment, to read the letter with the code. */
  provisional: boolean
  lan: string
  lanName: string
  /** The gateway that told of the guest last. */
  device: { id: number; name: string } | null
  started: number
  ends: number
  ended: number | null
  why: GuestEnd | ''
  bytes: number
  byteLimit: number | null
  /** In, and its gateway does not answer: bytes and address are those of before. */
  stale: boolean
  /** The device is blocked; `until` null: for good. */
  blocked?: { until: number | null }
}

export type GuestFilter = { state?: GuestState | undefined; method?: number | undefined }
type Wanted = { search?: string | undefined; sort?: Sort | undefined; filter?: GuestFilter | undefined }

/** By columns of their page. */
const sortColumns = {
  state: guests.state,
  mac: guests.mac,
  address: guests.address,
  method: guests.method,
  started: guests.started,
  ends: guests.ends,
  bytes: guests.bytes,
  device: devices.name,
  lan: guests.lanName,
}

function matching(search: string | undefined): SQL | undefined {
  const wanted = search?.trim().toLowerCase()
  if (!wanted) return undefined
  const columns = [guests.mac, guests.address, guests.label, guests.answers, guests.lanName, devices.name]
  return or(...columns.map(column => sql`instr(lower(${column}), ${wanted})`))
}

const whereOf = (network: number, { search, filter = {} }: Wanted): SQL | undefined =>
  and(
    eq(guests.network, network),
    matching(search),
    filter.state === undefined ? undefined : eq(guests.state, filter.state),
    filter.method === undefined ? undefined : eq(guests.method, filter.method),
  )

const joined = ({ db }: Runtime) =>
  db
    .select({
      guest: guests,
      device: { id: devices.id, name: devices.name, status: devices.status, reason: devices.reason },
    })
    .from(guests)
    .leftJoin(devices, eq(devices.id, guests.device))

type Row = ReturnType<ReturnType<typeof joined>['all']>[number]

function listed({ guest, device }: Row, blocks: ReadonlyMap<string, GuestBlock>): ListedGuest {
  const block = blocks.get(guest.mac)
  const { id, mac, address, method, voucher, label, lan, lanName, started, ends, ended, bytes, byteLimit } = guest
  return {
    ...{ id, mac, address, method, voucher, label, lan, lanName, started, ends, ended, bytes, byteLimit },
    answers: JSON.parse(guest.answers) as Answer[],
    provisional: guest.provisional,
    state: guest.state as GuestState,
    why: guest.why as GuestEnd | '',
    device: device && { id: device.id, name: device.name },
    stale: ended === null && device !== null && deviceState(device) !== 'online',
    ...(block && { blocked: { until: block.until } }),
  }
}

const countOf = ({ db }: Runtime, where: SQL | undefined): number =>
  db.select({ n: count() }).from(guests).leftJoin(devices, eq(devices.id, guests.device)).where(where).get()?.n ?? 0

/** One page of a network's guests, newest first unless sorted. */
export function guestPage(
  runtime: Runtime,
  network: number,
  wanted: Wanted & { page: number; pageSize: number },
  now: number,
) {
  const where = whereOf(network, wanted)
  const total = countOf(runtime, where)
  const { page, offset } = pageOf(total, wanted.page, wanted.pageSize)
  const rows = joined(runtime)
    .where(where)
    .orderBy(...orderBy(wanted.sort, sortColumns, desc(guests.id)))
    .limit(wanted.pageSize)
    .offset(offset)
    .all()
  const blocks = blocksOf(runtime, network, now)
  return {
    result: rows.map(row => listed(row, blocks)),
    ...{ total, page, pageSize: wanted.pageSize },
    counts: { ...guestCounts(runtime, network), blocked: blocks.size },
  }
}

/** All of them, for a file. */
export function everyGuest(runtime: Runtime, network: number, wanted: Wanted, now: number): ListedGuest[] {
  const blocks = blocksOf(runtime, network, now)
  const rows = joined(runtime).where(whereOf(network, wanted)).orderBy(desc(guests.id)).all()
  return rows.map(row => listed(row, blocks))
}

/** How many are in, were, or were refused; and of those who are in by what. */
function guestCounts({ db }: Runtime, network: number) {
  const own = eq(guests.network, network)
  const states = db.select({ state: guests.state, n: count() }).from(guests).where(own).groupBy(guests.state).all()
  const methods = db
    .select({ method: guests.method, n: count() })
    .from(guests)
    .where(and(own, isNull(guests.ended)))
    .groupBy(guests.method)
    .all()
  const of = (state: GuestState) => states.find(one => one.state === state)?.n ?? 0
  const { expired, succeeded, failed } = guestStates
  return { in: of(succeeded), was: of(expired), failed: of(failed), methods }
}
