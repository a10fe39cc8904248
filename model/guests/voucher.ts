import * as z from 'zod'
import { limits } from '@/model/limits'
import { generalName } from '@/model/names'
import { oneLine } from '@/model/rules'

/** Numbers of the specification (2-rules.md section 4). */
export const voucherStates = { unused: 0, inUse: 1, used: 2, expired: 3 } as const
export type VoucherState = (typeof voucherStates)[keyof typeof voucherStates]
export const everyVoucherState = Object.values(voucherStates)

/** Rule S1. */
export const mayRenew = (state: VoucherState): boolean => state === voucherStates.inUse || state === voucherStates.used

export const bytesAreOf = ['voucher', 'device'] as const

/** kbit/s: rule G13 counts 1 to 1023, of Kbps or of Mbps. */
export const isVoucherRate = (kbps: number): boolean =>
  Number.isInteger(kbps) &&
  kbps >= limits.voucherRate.min &&
  (kbps <= limits.voucherRate.max || (kbps % 1000 === 0 && kbps / 1000 <= limits.voucherRate.max))

const { voucherQuantity, voucherDevices, voucherValidityDays, voucherMegabytes, resetDays } = limits
const between = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max)
const rate = z.int().refine(isVoucherRate, 'voucherRate')

/** Rule G9. */
export const quantity = between(voucherQuantity)

/** What a group of vouchers says of each of them; `null`: no limit. */
export const voucherTerms = {
  /** Rule G8. */
  name: generalName(limits.voucherGroupNameCharacters),
  /** Rules G11 and G21: how long a voucher lets in, all its times together. */
  days: between({ min: 0, max: 365 }),
  hours: between({ min: 0, max: 23 }),
  minutes: between({ min: 0, max: 59 }),
  /** Rule G12: from the day it was made or renewed. */
  validityDays: between(voucherValidityDays),
  /** Rule G10: 0 is any number. */
  maxDevices: between(voucherDevices).default(1),
  /** Rule G13, here and below. MB of 1,048,576 bytes, both directions. */
  byteLimitMb: between(voucherMegabytes).nullable().default(null),
  bytesPer: z.enum(bytesAreOf).default('voucher'),
  downloadKbps: rate.nullable().default(null),
  uploadKbps: rate.nullable().default(null),
  /** Rule G15: each so many days what was used counts from 0 again; 0: never. Hour of the network's time. */
  resetDays: between(resetDays).default(0),
  resetHour: between({ min: 0, max: 23 }).default(0),
  /** Sold at the front desk, one by one. */
  desk: z.boolean().default(false),
  notes: z.string().trim().max(limits.textCharacters, 'tooLong').regex(oneLine, 'controlCharacters').default(''),
}

/** Rule G13: rates of one voucher alone; null: its group's, 0: no limit. */
export const ownRates = {
  downloadKbps: z.union([z.literal(0), rate]).nullable(),
  uploadKbps: z.union([z.literal(0), rate]).nullable(),
}
/** What is said of one voucher alone: time that was added to it, and its rates. */
type OwnTerms = { addedSeconds: number; downloadKbps: number | null; uploadKbps: number | null }

/** A group's terms as they hold for one of its vouchers. */
export const termsOf = <Terms extends Omit<OwnTerms, 'addedSeconds'> & { seconds: number }>(
  group: Terms,
  { addedSeconds, downloadKbps, uploadKbps }: OwnTerms,
): Terms => ({
  ...group,
  seconds: group.seconds + addedSeconds,
  downloadKbps: (downloadKbps ?? group.downloadKbps) || null,
  uploadKbps: (uploadKbps ?? group.uploadKbps) || null,
})

export type Lasting = { days: number; hours: number; minutes: number }
export const lastingSeconds = ({ days, hours, minutes }: Lasting): number => ((days * 24 + hours) * 60 + minutes) * 60

/** The same in days, hours and minutes. */
export function lastingOf(seconds: number): Lasting {
  const all = Math.floor(seconds / 60)
  return { days: Math.floor(all / 1440), hours: Math.floor(all / 60) % 24, minutes: all % 60 }
}

/** Rule G11: one minute to 365 days. */
export function lastingProblem(lasting: Lasting): 'voucherDuration' | undefined {
  const seconds = lastingSeconds(lasting)
  return seconds < 60 || seconds > 365 * 86_400 ? 'voucherDuration' : undefined
}

/** What a voucher's row says, times in unix ms; with `lastReset`, what was used before it is none. */
export type VoucherUse = {
  validFrom: number
  firstUsedAt: number | null
  usedSeconds: number
  usedBytes: number
  /** When what it used was last counted. */
  countedAt: number | null
}
export type VoucherBounds = {
  seconds: number
  validityDays: number
  byteLimitMb: number | null
  bytesPer: (typeof bytesAreOf)[number]
}

const dayMs = 86_400_000
/** When its validity ends, unix ms. */
export const validUntil = ({ validFrom }: Pick<VoucherUse, 'validFrom'>, { validityDays }: { validityDays: number }) =>
  validFrom + validityDays * dayMs

type Counted = Pick<VoucherUse, 'usedBytes' | 'countedAt'> & { usedSeconds?: number }
/** What counts of what was used: nothing of before the last reset. */
export const usedNow = (use: Counted, lastReset: number | undefined) =>
  lastReset !== undefined && (use.countedAt ?? 0) < lastReset
    ? { seconds: 0, bytes: 0 }
    : { seconds: use.usedSeconds ?? 0, bytes: use.usedBytes }

const megabyte = 1024 * 1024
export const limitBytes = ({ byteLimitMb }: Pick<VoucherBounds, 'byteLimitMb'>): number | undefined =>
  byteLimitMb === null ? undefined : byteLimitMb * megabyte

export function stateOf(use: VoucherUse, bounds: VoucherBounds, now: number, lastReset?: number): VoucherState {
  if (validUntil(use, bounds) <= now) return voucherStates.expired
  if (use.firstUsedAt === null) return voucherStates.unused
  const { seconds, bytes } = usedNow(use, lastReset)
  const most = bounds.bytesPer === 'voucher' ? limitBytes(bounds) : undefined
  return seconds >= bounds.seconds || (most !== undefined && bytes >= most) ? voucherStates.used : voucherStates.inUse
}
