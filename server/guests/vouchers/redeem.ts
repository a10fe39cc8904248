import { and, count as counting, eq, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { networks, voucherDevices, voucherGroups, vouchers } from '@/db/schema'
import { limitBytes, stateOf, termsOf, usedNow, validUntil, voucherStates } from '@/model/guests/voucher'
import { normalCode } from '@/model/guests/voucher-code'
import { resetsOf } from '@/model/reset-cycle'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { digestOf } from './codes'
import { moveDevice } from './move-device'
import { countMove, isMovable, placeNamed, type VoucherDevice } from './places'

/** What a voucher still lets a device have; bytes of both directions. */
export type Redeemed = {
  voucher: number
  group: number
  name: string
  seconds: number
  bytes?: number
  /** kbit/s. */
  download?: number
  upload?: number
}
type Voucher = typeof vouchers.$inferSelect
type Group = typeof voucherGroups.$inferSelect
type Found = { voucher: Voucher; group: Group; zone: string }
type Device = VoucherDevice

const joined = (db: Db) =>
  db
    .select({ voucher: vouchers, group: voucherGroups, zone: networks.timezone })
    .from(vouchers)
    .innerJoin(voucherGroups, eq(voucherGroups.id, vouchers.group))
    .innerJoin(networks, eq(networks.id, vouchers.network))

/** The group's terms are those that hold for this voucher. */
const withTerms = (found: Found | undefined): Found | undefined =>
  found && { ...found, group: termsOf(found.group, found.voucher) }

const byDigest = (db: Db, digest: string): Found | undefined =>
  withTerms(
    prepared(db, 'voucher by digest', () =>
      joined(db)
        .where(eq(vouchers.digest, sql.placeholder('digest')))
        .prepare(),
    ).get({ digest }),
  )

const byId = (db: Db, id: number): Found | undefined =>
  withTerms(
    prepared(db, 'voucher by id', () =>
      joined(db)
        .where(eq(vouchers.id, sql.placeholder('id')))
        .prepare(),
    ).get({ id }),
  )

const deviceOf = (db: Db, voucher: number, mac: string): Device | undefined =>
  prepared(db, 'device of voucher', () => {
    const [its, own] = [sql.placeholder('voucher'), sql.placeholder('mac')]
    const pair = and(eq(voucherDevices.voucher, its), eq(voucherDevices.mac, own))
    return db.select().from(voucherDevices).where(pair).prepare()
  }).get({ voucher, mac })

const devicesOf = (db: Db, voucher: number): number =>
  prepared(db, 'devices of voucher', () =>
    db
      .select({ n: counting() })
      .from(voucherDevices)
      .where(eq(voucherDevices.voucher, sql.placeholder('voucher')))
      .prepare(),
  ).get({ voucher })?.n ?? 0

/** What is left of it for a device: seconds, and bytes where they are limited; neither is below 0. */
function leftOf({ voucher, group }: Found, device: Device | undefined, now: number, lastReset: number | undefined) {
  const used = usedNow(voucher, lastReset)
  const most = limitBytes(group)
  const ofDevice = group.bytesPer === 'device'
  const bytesUsed = ofDevice ? (device ? usedNow(device, lastReset).bytes : 0) : used.bytes
  const untilInvalid = Math.floor((validUntil(voucher, group) - now) / 1000)
  return {
    seconds: Math.max(0, Math.min(group.seconds - used.seconds, untilInvalid)),
    bytes: most === undefined ? undefined : Math.max(0, most - bytesUsed),
  }
}

type Left = ReturnType<typeof leftOf>
const isNone = ({ seconds, bytes }: Left): boolean => seconds === 0 || bytes === 0

function redeemed({ voucher, group }: Found, { seconds, bytes }: Left): Redeemed {
  const { downloadKbps: download, uploadKbps: upload } = group
  return {
    ...{ voucher: voucher.id, group: group.id, name: group.name, seconds },
    ...(bytes !== undefined && { bytes }),
    ...(download !== null && { download }),
    ...(upload !== null && { upload }),
  }
}

type Use = {
  network: number
  code: string
  mac: string
  /** Whose place the device takes where none is free: a name of `places.ts`. What was used from it goes along. */
  instead?: string
  now: number
}

/** The voucher of a code, unless it is expired. */
function known(runtime: Runtime, { network, code, now }: Use) {
  const normal = normalCode(code) ?? fail('voucherMistyped')
  const found = byDigest(runtime.db, digestOf(runtime.secrets, network, normal)) ?? fail('voucherUnavailable')
  const { voucher, group, zone } = found
  const resets = resetsOf(group, zone, now)
  const state = stateOf(voucher, group, now, resets?.last)
  if (state === voucherStates.expired) fail('voucherUnavailable')
  return { found, resets, used: state === voucherStates.used }
}

/** Where a device stands: on a place of its own, or on one that it is given; `full`: there is none for it. */
type Standing = {
  own?: Device | undefined
  given?: Device | undefined
  full?: { voucher: number; movable: boolean }
}

function standingOf(runtime: Runtime, { voucher, group }: Found, { mac, instead, now }: Use): Standing {
  const own = deviceOf(runtime.db, voucher.id, mac)
  if (own || group.maxDevices === 0 || devicesOf(runtime.db, voucher.id) < group.maxDevices) return { own }
  const movable = isMovable(runtime, voucher.id, now)
  const given = movable && instead ? placeNamed(runtime, voucher.id, instead) : undefined
  return given ? { given } : { full: { voucher: voucher.id, movable } }
}

function takePlace(runtime: Runtime, voucher: number, { own, given }: Standing, { mac, now }: Use): void {
  if (own) return
  if (given) {
    moveDevice(runtime, { voucher, from: given.mac, to: mac })
    countMove(runtime, voucher, now)
  } else runtime.db.insert(voucherDevices).values({ voucher, mac, firstAt: now }).run()
}

/**
 * Uses a voucher for a device, which keeps its place from then on; `replaced`: whose place it took. Refuses by `fail`:
 * voucherMistyped (no code at all), voucherUnavailable (none of this network, or expired), voucherUsedUp (`nextReset`, unix
 * ms, where it will be good again), voucherDevicesFull (`voucher`; `movable`: a place may be taken now). Synchronous from the
 * first look to the last write, so the last place goes once, and a place that is taken goes to one.
 */
export function redeem(runtime: Runtime, use: Use): Redeemed & { replaced?: string } {
  const { now } = use
  return runtime.db.transaction(
    tx => {
      const { found, resets, used } = known(runtime, use)
      const { voucher, group } = found
      const standing = standingOf(runtime, found, use)
      const left = leftOf(found, standing.own ?? standing.given, now, resets?.last)
      const back = resets && resets.next < validUntil(voucher, group) ? { nextReset: resets.next } : {}
      if (used || isNone(left)) fail('voucherUsedUp', back)
      if (standing.full) fail('voucherDevicesFull', standing.full)
      takePlace(runtime, voucher.id, standing, use)
      if (voucher.firstUsedAt === null)
        tx.update(vouchers).set({ firstUsedAt: now }).where(eq(vouchers.id, voucher.id)).run()
      return { ...redeemed(found, left), ...(standing.given && { replaced: standing.given.mac }) }
    },
    { behavior: 'immediate' },
  )
}

/** What a device that a voucher let in before may still have; undefined where that is nothing, or the voucher is gone. */
export function remaining(
  { db }: Runtime,
  { voucher: id, mac, now }: { voucher: number; mac: string; now: number },
): Redeemed | undefined {
  const found = byId(db, id)
  const device = found && deviceOf(db, id, mac)
  if (!found || !device) return undefined
  const left = leftOf(found, device, now, resetsOf(found.group, found.zone, now)?.last)
  return isNone(left) ? undefined : redeemed(found, left)
}

/**
 * What a session used since it was last counted, to `now`. A voucher's time runs while at least one of its devices is in,
 * so what another device was counted for already adds nothing; bytes add up. A voucher or device that is gone counts nothing.
 */
export function count(
  runtime: Runtime,
  {
    voucher: id,
    mac,
    seconds,
    bytes,
    now,
  }: { voucher: number; mac: string; seconds: number; bytes: number; now: number },
): void {
  runtime.db.transaction(
    tx => {
      const found = byId(runtime.db, id)
      const device = found && deviceOf(runtime.db, id, mac)
      if (!found || !device) return
      const { voucher, group, zone } = found
      const last = resetsOf(group, zone, now)?.last
      const uncounted = Math.max(0, now - Math.max(voucher.countedAt ?? 0, last ?? 0)) / 1000
      const used = usedNow(voucher, last)
      tx.update(vouchers)
        .set({
          usedSeconds: used.seconds + Math.round(Math.min(seconds, uncounted)),
          usedBytes: used.bytes + bytes,
          countedAt: Math.max(now, voucher.countedAt ?? 0),
        })
        .where(eq(vouchers.id, id))
        .run()
      tx.update(voucherDevices)
        .set({ usedBytes: usedNow(device, last).bytes + bytes, countedAt: now })
        .where(and(eq(voucherDevices.voucher, id), eq(voucherDevices.mac, mac)))
        .run()
    },
    { behavior: 'immediate' },
  )
}
