import type { Place } from './known'

// A wired client that two places show by turns is in a loop of cables, or its MAC is there twice: said once. Pure, but for the book.

/** Turns that are still moves, and how long it has to stay for the next one to be a move again. */
const mostMoves = 3
const calmMs = 600_000
const mostHeld = 1000

const nameOf = ({ device, port, ssid }: Place) => [device, port, ssid].map(part => part ?? '').join('\n')

/** MAC with its network → the two places, how often it changed between them, and when last. */
export type TurnBook = Map<string, { places: Set<string>; turns: number; at: number }>

/** What a move from one place to another is: a move, the turn at which taking turns is said, or one more of those. */
export function turnOf(
  book: TurnBook,
  key: string,
  [from, to]: readonly [Place, Place],
  now: number,
): 'moved' | 'takesTurns' | undefined {
  const places = new Set([nameOf(from), nameOf(to)])
  const held = book.get(key)
  const again = held && now - held.at < calmMs && [...places].every(one => held.places.has(one))
  const turns = again ? held.turns + 1 : 1
  book.delete(key)
  book.set(key, { places, turns, at: now })
  for (const [other, { at }] of book) {
    if (book.size <= mostHeld && now - at < calmMs) break
    book.delete(other)
  }
  if (turns <= mostMoves) return 'moved'
  return turns === mostMoves + 1 ? 'takesTurns' : undefined
}
