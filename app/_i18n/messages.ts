import type { Locale } from '@/model/locales'
import { areas } from './areas'

/** One language's words, one namespace an area: locales/<lang>/<area>.json. */
export async function messagesOf(locale: Locale): Promise<Record<string, Record<string, unknown>>> {
  const loaded = await Promise.all(
    areas.map(async area => [area, (await import(`../../locales/${locale}/${area}.json`)).default] as const),
  )
  return Object.fromEntries(loaded)
}
