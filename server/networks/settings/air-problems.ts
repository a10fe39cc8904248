import type { FieldErrors, FieldValues } from '@/model/field-errors'
import type { Data } from '@/model/kind'
import { type Band, isChannel } from '@/model/wifi/channels'
import { type AllowedChannel, allowedIn } from './regulatory'

// What is set for radios, held against the law of where they stand. Pure.

const bands = ['2g', '5g', '6g'] as const
const steps: Record<Band, number> = { '2g': 1, '5g': 4, '6g': 4 }

/** `36-64, 100-140`: runs of neighbours, each by its ends. */
function runsOf(band: Band, allowed: readonly AllowedChannel[]): string {
  const runs: [number, number][] = []
  for (const { channel } of allowed) {
    const run = runs.at(-1)
    if (run && run[1] + steps[band] === channel) run[1] = channel
    else runs.push([channel, channel])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}

type Problems = { fields: FieldErrors; values: FieldValues }
type Asked = { band: Band; own: Data; whole: Data; country: string; allowed: readonly AllowedChannel[] }

function problemsOf({ band, own, whole, country, allowed }: Asked): Problems {
  const [field, power] = [`channel${band}`, `power${band}`]
  const [channel, dbm] = [whole[field] ?? 0, whole[power]]
  // What is no channel anywhere, its own rule refuses. What is inherited is judged where it is set, or the country is.
  const isAsked = (key: string) => own.country !== undefined || own[key] !== undefined
  const found = allowed.find(one => one.channel === channel)
  if (isAsked(field) && typeof channel === 'number' && channel !== 0 && isChannel(band, channel) && !found)
    return allowed.length > 0
      ? { fields: { [field]: 'channelForbidden' }, values: { [field]: { country, allowed: runsOf(band, allowed) } } }
      : { fields: { [field]: 'bandForbidden' }, values: { [field]: { country } } }
  const most = Math.max(...(found ? [found] : allowed).map(one => one.maxDbm))
  const tooMuch = typeof dbm === 'number' && dbm <= 31 && Number.isFinite(most) && dbm > most
  return tooMuch && (isAsked(power) || isAsked(field))
    ? { fields: { [power]: 'powerForbidden' }, values: { [power]: { country, max: most } } }
    : { fields: {}, values: {} }
}

/**
 * Channels and power that the country does not allow: the one that is set, else the network's. `own`: what the scope sets
 * itself; `whole`: with what it inherits. Nothing is known of some countries, and nothing is wrong there.
 */
export function airProblems(network: { country: string }, own: Data, whole: Data): Problems {
  const country = typeof whole.country === 'string' && whole.country !== '' ? whole.country : network.country
  const all = allowedIn(country)
  const found = all ? bands.map(band => problemsOf({ band, own, whole, country, allowed: all[band] })) : []
  return {
    fields: Object.assign({}, ...found.map(one => one.fields)),
    values: Object.assign({}, ...found.map(one => one.values)),
  }
}
