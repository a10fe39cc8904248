import type { LeftOut } from './left-out'

export type Impact = {
  ssids: string[]
  clients: number
  /** It cuts the manager's own way. */
  cuts: boolean
}
/** `modified` is undefined while the device was never read; `impact` is whom a push now would interrupt. */
export type SyncStatus = {
  modified: boolean | undefined
  impact: Impact
  /** What of the settings given to it is not on it after a push. */
  leftOut: LeftOut[]
  /** Kinds of settings among those given to it that nothing on it can do. */
  unfit: readonly string[]
  /** Blocked clients that its plan keeps out. */
  carries: readonly string[]
}
export type SyncCache = {
  /** Taken before anything is read that a standing is judged by. */
  turn(): number
  /** Something changed about this device, or, without one, about all. */
  changed(device?: number): void
  /** What is kept of a device, or else what `judge` says: kept then, unless something changed since `turn`. */
  of(device: number, turn: number, judge: () => Promise<SyncStatus>): Promise<SyncStatus>
}

const keptMs = 5 * 60_000

/** How each device stands against its last push, judged once however many ask. */
export function newSyncCache(): SyncCache {
  const kept = new Map<number, { at: number; standing: Promise<SyncStatus> }>()
  const changes = new Map<number, number>()
  let now = 0
  let allChanged = 0
  return {
    turn: () => now,
    changed(device) {
      now += 1
      if (device !== undefined) {
        kept.delete(device)
        changes.set(device, now)
        return
      }
      kept.clear()
      changes.clear()
      allChanged = now
    },
    of(device, turn, judge) {
      const held = kept.get(device)
      if (held && Date.now() - held.at < keptMs) return held.standing
      const standing = judge()
      if ((changes.get(device) ?? allChanged) > turn) return standing
      const own = { at: Date.now(), standing }
      kept.set(device, own)
      standing.catch(() => kept.get(device) === own && kept.delete(device))
      return standing
    },
  }
}
