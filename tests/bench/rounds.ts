/** One round as an agent saw it: ms since the window began; `complete` is 0 when the last interface was never asked. */
export type Round = { address: string; begun: number; complete: number }
export type Completeness = {
  live: number
  due: number
  inTime: number
  /** Devices with at least one round that was not in time. */
  behind: number
  /** Longest time between the beginnings of two rounds of a device, ms; from the window's edges for the first and last. */
  worstGapMs: number
}

/**
 * How many of the rounds that were due within `windowMs` were complete before the device's next one was due. A device's
 * due times are a grid of `everyMs` through its earliest round relative to that grid: a round that began late is late.
 */
export function completeness(
  rounds: readonly Round[],
  addresses: readonly string[],
  windowMs: number,
  everyMs = 60_000,
): Completeness {
  const byDevice = new Map<string, Round[]>(addresses.map(address => [address, []]))
  for (const round of rounds) byDevice.get(round.address)?.push(round)
  const result: Completeness = { live: addresses.length, due: 0, inTime: 0, behind: 0, worstGapMs: 0 }
  for (const own of byDevice.values()) {
    const { due, inTime } = roundsOf(own, windowMs, everyMs)
    result.due += due
    result.inTime += inTime
    if (inTime < due) result.behind++
    result.worstGapMs = Math.max(result.worstGapMs, longestGap(own, windowMs))
  }
  return result
}

function roundsOf(own: readonly Round[], windowMs: number, everyMs: number): { due: number; inTime: number } {
  const first = own[0]?.begun
  if (first === undefined) return { due: Math.floor(windowMs / everyMs), inTime: 0 }
  const late = own.map(({ begun }) => begun - first - Math.round((begun - first) / everyMs) * everyMs)
  const start = (((first + Math.min(...late)) % everyMs) + everyMs) % everyMs
  const due = Math.max(0, Math.floor((windowMs - start) / everyMs))
  const done = new Set(
    own.flatMap(({ begun, complete }) => {
      const place = Math.round((begun - start) / everyMs)
      return complete > 0 && complete <= start + (place + 1) * everyMs && place >= 0 && place < due ? [place] : []
    }),
  )
  return { due, inTime: done.size }
}

function longestGap(own: readonly Round[], windowMs: number): number {
  const times = [0, ...own.map(({ begun }) => begun), windowMs]
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
}
