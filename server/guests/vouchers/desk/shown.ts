import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { voucherDevices, voucherGroups, vouchers } from '@/db/schema'
import { limitBytes, stateOf, termsOf, usedNow, type VoucherState, validUntil } from '@/model/guests/voucher'
import { normalCode, shownCode } from '@/model/guests/voucher-code'
import type { NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { digestOf, openCode } from '../codes'
import { devicesOf } from '../devices'
import { lastReset } from '../groups'
import type { GroupRow } from '../make'

export type VoucherRow = typeof vouchers.$inferSelect
export type Found = { voucher: VoucherRow; group: GroupRow }

/** A voucher as the front desk shows it. Times in unix ms. */
export type DeskVoucher = {
  id: number
  groupId: number
  /** What was sold: the group's name. */
  name: string
  /** For whom. */
  note: string
  /** `RJW-8EA-7HX`; null: not for the asker, or sealed with a key that is gone. */
  code: string | null
  state: VoucherState
  /** What it gives at first, and what of it is left. */
  seconds: number
  secondsLeft: number
  /** Null: not limited, or limited for each device. */
  bytesLeft: number | null
  createdAt: number
  firstUsedAt: number | null
  validUntil: number
  /** kbit/s; null: no limit. */
  downloadKbps: number | null
  uploadKbps: number | null
  /** Other rates than its group's. */
  ownSpeed: boolean
  /** How many devices it lets in; 0: any number. */
  maxDevices: number
  /** MACs in the order they came. */
  devices: string[]
}

const joined = ({ runtime: { db } }: NetworkContext) =>
  db
    .select({ voucher: vouchers, group: voucherGroups })
    .from(vouchers)
    .innerJoin(voucherGroups, eq(voucherGroups.id, vouchers.group))

/** The group's terms are those that hold for this voucher. */
const withTerms = ({ voucher, group }: Found): Found => ({ voucher, group: termsOf(group, voucher) })

/** Refuses by `fail`: voucherNotFound. */
export function findVoucher(context: NetworkContext, id: number): Found {
  const own = and(eq(vouchers.network, context.network.id), eq(vouchers.id, id))
  return withTerms(joined(context).where(own).get() ?? fail('voucherNotFound'))
}

export function codeOf({ runtime: { secrets }, actor }: NetworkContext, voucher: VoucherRow): string | undefined {
  return actor.authorities.has('vouchers_print') ? openCode(secrets, voucher) : undefined
}

export function stateNow({ network, now }: NetworkContext, { voucher, group }: Found): VoucherState {
  return stateOf(voucher, group, now, lastReset({ group, zone: network.timezone, now }))
}

export function shown(context: NetworkContext, found: readonly Found[]): DeskVoucher[] {
  const { network, now } = context
  const devices = devicesOf(
    context.runtime.db,
    found.map(one => one.voucher.id),
  )
  return found.map(({ voucher, group }) => {
    const used = usedNow(voucher, lastReset({ group, zone: network.timezone, now }))
    const most = group.bytesPer === 'voucher' ? limitBytes(group) : undefined
    const code = codeOf(context, voucher)
    return {
      ...{ id: voucher.id, groupId: group.id, name: group.name, note: voucher.note },
      ...{ code: code === undefined ? null : shownCode(code), state: stateNow(context, { voucher, group }) },
      ...{ seconds: group.seconds, secondsLeft: Math.max(0, group.seconds - used.seconds) },
      bytesLeft: most === undefined ? null : Math.max(0, most - used.bytes),
      ...{ createdAt: voucher.createdAt, firstUsedAt: voucher.firstUsedAt, validUntil: validUntil(voucher, group) },
      ...{ downloadKbps: group.downloadKbps, uploadKbps: group.uploadKbps },
      ownSpeed: voucher.downloadKbps !== null || voucher.uploadKbps !== null,
      ...{ maxDevices: group.maxDevices, devices: devices.get(voucher.id) ?? [] },
    }
  })
}

const dayMs = 86_400_000
/** What the desk sold or somebody uses, and that still holds. */
const current = (now: number): SQL => sql`(${voucherGroups.desk} = 1 OR ${vouchers.firstUsedAt} IS NOT NULL)
  AND ${vouchers.validFrom} + ${voucherGroups.validityDays} * ${dayMs} > ${now}`

/** By whom it is for, by a device's MAC, by its number, or by the whole code for whoever may see codes. */
function matching({ runtime: { secrets }, network, actor }: NetworkContext, wanted: string): SQL {
  const code = actor.authorities.has('vouchers_print') ? normalCode(wanted) : undefined
  const text = wanted.toLowerCase()
  const device = sql`EXISTS (SELECT 1 FROM ${voucherDevices} WHERE ${voucherDevices.voucher} = ${vouchers.id}
    AND instr(${voucherDevices.mac}, ${text.replaceAll('-', ':')}))`
  const ofCode = code ? sql` OR ${vouchers.digest} = ${digestOf(secrets, network.id, code)}` : sql``
  return sql`(instr(lower(${vouchers.note}), ${text}) OR cast(${vouchers.id} as text) = ${text} OR ${device}${ofCode})`
}

/** The newest first: sold, or used for the first time. */
export function findVouchers(context: NetworkContext, { search = '', most }: { search?: string; most: number }) {
  const { network, now } = context
  const wanted = search.trim()
  const where = and(eq(vouchers.network, network.id), wanted ? matching(context, wanted) : current(now))
  const rows = joined(context)
    .where(where)
    .orderBy(desc(sql`max(${vouchers.createdAt}, coalesce(${vouchers.firstUsedAt}, 0))`), desc(vouchers.id))
    .limit(most + 1)
    .all()
    .map(withTerms)
  return { result: shown(context, rows.slice(0, most)), more: rows.length > most }
}
