import { createTranslator } from 'next-intl'
import type words from '@/locales/en/portal.json'
import { available, directionOf, type Locale, localeOf, localeShown } from '@/model/locales'
import { readGeneral } from '@/server/kernel/general'
import type { Runtime } from '@/server/kernel/runtime'
import { wordsOf } from '@/server/kernel/words'

/** The page's words in one language. */
export type Speech = {
  locale: Locale
  direction: 'ltr' | 'rtl'
  say: ReturnType<typeof translator>
  /** A moment by the clock of the house, with the day unless it is today. */
  moment(at: number, now: number): string
  /** `1.2 GB`: in steps of 1024, as vouchers and the console count (rule U2). */
  bytes(bytes: number): string
}

const translator = (locale: Locale, messages: typeof words) =>
  createTranslator({ locale, messages: { portal: messages }, namespace: 'portal' })

/** The languages of an Accept-Language header, the most wanted first. */
export function acceptedOf(header: string): string[] {
  const parts = header
    .slice(0, 500)
    .split(',')
    .map(part => part.trim().split(/\s*;\s*q=/i) as [string, string?])
  return parts
    .map(([tag, weight]) => ({ tag, weight: weight === undefined ? 1 : Number(weight) || 0 }))
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(one => one.tag)
}

/** The visitor's language where there are words in it, else the manager's. */
export function visitorLocale(header: string | null, otherwise: string | undefined): Locale {
  const wanted = acceptedOf(header ?? '').find(tag => {
    const found = localeOf(tag)
    // English is also what nothing is: it counts where it was asked for.
    return available.includes(found) && (found !== 'en' || /^en\b/i.test(tag))
  })
  return localeShown(wanted ?? otherwise)
}

const units = ['KB', 'MB', 'GB', 'TB'] as const

function bytesIn(locale: Locale, bytes: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10) - 1))
  const value = bytes / 1024 ** (step + 1)
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${units[step]}`
}

type Told = { locale: Locale; direction: Speech['direction']; messages: typeof words; zone: string }

/** Speaks by these words; numbers and moments are the locale's. `zone`: of the network, IANA. */
export function speechBy({ locale, direction, messages, zone }: Told): Speech {
  const say = translator(locale, messages)
  const day = new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'short' })
  const clock = { timeZone: zone, hour: 'numeric', minute: '2-digit' } as const
  const today = new Intl.DateTimeFormat(locale, clock)
  const other = new Intl.DateTimeFormat(locale, { ...clock, weekday: 'long', day: 'numeric', month: 'long' })
  return {
    ...{ locale, direction, say },
    moment: (at, now) => (day.format(at) === day.format(now) ? today : other).format(at),
    bytes: bytes => bytesIn(locale, bytes),
  }
}

export const speechOf = async (locale: Locale, zone: string): Promise<Speech> =>
  speechBy({ locale, direction: directionOf(locale), messages: await wordsOf<typeof words>(locale, 'portal'), zone })

/** The words for whoever sent these headers. */
export const speechFor = (runtime: Runtime, headers: Pick<Headers, 'get'>, zone: string): Promise<Speech> =>
  speechOf(visitorLocale(headers.get('accept-language'), readGeneral(runtime.db).language), zone)
