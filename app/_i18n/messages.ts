import type { Locale } from '@/model/locales'
import { type Words, wordsOf } from '@/server/kernel/words'
import { areas } from './areas'

/** One language's words, one namespace an area, English underneath. */
export async function messagesOf(locale: Locale): Promise<Record<string, Words>> {
  const loaded = await Promise.all(areas.map(async area => [area, await wordsOf(locale, area)] as const))
  return Object.fromEntries(loaded)
}
