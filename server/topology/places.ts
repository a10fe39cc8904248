import { bridgesAStep, type Steps } from './directions'
import { bridgeOf, type PortId, portId, portOf, type Segments } from './segments'
import type { Tables } from './tables'

// Where each end hangs: behind the port from which the search goes no further.

/** `exact`: on that port's own segment; else somewhere behind it. */
export type Place = { port: PortId; exact: boolean }

/** The bridge nearest to an end, by what all of them say. */
function nearest({ at, ends, bridges }: Tables, end: number): PortId | undefined {
  const size = ends.length
  let [bridge, port] = [-1, 0]
  for (let other = 0; other < bridges.length; other++) {
    const there = other === end ? 0 : (at[other * size + end] ?? 0)
    if (there === 0) continue
    if (bridge < 0) {
      ;[bridge, port] = [other, there]
      continue
    }
    const [towards, back] = [at[bridge * size + other] ?? 0, at[other * size + bridge] ?? 0]
    const beyond = (towards === 0 || towards === port) && back !== 0 && back !== there
    if (beyond) [bridge, port] = [other, there]
  }
  return bridge < 0 ? undefined : portId(bridge, port)
}

/** By bridge: those that are somewhere, and that it does not have. */
function missedBy({ at, ends, bridges }: Tables): number[][] {
  const size = ends.length
  return bridges.map((_, one) =>
    bridges.flatMap((__, other) => (other !== one && at[one * size + other] === 0 ? [other] : [])),
  )
}

/**
 * Every other port of the segment has the end on its own side of it, too; and no bridge that may be behind the port hides
 * the end behind itself.
 */
function isOn(tables: Tables, end: number, port: PortId, segments: Segments, missed: number[][]): boolean {
  const { at, ends } = tables
  const { of, unsure, inner } = segments
  const [size, bridge] = [ends.length, bridgeOf(port)]
  const all = of.get(port)
  if (unsure.has(port) || (!all && inner.has(port))) return false
  if (!(all ?? []).every(one => at[bridgeOf(one) * size + end] === portOf(one))) return false
  return (missed[bridge] ?? []).every(other => {
    const [to, there] = [at[other * size + end] ?? 0, at[other * size + bridge] ?? 0]
    return to !== 0 && to === there
  })
}

/** Of every end that is no bridge; those that nobody sees are left out. */
export function* placesOf(tables: Tables, segments: Segments): Steps<Map<number, Place>> {
  const found = new Map<number, Place>()
  const missed = missedBy(tables)
  for (let end = tables.bridges.length; end < tables.ends.length; end++) {
    const port = nearest(tables, end)
    if (port !== undefined) found.set(end, { port, exact: isOn(tables, end, port, segments, missed) })
    if (end % (bridgesAStep * 50) === 0) yield
  }
  return found
}

/** A bridge's place for others: the nearest one's port behind which it is somewhere. */
export const bridgeBehind = (tables: Tables, bridge: number): PortId | undefined => nearest(tables, bridge)
