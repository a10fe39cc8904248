import { type Band, parts, widths } from '@/model/wifi/channels'
import type { AllowedChannel } from '@/server/networks/settings/regulatory'

// Which channel an access point gets where settings leave it open. Pure.

/** Half of what is usual in rooms. Much of Europe has 25 mW above channel 144: such a channel would reach a few metres. */
const leastDbm = 17

/** Those of 2.4 GHz that leave each other alone, and those on which clients look for networks of 6 GHz (IEEE 802.11ax). */
const isPreferred: Record<Band, (channel: number) => boolean> = {
  '2g': channel => channel % 5 === 1 && channel <= 11,
  '5g': () => true,
  '6g': channel => channel % 16 === 5,
}

/** Nobody has to listen for radar there before it sends. */
export const isQuiet = ({ listenSeconds }: AllowedChannel): boolean => listenSeconds === 0

/** Channels of the widest kind up to `width` that a country allows whole, without radar, at a power that reaches. */
function candidates(band: Band, width: number, allowed: readonly AllowedChannel[]): number[] {
  const quiet = allowed.filter(isQuiet)
  const strong = quiet.filter(({ maxDbm }) => maxDbm >= leastDbm)
  const numbers = (strong.length > 0 ? strong : quiet).map(({ channel }) => channel)
  const possible = widths[band].filter(one => one <= width).toReversed()
  const fitting = possible.map(one =>
    numbers.filter(
      channel => isPreferred[band](channel) && parts(band, channel, one)?.every(part => numbers.includes(part)),
    ),
  )
  return fitting.find(channels => channels.length > 0) ?? []
}

/** A channel of 2.4 GHz is 20 MHz wide, and its number is 5 MHz. */
const overlaps = (band: Band, width: number, a: number, b: number): boolean =>
  band === '2g' ? Math.abs(a - b) < 4 : (parts(band, a, width) ?? [a]).includes(b)

/** How many access points are on a channel. */
export type Used = ReadonlyMap<number, number>

/**
 * The channel that the fewest of the others overlap, of those the one that the fewest are on, of those the lowest.
 * Undefined where the country allows none.
 */
export function chooseChannel(
  { band, width, allowed }: { band: Band; width: number; allowed: readonly AllowedChannel[] },
  used: Used,
): number | undefined {
  const near = (channel: number) =>
    [...used].reduce((sum, [other, count]) => sum + (overlaps(band, width, channel, other) ? count : 0), 0)
  return candidates(band, width, allowed)
    .map(channel => ({ channel, near: near(channel), same: used.get(channel) ?? 0 }))
    .toSorted((a, b) => a.near - b.near || a.same - b.same || a.channel - b.channel)[0]?.channel
}
