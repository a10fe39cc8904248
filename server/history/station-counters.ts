// What passed between two readings of a client's octets, as its access point counts them since it joined. Pure.

/** To and from a client; absent: nobody tells. */
export type Octets = { down?: number; up?: number }

/** As an access point tells of it: `tx` to the client, `bss` where it has several. */
export type Station = {
  mac: string
  bss?: string
  signalDbm?: number
  txBytes?: number
  rxBytes?: number
  connectedSeconds?: number
  silentMs?: number
}

/** What was counted at `at` (unix ms), `seconds` after it joined. */
export type Counted = Octets & { at: number; seconds?: number }

const wrap = 2 ** 32
/** Both clocks count whole seconds, and a reading takes a moment. */
const slackSeconds = 3

export const countedOf = ({ txBytes: down, rxBytes: up, connectedSeconds: seconds }: Station, at: number): Counted => ({
  at,
  ...(down !== undefined && { down }),
  ...(up !== undefined && { up }),
  ...(seconds !== undefined && { seconds }),
})

/** It left and joined again in between: it has been there for less long than it would have been. */
const joinedAgain = (before: Counted, now: Counted): boolean =>
  before.seconds !== undefined &&
  now.seconds !== undefined &&
  now.seconds + slackSeconds < before.seconds + (now.at - before.at) / 1000

const sides = ['down', 'up'] as const
const hasFallen = (before: Counted, now: Counted) => (side: 'down' | 'up') => (now[side] ?? 0) < (before[side] ?? 0)

/**
 * Octets since the reading before. Counters begin anew with each association, and then tell all of them. One that fell
 * alone, from the upper half of 32 bits, went round; else both began anew.
 */
export function octetsSince(before: Counted, now: Counted): Octets {
  const whole = { down: now.down, up: now.up }
  if (joinedAgain(before, now)) return whole
  const fallen = sides.filter(hasFallen(before, now))
  const wentRound = sides.some(side => fallen.length === 1 && fallen[0] === side && isNearEnd(before[side]))
  if (fallen.length > 0 && !wentRound) return whole
  const since = (side: 'down' | 'up') => {
    const [from, to] = [before[side], now[side]]
    return from === undefined || to === undefined ? undefined : to - from + (to < from ? wrap : 0)
  }
  return { down: since('down'), up: since('up') }
}

const isNearEnd = (octets = 0) => octets >= wrap / 2 && octets < wrap

/** Of one that was not there before: all of it where it joined after `knownSince` (unix ms), else nobody can tell. */
export const octetsOfNew = (now: Counted, knownSince: number): Octets =>
  now.seconds !== undefined && now.at - (now.seconds + 1) * 1000 >= knownSince ? { down: now.down, up: now.up } : {}
