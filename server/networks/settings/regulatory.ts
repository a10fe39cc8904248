import { type Band, listenSeconds } from '@/model/wifi/channels'
import { regulatory } from './regulatory-data'

// Which channels an access point may use in a country, as the Linux kernel has it. Pure.

export type AllowedChannel = {
  channel: number
  /** Listens for radar so long before it sends (DFS); 0: it does not. */
  listenSeconds: number
  /** The most it may send, antenna included. */
  maxDbm: number
}
export type Allowed = Record<Band, AllowedChannel[]>

const bands = ['2g', '5g', '6g'] as const
/** Channels of 2.4 GHz lie next to each other, the others four numbers apart. */
const steps: Record<Band, number> = { '2g': 1, '5g': 4, '6g': 4 }
const shortListen = 60

/** `52-64:20r`. Without ETSI's rules no channel is listened on for longer than a minute. */
function channelsOf(band: Band, run: string, etsi: boolean): AllowedChannel[] {
  const [, from, to = from, dbm, radar] = /^(\d+)(?:-(\d+))?:(\d+)(r?)$/.exec(run) ?? []
  const count = (Number(to) - Number(from)) / steps[band] + 1
  return Array.from({ length: count }, (_, at) => {
    const channel = Number(from) + at * steps[band]
    const seconds = etsi ? Math.max(shortListen, listenSeconds(band, channel, 20)) : shortListen
    return { channel, listenSeconds: radar ? seconds : 0, maxDbm: Number(dbm) }
  })
}

const parsed = new Map<string, Allowed>()

function allowedBy(rules: string): Allowed {
  const [texts, etsi] = [rules.split(' | '), rules.endsWith('etsi')]
  const lists = bands.map((band, at) => {
    const runs = (texts[at] ?? '').split(' ').filter(Boolean)
    return [band, runs.flatMap(run => channelsOf(band, run, etsi))] as const
  })
  return Object.fromEntries(lists) as Allowed
}

/** By ISO 3166-1 alpha-2; undefined for a country that the list does not hold. */
export function allowedIn(country: string): Allowed | undefined {
  const held = parsed.get(country)
  if (held) return held
  const rules = Object.entries(regulatory).find(([, codes]) => codes.split(' ').includes(country))?.[0]
  const made = rules === undefined ? undefined : allowedBy(rules)
  if (made) parsed.set(country, made)
  return made
}
