// Channels of IEEE 802.11 and what they take of the air. Pure.

export type Band = '2g' | '5g' | '6g'

/** MHz, widest last. */
export const widths = { '2g': [20, 40], '5g': [20, 40, 80, 160], '6g': [20, 40, 80, 160, 320] } as const

/** Runs of 20 MHz channels, each four numbers after the one before; wider ones are made of neighbours within a run. */
const runs: Record<Exclude<Band, '2g'>, readonly { first: number; count: number }[]> = {
  '5g': [
    { first: 36, count: 8 },
    { first: 100, count: 8 },
    { first: 132, count: 4 },
    { first: 149, count: 4 },
    { first: 165, count: 1 },
  ],
  '6g': [
    { first: 1, count: 56 },
    { first: 225, count: 2 },
    { first: 233, count: 1 },
  ],
}

function runOf(band: Exclude<Band, '2g'>, channel: number) {
  const run = runs[band].find(
    ({ first, count }) => channel >= first && channel < first + 4 * count && (channel - first) % 4 === 0,
  )
  return run && { ...run, at: (channel - run.first) / 4 }
}

/** The 20 MHz channels that a channel of this width takes; undefined where there is no such channel. */
export function parts(band: Band, channel: number, width: number): number[] | undefined {
  if (band === '2g') return channel >= 1 && channel <= 13 && width <= 40 ? [channel] : undefined
  const run = runOf(band, channel)
  const count = width / 20
  const from = run && Math.floor(run.at / count) * count
  if (!run || from === undefined || from + count > run.count) return undefined
  return Array.from({ length: count }, (_, at) => run.first + 4 * (from + at))
}

export const isChannel = (band: Band, channel: number): boolean => parts(band, channel, 20) !== undefined

/** Number of the middle of a channel of 40 MHz and more, above 2.4 GHz. */
export function centre(band: Exclude<Band, '2g'>, channel: number, width: number): number {
  const taken = parts(band, channel, width) ?? [channel]
  return ((taken[0] ?? channel) + (taken.at(-1) ?? channel)) / 2
}

/** The other half of a 40 MHz channel lies above it, or below. */
export const above = (band: Band, channel: number): boolean =>
  band === '2g' ? channel <= 7 : ((runOf(band, channel)?.at ?? 0) & 1) === 0

const radar = (channel: number) => channel >= 52 && channel <= 144
const weather = (channel: number) => channel >= 120 && channel <= 128

/**
 * Seconds that a radio listens for radar before it sends (EN 301 893, FCC 15.407): 600 where weather radar works. One that
 * chooses its channel itself may come upon any.
 */
export function listenSeconds(band: Band, channel: number, width: number): number {
  if (band !== '5g') return 0
  const taken = parts(band, channel, width) ?? []
  return taken.some(weather) ? 600 : taken.some(radar) ? 60 : 0
}
