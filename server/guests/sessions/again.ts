import { and, desc, eq, ne } from 'drizzle-orm'
import { guests } from '@/db/schema'
import { type GuestMethod, guestMethods } from '@/model/guests/methods'
import type { Answer } from '@/model/guests/questions'
import { guestStates } from '@/model/guests/session'
import { remaining } from '@/server/guests/vouchers/redeem'
import type { Runtime } from '@/server/kernel/runtime'
import { closingOf, withinHours } from './opening'
import type { Place } from './place'
import type { Device, Entry, Guest } from './store'
import { restOf, withinUse } from './use'

// A device that fell silent, as phones do in a pocket, is out; whether it has to sign in again is the portal's to say.

/** The session that a device had last, whatever it tried since. */
const lastOf = ({ db }: Runtime, { network }: Place, { mac }: Device): Guest | undefined =>
  db
    .select()
    .from(guests)
    .where(and(eq(guests.network, network), eq(guests.mac, mac), ne(guests.state, guestStates.failed)))
    .orderBy(desc(guests.id))
    .limit(1)
    .get()

const methodOf = (code: number) =>
  (Object.keys(guestMethods) as GuestMethod[]).find(name => guestMethods[name] === code)

/** A RADIUS server decides each time: what it said may hold no more. */
function goesOn({ lan, policy }: Place, { lan: was, why, ends, method, provisional }: Guest, now: number): boolean {
  const name = methodOf(method)
  const isOffered = name !== undefined && name !== 'radius' && policy.methods.includes(name)
  return was === lan && why === 'idle' && ends > now && isOffered && !provisional
}

function leftOf(runtime: Runtime, place: Place, last: Guest, now: number): Entry | undefined {
  const { method, voucher, mac, label, answers, ends, byteLimit, bytes, downloadKbps, uploadKbps } = last
  const about = { method, label, answers: JSON.parse(answers) as Answer[] }
  const rates = {
    ...(downloadKbps !== null && { download: downloadKbps }),
    ...(uploadKbps !== null && { upload: uploadKbps }),
  }
  if (voucher !== null) {
    const left = remaining(runtime, { voucher, mac, now })
    return left && { ...about, ...rates, ...left }
  }
  const use = restOf(runtime, place.policy, last, now)
  if (use.none) return undefined
  const rest = {
    ...about,
    ...rates,
    seconds: (ends - now) / 1000,
    ...(byteLimit !== null && { bytes: byteLimit - bytes }),
  }
  return withinUse(rest, use)
}

/** What a device goes on with that is out for idleness alone; undefined: it signs in again. */
export function heldOver(runtime: Runtime, place: Place, device: Device, now: number): Entry | undefined {
  if (place.policy.idleSignIn) return undefined
  const last = lastOf(runtime, place, device)
  const left = last && goesOn(place, last, now) ? leftOf(runtime, place, last, now) : undefined
  const entry = left && withinHours(left, closingOf(runtime, place, { started: now, method: left.method }, now), now)
  return entry && entry.seconds > 0 && (entry.bytes ?? 1) > 0 ? entry : undefined
}
