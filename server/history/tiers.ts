/** How finely history is kept, and how long (specification section 9, "Charts"). */
export const tiers = [
  { table: 'samples_5m', seconds: 300, keepSeconds: 27 * 3600, rows: 4_000_000 },
  { table: 'samples_30m', seconds: 1800, keepSeconds: 9 * 86_400, rows: 5_000_000 },
  { table: 'samples_3h', seconds: 10_800, keepSeconds: 190 * 86_400, rows: 8_000_000 },
] as const

export const ranges = ['2h', '1d', '1w', '1m', '3m', '6m'] as const
export type Range = (typeof ranges)[number]

/** Length of a range and the tier its points come from. */
export const rangeOf: Record<Range, { seconds: number; tier: 0 | 1 | 2 }> = {
  '2h': { seconds: 7200, tier: 0 },
  '1d': { seconds: 86_400, tier: 0 },
  '1w': { seconds: 7 * 86_400, tier: 1 },
  '1m': { seconds: 31 * 86_400, tier: 2 },
  '3m': { seconds: 92 * 86_400, tier: 2 },
  '6m': { seconds: 184 * 86_400, tier: 2 },
}

/** Start (unix s) of the bucket that holds `at` (unix ms). */
export const bucketOf = (at: number, seconds: number): number => Math.floor(at / 1000 / seconds) * seconds
