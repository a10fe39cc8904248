import type { Tables } from './tables'

// Behind which port each bridge has each other one. Its own entry may have aged out; then others' entries tell.

/** Work that lets others in between. */
export type Steps<T = void> = Generator<undefined, T>
export const bridgesAStep = 20

/** So many entries have to say the same, or all that there are. */
const enough = 5
const mostLooked = 4000

/** What a bridge has on each of its ports, by end. */
type Seen = { end: number; port: number }[][]

function seenBy({ bridges, ends, at }: Tables): Seen {
  return bridges.map((_, bridge) => {
    const row = bridge * ends.length
    const seen: Seen[number] = []
    for (let end = 0; end < ends.length; end++) {
      const port = at[row + end] ?? 0
      if (port !== 0) seen.push({ end, port })
    }
    return seen
  })
}

/**
 * The other bridge has this one behind `back`: what it has behind another port is on its far side, and so behind it for
 * this one, too. 0 where nothing tells, or where they differ.
 */
function byFarSide({ at, ends }: Tables, one: number, far: Seen[number], back: number): number {
  let [found, votes] = [0, 0]
  for (const { end, port } of far) {
    const here = port === back || end === one ? 0 : (at[one * ends.length + end] ?? 0)
    if (here === 0) continue
    if (found !== 0 && found !== here) return 0
    found = here
    if (++votes >= enough) break
  }
  return found
}

type Pair = { here: number; there: number }

/** The only one of some ports; 0: none or several. */
function onlyOne(ports: ReadonlySet<number>): number {
  const [first = 0] = ports
  return ports.size === 1 ? first : 0
}

/** Where both have the same ends: their ports, each pair of them once. */
function commonPorts({ at, ends }: Tables, one: number, other: number, seen: Seen): Pair[] {
  const flipped = (seen[one]?.length ?? 0) > (seen[other]?.length ?? 0)
  const [shorter, row] = flipped ? [seen[other], one] : [seen[one], other]
  const pairs = new Map<number, Pair>()
  for (const { end, port } of (shorter ?? []).slice(0, mostLooked)) {
    const second = at[row * ends.length + end] ?? 0
    if (second !== 0)
      pairs.set(port * 65_536 + second, flipped ? { here: second, there: port } : { here: port, there: second })
  }
  return [...pairs.values()]
}

/**
 * Neither has the other: whatever both have is behind the port to the other for at least one of them. Returns the ports
 * for which that holds of everything; 0 where several do.
 */
function byBoth(tables: Tables, one: number, other: number, seen: Seen): Pair {
  const nothing = { here: 0, there: 0 }
  const pairs = commonPorts(tables, one, other, seen)
  const first = pairs[0]
  if (!first || pairs.length === 1) return nothing
  const [here, there] = [new Set(pairs.map(pair => pair.here)), new Set(pairs.map(pair => pair.there))]
  // All of it is behind one port of the one: that looks at the other, whose own port may be any.
  if (here.size === 1) return { here: first.here, there: 0 }
  if (there.size === 1) return { here: 0, there: first.there }
  const thereElse = onlyOne(new Set(pairs.filter(pair => pair.here !== first.here).map(pair => pair.there)))
  const hereElse = onlyOne(new Set(pairs.filter(pair => pair.there !== first.there).map(pair => pair.here)))
  const fits = [
    ...(thereElse !== 0 ? [{ here: first.here, there: thereElse }] : []),
    ...(hereElse !== 0 ? [{ here: hereElse, there: first.there }] : []),
  ]
  const [found = nothing, second] = fits
  const same = !second || (second.here === found.here && second.there === found.there)
  return same ? found : nothing
}

function solvePair(tables: Tables, one: number, other: number, seen: Seen): void {
  const { at, ends } = tables
  const [here, there] = [one * ends.length + other, other * ends.length + one]
  const [ours, theirs] = [at[here] ?? 0, at[there] ?? 0]
  if (ours !== 0 && theirs !== 0) return
  if (ours === 0 && theirs !== 0) at[here] = byFarSide(tables, one, seen[other] ?? [], theirs)
  else if (ours !== 0) at[there] = byFarSide(tables, other, seen[one] ?? [], ours)
  else {
    const both = byBoth(tables, one, other, seen)
    at[here] = both.here
    at[there] = both.there
  }
}

/** So many bridges have to say the same of an end, or all that say anything. */
const witnesses = 3

/**
 * A bridge that has the end behind another port than this one: the end is beyond it, and so behind the same port as it.
 * 0 where none tells, or where they differ.
 */
function byWitness({ at, ends, bridges }: Tables, one: number, end: number): number {
  const size = ends.length
  let [found, votes] = [0, 0]
  for (let other = 0; other < bridges.length; other++) {
    const there = at[other * size + end] ?? 0
    const back = at[other * size + one] ?? 0
    const here = at[one * size + other] ?? 0
    if (there === 0 || back === 0 || here === 0 || there === back || other === end) continue
    if (found !== 0 && found !== here) return 0
    found = here
    if (++votes >= witnesses) break
  }
  return found
}

/** Asks the others of every end that a bridge does not have. Returns how many were found. */
function* askOthers(tables: Tables, from: number, to: number): Steps<number> {
  const { at, ends, bridges } = tables
  let found = 0
  for (let one = 0; one < bridges.length; one++) {
    for (let end = from; end < to; end++) {
      const cell = one * ends.length + end
      if (at[cell] !== 0 || end === one) continue
      const port = byWitness(tables, one, end)
      at[cell] = port
      if (port !== 0) found++
    }
    if (one % bridgesAStep === 0) yield
  }
  return found
}

const mostRounds = 4

/** Fills in behind which port of each bridge the others and the end devices are, where all tables together tell. */
export function* solveDirections(tables: Tables): Steps {
  const seen = seenBy(tables)
  const { bridges, ends } = tables
  for (let one = 0; one < bridges.length; one++) {
    for (let other = one + 1; other < bridges.length; other++) solvePair(tables, one, other, seen)
    if (one % bridgesAStep === 0) yield
  }
  for (let round = 0; round < mostRounds; round++) if ((yield* askOthers(tables, 0, bridges.length)) === 0) break
  yield* askOthers(tables, bridges.length, ends.length)
}
