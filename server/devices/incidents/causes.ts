import type { Parent } from './wiring'

/** How a device stands. `since`: when that was noticed; `seenAt`: its last answer, absent where it never gave one. Unix ms. */
export type Standing = { down: boolean; since: number; seenAt?: number | undefined }

/**
 * The device whose failure explains that this one is offline: the one nearest to the manager that is silent, too, and
 * that this one was not heard after. Somebody in between who answered since then was not cut off, so nobody above is the
 * cause; one that was not asked since says nothing. The device itself where nobody else is.
 */
export function rootOf(
  device: number,
  parents: ReadonlyMap<number, Parent>,
  standings: ReadonlyMap<number, Standing>,
): number {
  const own = standings.get(device)
  const passed = new Set([device])
  let root = device
  for (let at = parents.get(device)?.parent; own && at !== undefined; at = parents.get(at)?.parent) {
    if (passed.has(at)) break
    passed.add(at)
    const one = standings.get(at)
    if (one?.down) root = (own.seenAt ?? 0) > one.since ? root : at
    else if ((one?.seenAt ?? 0) >= own.since) break
  }
  return root
}
