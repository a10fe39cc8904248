import type { GuestEnd } from '@/model/guests/session'
import type { GuestUse } from '@/server/drivers/guests'

// What is to be done about guests, by what their gateways say. Pure.

export type Held = {
  id: number
  mac: string
  lan: string
  /** Unix ms, as the others. */
  ends: number
  activeAt: number
  idleSeconds: number
  bytes: number
  byteLimit: number | null
  /** Device → bytes that it told last. */
  readings: Readonly<Record<string, number>>
}
/** What a gateway said, and of which LANs it has the gate. */
export type Reading = { device: number; lans: ReadonlySet<string>; uses: ReadonlyMap<string, GuestUse> }

export type Verdict = {
  bytes: number
  readings: Record<string, number>
  activeAt: number
  /** Where the guest was active last. */
  seen?: { device: number; address?: string }
  ended?: GuestEnd
  /** Gateways that do not know the guest, after a restart say, or let in for less than is left. */
  missing: number[]
  /** Gateways that know the guest and are about to forget. */
  forgetting: number[]
  /** Gateways that would let much more through than is left, as it was used behind another one. */
  loose: number[]
}

/** Clocks and the way to a gateway take some. */
const slackSeconds = 60

/** It did not hear of a later end. */
const isShort = (use: GuestUse, { ends }: Held, now: number): boolean =>
  use.secondsLeft + slackSeconds < (ends - now) / 1000

/** A gateway that let the guest in anew counts from nothing. */
const grown = (now: number, before = 0) => (now >= before ? now - before : now)

const activeBy = (use: GuestUse, gained: number, held: Held, now: number): number =>
  use.idleSeconds === undefined ? (gained > 0 ? now : held.activeAt) : now - use.idleSeconds * 1000

type Known = { device: number; use: GuestUse; activeAt: number }
/** What gateways tell of idleness is rounded, and told one after the other. */
const roundedMs = 5000

/**
 * A gateway is about to forget the guest for idleness, who was active behind another one since: whoever walks back would be
 * kept out until the next look.
 */
const isForgetting = ({ use, activeAt }: Known, latest: number, { idleSeconds }: Held): boolean =>
  use.idleSeconds !== undefined && use.idleSeconds + slackSeconds > idleSeconds && latest > activeAt + roundedMs

/** By less than this part of what is left nobody is told: that ends. */
const looseBy = 0.1
const isLoose = ({ bytesLeft }: GuestUse, byteLimit: number | null, bytes: number): boolean =>
  byteLimit !== null && bytesLeft !== undefined && bytesLeft > (byteLimit - bytes) * (1 + looseBy)

/** What is left of the time to be idle: a gateway that is told it takes no telling for activity. */
export const idleLeft = ({ activeAt, idleSeconds }: Pick<Held, 'activeAt' | 'idleSeconds'>, now: number): number =>
  Math.max(slackSeconds, idleSeconds - Math.max(0, Math.floor((now - activeAt) / 1000)))

type Now = Pick<Held, 'bytes' | 'activeAt'> & { whole: boolean }

function endOf(held: Held, { bytes, activeAt, whole }: Now, now: number): GuestEnd | undefined {
  if (now >= held.ends) return 'time'
  if (held.byteLimit !== null && bytes >= held.byteLimit) return 'bytes'
  // Behind a gateway that does not answer the guest may be as busy as can be.
  return whole && now - activeAt >= held.idleSeconds * 1000 ? 'idle' : undefined
}

/** How one guest stands after its LAN's gateways were read, so many in all; those that did not answer say nothing. */
export function judge(held: Held, all: readonly Reading[], gateways: number, now: number): Verdict {
  const own = all.filter(one => one.lans.has(held.lan))
  const known = own.flatMap(({ device, uses }) => {
    const use = uses.get(held.mac)
    const gained = use && grown(use.bytes, held.readings[device])
    return use && gained !== undefined ? [{ device, use, gained, activeAt: activeBy(use, gained, held, now) }] : []
  })
  const bytes = known.reduce((sum, one) => sum + one.gained, held.bytes)
  const activeAt = known.reduce((latest, one) => Math.max(latest, one.activeAt), held.activeAt)
  const last = known.toSorted((a, b) => b.activeAt - a.activeAt)[0]
  const ended = endOf(held, { bytes, activeAt, whole: own.length === gateways }, now)
  const address = last?.use.addresses[0]
  const isDue = ({ uses }: Reading) => {
    const use = uses.get(held.mac)
    return !use || isShort(use, held, now)
  }
  const latest = Math.max(...known.map(one => one.activeAt))
  const missing = ended ? [] : own.filter(isDue).map(one => one.device)
  const told = ended ? [] : known.filter(one => !missing.includes(one.device))
  const devicesOf = (some: readonly Known[]) => some.map(one => one.device)
  return {
    bytes,
    activeAt,
    readings: { ...held.readings, ...Object.fromEntries(known.map(one => [one.device, one.use.bytes])) },
    ...(last && { seen: { device: last.device, ...(address && { address }) } }),
    ...(ended && { ended }),
    missing,
    forgetting: devicesOf(told.filter(one => isForgetting(one, latest, held))),
    loose: devicesOf(told.filter(one => isLoose(one.use, held.byteLimit, bytes))),
  }
}

/** Whom a gateway lets through and nobody should: whoever was ended while it did not answer. */
export const strangers = ({ uses }: Reading, held: ReadonlySet<string>): string[] =>
  [...uses.keys()].filter(mac => !held.has(mac))
