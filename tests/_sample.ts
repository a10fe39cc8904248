// LANWARD_SAMPLE, a seed: what is tried exhaustively is tried on a sample that the seed draws. Without it all is tried.
import { randomOf } from './soak/random'

const seed = process.env.LANWARD_SAMPLE ? Number(process.env.LANWARD_SAMPLE) : undefined

/** How often something random is tried. */
export const times = (whole: number, sample: number): number => (seed === undefined ? whole : sample)

/** All rows, or `count` of every group, in their order. */
export function sampled<T>(rows: readonly T[], count: number, groupOf: (row: T) => string = () => ''): T[] {
  if (seed === undefined) return [...rows]
  const random = randomOf(seed)
  const thrown = rows.map((row, at) => ({ row, at, by: random() })).sort((a, b) => a.by - b.by)
  const seen = new Map<string, number>()
  const taken = thrown.filter(({ row }) => {
    const group = groupOf(row)
    seen.set(group, (seen.get(group) ?? 0) + 1)
    return (seen.get(group) ?? 0) <= count
  })
  return taken.sort((a, b) => a.at - b.at).map(({ row }) => row)
}

/** All rows, or every `parts`th: with consecutive numbers `which`, each row is in one of so many shares. */
export const share = <T>(rows: readonly T[], which: number, parts: number): T[] =>
  rows.filter((_, at) => seed === undefined || (at + which + seed) % parts === 0)
