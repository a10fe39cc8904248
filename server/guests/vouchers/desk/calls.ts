import { and, count, eq, gte, max } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { deskActs, voucherDevices, voucherGroups, vouchers } from '@/db/schema'
import { email as emailField } from '@/model/email'
import {
  lastingProblem,
  lastingSeconds,
  mayRenew,
  ownRates,
  usedNow,
  voucherStates,
  voucherTerms,
} from '@/model/guests/voucher'
import { voucherLink } from '@/model/guests/voucher-print'
import { limits } from '@/model/limits'
import { dayStart } from '@/model/places'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput } from '@/server/kernel/lists'
import { qrOf } from '@/server/kernel/qr'
import { countOne, isSpent } from '@/server/kernel/rate'
import { id, note } from '@/server/kernel/shapes'
import { readMailServer } from '@/server/mail/server'
import { changing, reading } from '../call-terms'
import { findGroup, lastReset, tellVouchers } from '../groups'
import { areKeys, keyOf, keySsids } from '../key-list'
import { makeVouchers } from '../make'
import { renewVouchers } from '../renew'
import { joinsOf } from './joins'
import { sendMailTo } from './letter'
import { type DeskWhat, once } from './once'
import { codeOf, type Found, findVoucher, findVouchers, shown, stateNow } from './shown'

// The front desk: one voucher at a time, and each press once, however often it arrives.

/** Two presses are two acts: neither takes the other's place. */
const pressing = { ...changing, send: 'each' } as const
/** Made by the browser for each press; the same is done once. */
const act = z.uuid('invalid')
const [hourMs, dayMs] = [3_600_000, 86_400_000]
const { days, hours, minutes } = voucherTerms
const lasting = { days, hours, minutes }

function countToday(context: NetworkContext, what: DeskWhat): number {
  const own = and(
    eq(deskActs.network, context.network.id),
    gte(deskActs.at, dayStart(context.network.timezone, context.now)),
    eq(deskActs.what, what),
  )
  return context.runtime.db.select({ n: count() }).from(deskActs).where(own).get()?.n ?? 0
}

const presets = call({
  ...reading,
  path: 'vouchers/desk/presets',
  input: z.strictObject({}),
  /** What the front desk sells, the shortest first; whether mail can be sent; what was sold and voided since midnight. */
  run(context) {
    const { runtime, network } = context
    const own = and(eq(voucherGroups.network, network.id), eq(voucherGroups.desk, true))
    const groups = runtime.db.select().from(voucherGroups).where(own).orderBy(voucherGroups.seconds).all()
    return {
      presets: groups.map(({ id, name, seconds, maxDevices, byteLimitMb }) => ({
        ...{ id, name, seconds, maxDevices, byteLimitMb },
      })),
      mail: readMailServer(runtime) !== undefined,
      sold: countToday(context, 'sell'),
      voided: countToday(context, 'void'),
    }
  },
})

const find = call({
  ...reading,
  path: 'vouchers/desk/find',
  input: z.strictObject({
    search: listInput.search,
    most: z.int().min(1).max(200).default(20),
  }),
  /** Vouchers of every group, the newest sale or first use first: without a search those that still hold. */
  run: (context, input) => findVouchers(context, input),
})

/** What a phone's camera reads, for whoever may see codes. */
function picture(context: NetworkContext, { voucher }: Found) {
  const code = codeOf(context, voucher)
  return code === undefined ? null : qrOf(voucherLink(code))
}

function keysOf(context: NetworkContext, { voucher, group }: Found): { ssid: string; key: string }[] {
  const plain = areKeys(group) ? codeOf(context, voucher) : undefined
  if (plain === undefined) return []
  const key = keyOf(context.runtime, context.network.id, plain)
  return keySsids(context.runtime, context.network.id).map(({ name }) => ({ ssid: name, key }))
}

const code = call({
  ...reading,
  authority: 'vouchers_print',
  path: 'vouchers/desk/code',
  input: z.strictObject({ id }),
  /** A voucher with the QR code of its sign-in, its key in each Wi-Fi network that takes vouchers as keys, and the QR codes that join. */
  run(context, input) {
    const found = findVoucher(context, input.id)
    const keys = keysOf(context, found)
    return { voucher: shown(context, [found])[0], qr: picture(context, found), keys, joins: joinsOf(context, keys) }
  },
})

const newest = (tx: Db, group: number): number =>
  tx
    .select({ id: max(vouchers.id) })
    .from(vouchers)
    .where(eq(vouchers.group, group))
    .get()?.id ?? 0

const sell = call({
  ...pressing,
  path: 'vouchers/desk/sell',
  topics: ['vouchers'],
  input: z.strictObject({ act, groupId: id, note: note(limits.deskNoteCharacters).default('') }),
  /** One voucher more of a group that the desk sells. Sent again it answers with the same; one that was voided is null. */
  run(context, input) {
    const { runtime, network, now, log } = context
    const { voucher, again } = once(context, { act: input.act, what: 'sell' }, tx => {
      const group = findGroup(tx, network.id, input.groupId)
      if (!group.desk) fail('voucherGroupNotFound')
      makeVouchers(runtime, tx, group, { quantity: 1, now })
      const made = newest(tx, group.id)
      tx.update(vouchers).set({ note: input.note }).where(eq(vouchers.id, made)).run()
      log({ action: 'add', object: 'vouchers', name: group.name, fields: { quantity: [0, 1] } })
      return made
    })
    if (!again) tellVouchers(context)
    const left = runtime.db.select().from(vouchers).where(eq(vouchers.id, voucher)).get()
    if (!left) return { voucher: null, qr: null }
    const found = findVoucher(context, voucher)
    return { voucher: shown(context, [found])[0] ?? null, qr: picture(context, found) }
  },
})

type Press = { act: string; id: number }
/** A press on one voucher. */
type PressRow<P extends string, I extends z.ZodType<Press>, O> = {
  path: P
  what: DeskWhat
  input: I
  /** In the transaction in which the press is noted. */
  change(tx: Db, found: Found, input: z.output<I>, context: NetworkContext & Logging): void
  answer(voucher: number, input: z.output<I>): O
}

function press<const P extends string, I extends z.ZodType<Press>, O>(row: PressRow<P, I, O>) {
  return call({
    ...pressing,
    path: row.path,
    topics: ['vouchers'],
    input: row.input,
    run(context, input) {
      const { voucher, again } = once(context, { act: input.act, what: row.what }, tx => {
        row.change(tx, findVoucher(context, input.id), input, context)
        return input.id
      })
      if (!again) tellVouchers(context, [voucher])
      return row.answer(voucher, input)
    },
  })
}

/** Rule S1 for one: all its time is left again, and validity starts now. */
const extend = press({
  path: 'vouchers/desk/extend',
  what: 'extend',
  input: z.strictObject({ act, id }),
  change(tx, found, input, context) {
    if (!mayRenew(stateNow(context, found))) fail('voucherNotRenewable')
    renewVouchers(tx, [input.id], context.now)
    context.log({ action: 'renew', object: 'vouchers', name: found.group.name, fields: { quantity: [1, 1] } })
  },
  answer: voucher => ({ extended: voucher }),
})

/**
 * Adds time: what is left is longer by it. Its validity ends no earlier than that time is over; of a key whose time ran out
 * it runs from now.
 */
function lengthen(
  tx: Db,
  { voucher, group }: Found,
  seconds: number,
  { now, zone }: { now: number; zone: string },
): void {
  const used = usedNow(voucher, lastReset({ group, zone, now })).seconds
  const left = Math.max(0, group.seconds - used)
  const needed = now + (left + seconds) * 1000 - group.validityDays * dayMs
  tx.update(vouchers)
    .set({
      addedSeconds: voucher.addedSeconds + seconds,
      validFrom: Math.max(voucher.validFrom, needed),
      ...(voucher.keySince !== null && { keySince: Math.max(voucher.keySince, now - group.seconds * 1000) }),
    })
    .where(eq(vouchers.id, voucher.id))
    .run()
}

/** Rule G11: one minute to 365 days more for one voucher, as often as it takes, in all 365 days. Refuses by `fail`: voucherUnavailable (expired). */
const addTime = press({
  path: 'vouchers/desk/add-time',
  what: 'addTime',
  input: z.strictObject({ act, id, ...lasting }),
  change(tx, found, { act: _, id: __, ...more }, context) {
    if (stateNow(context, found) === voucherStates.expired) fail('voucherUnavailable')
    const seconds = lastingSeconds(more)
    const added = found.voucher.addedSeconds
    if (lastingProblem(more) || added + seconds > limits.voucherAddedSeconds) failFields({ days: 'voucherDuration' })
    lengthen(tx, found, seconds, { now: context.now, zone: context.network.timezone })
    const addedMinutes: [number, number] = [added / 60, (added + seconds) / 60]
    context.log({ action: 'edit', object: 'vouchers', name: found.group.name, fields: { addedMinutes } })
  },
  answer: voucher => ({ extended: voucher }),
})

/** Rule G13: rates of one voucher, in place of its group's; null: those again, 0: no limit. Who is in by it has them at once. */
const speed = press({
  path: 'vouchers/desk/speed',
  what: 'speed',
  input: z.strictObject({ act, id, ...ownRates }),
  change(tx, { voucher, group }, { act: _, id: wanted, ...rates }, { log }) {
    tx.update(vouchers).set(rates).where(eq(vouchers.id, wanted)).run()
    const fields = {
      downloadKbps: [voucher.downloadKbps, rates.downloadKbps] as [unknown, unknown],
      uploadKbps: [voucher.uploadKbps, rates.uploadKbps] as [unknown, unknown],
    }
    log({ action: 'edit', object: 'vouchers', name: group.name, fields })
  },
  answer: voucher => ({ changed: voucher }),
})

/** A device loses its place on a voucher, for another to come in by it; its connections are cut. */
const free = press({
  path: 'vouchers/desk/free',
  what: 'free',
  input: z.strictObject({ act, id, mac: z.string().regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/, 'invalid') }),
  change(tx, { group }, input, { log }) {
    const place = and(eq(voucherDevices.voucher, input.id), eq(voucherDevices.mac, input.mac))
    const { changes } = tx.delete(voucherDevices).where(place).run()
    if (changes > 0) log({ action: 'release', object: 'vouchers', name: group.name, fields: {} })
  },
  answer: (_, { mac }) => ({ freed: mac }),
})

/** The code lets nobody in any more; whoever is in by it is out. Named `void` in the address alone: it is a word of the language. */
const takeBack = press({
  path: 'vouchers/desk/void',
  what: 'void',
  input: z.strictObject({ act, id }),
  change(tx, { group }, input, { log }) {
    tx.delete(vouchers).where(eq(vouchers.id, input.id)).run()
    log({ action: 'delete', object: 'vouchers', name: group.name, fields: { quantity: [1, 0] } })
  },
  answer: voucher => ({ voided: voucher }),
})

const mail = call({
  ...pressing,
  authority: 'vouchers_print',
  path: 'vouchers/desk/mail',
  topics: ['vouchers'],
  input: z.strictObject({ act, id, email: emailField }),
  /** Sends a guest their voucher. Refuses by `fail`: mailNotSet, rateLimited, voucherUnavailable (expired). */
  run(context, input) {
    const { runtime, network, now } = context
    const { voucher } = once(context, { act: input.act, what: 'mail' }, tx => {
      const found = findVoucher(context, input.id)
      if (stateNow(context, found) === voucherStates.expired) fail('voucherUnavailable')
      if (!readMailServer(runtime)) fail('mailNotSet')
      const key = `desk mails ${network.id}`
      if (isSpent(runtime, key, limits.deskLettersAnHour, hourMs, now)) fail('rateLimited', { minutes: 60 })
      sendMailTo(context, tx, found, input.email)
      countOne(runtime, key, hourMs, now)
      context.log({ action: 'send', object: 'vouchers', name: found.group.name, fields: { quantity: [null, 1] } })
      return input.id
    })
    return { mailed: voucher }
  },
})

export const voucherDeskCalls = [presets, find, code, sell, extend, addTime, speed, free, takeBack, mail] as const
