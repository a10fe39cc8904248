import { bridgesAStep, type Steps } from './directions'
import type { Tables } from './tables'

// Which ports of bridges look at each other with no managed bridge in between: a segment. Of two it is a cable; of more,
// or with end devices in it, something stands in between that tells nothing of itself.

/** One port of a bridge as a number. */
export type PortId = number
export const portId = (bridge: number, port: number): PortId => bridge * 65_536 + port
export const bridgeOf = (id: PortId): number => Math.floor(id / 65_536)
export const portOf = (id: PortId): number => id % 65_536

export type Segments = {
  /** By port: all ports of its segment, its own included. */
  of: Map<PortId, PortId[]>
  /** Ports behind which a bridge may be that no entry places. */
  unsure: Set<PortId>
  /** Behind which a managed bridge is. */
  inner: Set<PortId>
}

type Verdict = 'adjacent' | 'apart' | 'perhaps'

/** Whether another bridge stands between two that look at each other. */
function between({ at, ends }: Tables, one: number, other: number, third: number): Verdict {
  const size = ends.length
  const [toOne, toOther] = [at[third * size + one] ?? 0, at[third * size + other] ?? 0]
  const [ours, theirs] = [at[one * size + third] ?? 0, at[other * size + third] ?? 0]
  const [here, there] = [at[one * size + other] ?? 0, at[other * size + one] ?? 0]
  const outside =
    (toOne !== 0 && toOne === toOther) || (ours !== 0 && ours !== here) || (theirs !== 0 && theirs !== there)
  const inside = toOne !== 0 && toOther !== 0 && toOne !== toOther
  if (inside) return outside ? 'perhaps' : 'apart'
  // Nothing at all is known of where it is: it hides nothing that anybody has seen.
  return outside || (toOne | toOther | ours | theirs) === 0 ? 'adjacent' : 'perhaps'
}

function verdictOf(tables: Tables, one: number, other: number, likely: number[]): Verdict {
  const guess = likely[one] ?? one
  if (guess !== one && guess !== other && between(tables, one, other, guess) === 'apart') return 'apart'
  let verdict: Verdict = 'adjacent'
  for (let third = 0; third < tables.bridges.length; third++) {
    if (third === one || third === other) continue
    const found = between(tables, one, other, third)
    if (found === 'adjacent') continue
    verdict = found
    if (found === 'apart') {
      likely[one] = third
      return found
    }
  }
  return verdict
}

/** Ports that belong together, by pairs. */
function joined(pairs: readonly (readonly [PortId, PortId])[]): Map<PortId, PortId[]> {
  const of = new Map<PortId, PortId[]>()
  for (const [a, b] of pairs) {
    const [mine, theirs] = [of.get(a) ?? [a], of.get(b) ?? [b]]
    if (mine === theirs) continue
    const all = [...mine, ...theirs]
    for (const id of all) of.set(id, all)
  }
  return of
}

/** Segments with two ports of one bridge are no tree: what tells of them is not believed. */
function dropLoops(of: Map<PortId, PortId[]>, unsure: Set<PortId>): void {
  for (const all of new Set(of.values())) {
    if (new Set(all.map(bridgeOf)).size === all.length) continue
    for (const id of all) {
      of.delete(id)
      unsure.add(id)
    }
  }
}

type Finding = Pick<Segments, 'unsure' | 'inner'> & { pairs: (readonly [PortId, PortId])[]; likely: number[] }

/** Two bridges: whether nothing stands between them. */
function comparePair(tables: Tables, one: number, other: number, known: ReadonlySet<string>, into: Finding): void {
  const { at, ends } = tables
  const [here, there] = [at[one * ends.length + other] ?? 0, at[other * ends.length + one] ?? 0]
  if (here !== 0) into.inner.add(portId(one, here))
  if (there !== 0) into.inner.add(portId(other, there))
  if (here === 0 || there === 0) return
  const pair = [portId(one, here), portId(other, there)] as const
  if (known.has(pair.join(' '))) return
  const verdict = verdictOf(tables, one, other, into.likely)
  if (verdict === 'adjacent') into.pairs.push(pair)
  if (verdict === 'perhaps') for (const id of pair) into.unsure.add(id)
}

/** `sure`: pairs of ports that LLDP or CDP tells. */
export function* findSegments(tables: Tables, sure: readonly (readonly [PortId, PortId])[]): Steps<Segments> {
  const into: Finding = { pairs: [], unsure: new Set(), inner: new Set(), likely: [] }
  const known = new Set(sure.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]))
  for (let one = 0; one < tables.bridges.length; one++) {
    for (let other = one + 1; other < tables.bridges.length; other++) comparePair(tables, one, other, known, into)
    if (one % bridgesAStep === 0) yield
  }
  const { pairs, unsure, inner } = into
  const of = joined([...sure, ...pairs])
  for (const id of sure.flat()) unsure.delete(id)
  dropLoops(of, unsure)
  return { of, unsure, inner }
}
