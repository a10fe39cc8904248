import type { Radio } from '@/server/drivers/observation'

type ChannelUse = {
  channel: number
  /** Own radios that are on it. */
  radios: number
  /** How busy the air is there, by everybody who sends: the radio that finds it busiest. Absent where none measures it. */
  utilizationPercent?: number
}
/** The radios of one band that are on, by channel, lowest first. */
export type BandChannels = { band: NonNullable<Radio['band']>; channels: ChannelUse[] }

/** As many readings as radios, one byte each: 0-100 per cent, else not told. Undefined where none is. */
const untold = 255
export function airOf(radios: readonly Radio[] | undefined): Uint8Array | undefined {
  if (!radios?.some(one => one.utilizationPercent !== undefined)) return undefined
  return Uint8Array.from(radios, ({ utilizationPercent: busy = untold }) => (busy >= 0 && busy <= 100 ? busy : untold))
}

/** How busy the air is for the radio that finds it busiest, 0-100 per cent; undefined where none that is on tells. */
export function busiestAir(radios: readonly Radio[]): number | undefined {
  const told = radios.flatMap(({ up, utilizationPercent: busy = untold }) =>
    up !== false && busy >= 0 && busy <= 100 ? [busy] : [],
  )
  return told.length > 0 ? Math.max(...told) : undefined
}

type OnAir = { radios?: readonly Radio[]; air?: Uint8Array }
type Tuned = Pick<Radio, 'band' | 'channel'> & { busy: number }

const tunedOf = ({ radios = [], air }: OnAir): Tuned[] =>
  radios.flatMap(({ band, channel, up }, at) => (up === false ? [] : { band, channel, busy: air?.[at] ?? untold }))

function channelUse(radios: readonly Tuned[]): ChannelUse[] {
  const found = new Map<number, ChannelUse>()
  for (const { channel, busy } of radios) {
    if (channel === undefined) continue
    const one = found.get(channel) ?? { channel, radios: 0 }
    found.set(channel, one)
    one.radios += 1
    if (busy !== untold) one.utilizationPercent = Math.max(busy, one.utilizationPercent ?? 0)
  }
  return [...found.values()].sort((a, b) => a.channel - b.channel)
}

/** Which channels a network's own radios use, and how busy they are; a band without a radio that is on is left out. */
export function bandChannels(views: readonly OnAir[]): BandChannels[] {
  const radios = views.flatMap(tunedOf)
  return (['2g', '5g', '6g'] as const).flatMap(band => {
    const channels = channelUse(radios.filter(one => one.band === band))
    return channels.length > 0 ? { band, channels } : []
  })
}
