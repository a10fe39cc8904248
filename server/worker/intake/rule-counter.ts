/** When lines of one device are an alert, and when that is over. */
type Terms = { count: number; minutes: number; quietMinutes: number }
/** What made an alert: unix ms of the first line that counted, and of the last. */
export type Reached = { from: number; at: number }

const minuteMs = 60_000
/** Lines within a part of the time are counted as one entry: of each device only so many are held. */
const parts = 60
/** Devices whose lines one rule counts; the longest silent are forgotten. */
const mostCounted = 2000
/** Alerts of one rule that are open at a time: what comes from still more devices says nothing new. */
export const mostOpen = 100
/** A line that comes so soon after another changes nothing about an alert that is open. */
const restMs = 1000
/** A clock that was set back by more begins anew. */
const backMs = 60_000

type Counted = { at: number; lines: number }

/** Counts the lines of each device within the time of the rule, until they are an alert, and waits for its end. */
export function ruleCounter({ count, minutes, quietMinutes }: Terms) {
  const spanMs = minutes * minuteMs
  const quietMs = quietMinutes * minuteMs
  const counted = new Map<number, Counted[]>()
  /** Device → its last line. */
  const open = new Map<number, number>()

  const begin = (device: number, from: number, at: number): Reached => {
    counted.delete(device)
    open.set(device, at)
    return { from, at }
  }
  const counting = (device: number, at: number): Counted[] => {
    const held = counted.get(device) ?? []
    const isBack = (held.at(-1)?.at ?? 0) > at + backMs
    const fresh = isBack ? [] : held.filter(one => one.at > at - spanMs)
    counted.delete(device)
    counted.set(device, fresh)
    if (counted.size > mostCounted) counted.delete(counted.keys().next().value as number)
    return fresh
  }
  return {
    open,
    /** Whether a line of the device need not be looked at: it would change nothing. */
    rests(device: number, at: number): boolean {
      const last = open.get(device)
      return last === undefined ? open.size >= mostOpen : at >= last && at - last < restMs
    },
    /** A line of a device. Returns what it brought about where that is an alert. */
    see(device: number, at: number): Reached | undefined {
      if (open.has(device)) {
        open.set(device, at)
        return undefined
      }
      if (open.size >= mostOpen) return undefined
      if (count === 1) return begin(device, at, at)
      const held = counting(device, at)
      const last = held.at(-1)
      if (last && at - last.at < spanMs / parts && held.length >= parts / 2) last.lines += 1
      else held.push({ at, lines: 1 })
      const lines = held.reduce((sum, one) => sum + one.lines, 0)
      return lines < count ? undefined : begin(device, held[0]?.at ?? at, at)
    },
    /** Devices whose alert is over. */
    settle(now: number): number[] {
      const over: number[] = []
      for (const [device, last] of open) {
        // The clock was set back: it is quiet from now on.
        if (last > now) open.set(device, now)
        else if (now - last >= quietMs) over.push(device)
      }
      for (const device of over) open.delete(device)
      for (const [device, held] of counted) if ((held.at(-1)?.at ?? 0) <= now - spanMs) counted.delete(device)
      return over
    },
    /** Whether an alert of the device would be over before a line at this time. */
    isOver: (device: number, at: number): boolean => at - (open.get(device) ?? at) >= quietMs,
    close: (device: number): void => void open.delete(device),
  }
}
export type RuleCounter = ReturnType<typeof ruleCounter>

/** How many alerts these lines, newest first, would have made. */
export function alertsOf(terms: Terms, lines: readonly { at: number; device: number }[]): number {
  const counter = ruleCounter(terms)
  let alerts = 0
  for (const { at, device } of lines.toReversed()) {
    for (const one of counter.open.size >= mostOpen ? counter.open.keys() : [device])
      if (counter.isOver(one, at)) counter.close(one)
    if (counter.see(device, at)) alerts += 1
  }
  return alerts
}
