import type { ConnectionHalf } from './traffic-lines'

/** A connection as both its lines tell of it. Without `outer` only the first was heard: how it left is not known. */
export type Translated = {
  client: string
  port?: number
  outer?: string
  outerPort?: number
  target: string
  targetPort?: number
  protocol: string
}

/** The second line follows the first at once; over UDP it may be lost, or come before it. */
const waitMs = 2000
/** Lines that wait for another; beyond, the oldest waits no longer. */
const mostWaiting = 4096
/** As many that look for the same. */
const mostAlike = 64

type Half = ConnectionHalf & { at: number; device: number; key: string }

const keyOf = (device: number, { protocol, target, targetPort }: ConnectionHalf) =>
  `${device} ${protocol} ${target} ${targetPort ?? ''}`

/** Of lines that may be the other one: that of the same packet; where packets are not numbered, of the same port, or the oldest. */
const otherOf = (half: Half, waiting: readonly Half[]): Half | undefined => {
  const possible = waiting.filter(one => one.side !== half.side && one.packet === half.packet)
  return half.packet === undefined
    ? (possible.find(one => one.sourcePort === half.sourcePort) ?? possible[0])
    : possible[0]
}

function joined(inner: Half, outer?: Half): Translated {
  const { source: client, sourcePort, target, targetPort, protocol } = inner
  return {
    ...{ client, target, protocol },
    ...(sourcePort !== undefined && { port: sourcePort }),
    ...(targetPort !== undefined && { targetPort }),
    ...(outer && { outer: outer.source }),
    ...(outer?.sourcePort !== undefined && { outerPort: outer.sourcePort }),
  }
}

/**
 * Joins the two lines of a connection, before and after its translation, of each device for itself. A line `out` that stays
 * alone is of a connection of the gateway's own.
 */
export function natPairs(onConnection: (connection: Translated, device: number, at: number) => void) {
  const waiting = new Map<string, Half[]>()
  /** In the order in which they came. */
  const all = new Set<Half>()
  const take = (half: Half) => {
    all.delete(half)
    const others = (waiting.get(half.key) ?? []).filter(one => one !== half)
    if (others.length) waiting.set(half.key, others)
    else waiting.delete(half.key)
  }
  const giveUp = (half: Half) => {
    take(half)
    if (half.side === 'in') onConnection(joined(half), half.device, half.at)
  }
  return {
    see(told: ConnectionHalf, device: number, at: number): void {
      const half = { ...told, at, device, key: keyOf(device, told) }
      const before = waiting.get(half.key)
      if (before?.[0] && before.length >= mostAlike) giveUp(before[0])
      const same = waiting.get(half.key) ?? []
      const other = otherOf(half, same)
      if (other) {
        take(other)
        const [inner, outer] = half.side === 'in' ? [half, other] : [other, half]
        onConnection(joined(inner, outer), device, Math.min(half.at, other.at))
        return
      }
      waiting.set(half.key, [...same, half])
      all.add(half)
      const [oldest] = all
      if (oldest && all.size > mostWaiting) giveUp(oldest)
    },
    /** Those that waited long enough are kept as far as they are known. */
    settle(now: number): void {
      for (const half of all) {
        if (half.at > now - waitMs) return
        giveUp(half)
      }
    },
    /** At the end nothing more comes. */
    end(): void {
      for (const half of all) giveUp(half)
    },
  }
}
