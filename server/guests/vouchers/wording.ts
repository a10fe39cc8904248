import { eq } from 'drizzle-orm'
import { accounts } from '@/db/schema'
import { type Locale, localeShown } from '@/model/locales'
import type { NetworkContext } from '@/server/kernel/call'

/** In which language whoever asks reads. */
export function readerLocale({ runtime: { db }, actor }: NetworkContext): Locale {
  const account = db.select({ locale: accounts.locale }).from(accounts).where(eq(accounts.id, actor.id)).get()
  return localeShown(account?.locale ?? undefined)
}

const spans = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `1 day 12 hours`, as the language says it. */
export function lastingText(seconds: number, locale: Locale): string {
  let rest = seconds
  const parts = spans.flatMap(([unit, size]) => {
    const value = Math.floor(rest / size)
    rest -= value * size
    return value ? [new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)] : []
  })
  return parts.join(' ')
}
