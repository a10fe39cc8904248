import type { Locale } from '@/model/locales'

export type Words = { [key: string]: string | Words }

/** A language's words with English wherever it has none: a key that was not translated yet breaks no page. */
export function over(english: Words, own: Words): Words {
  const merged = Object.entries(english).map(([key, word]) => {
    const other = Object.hasOwn(own, key) ? own[key] : undefined
    if (typeof word === 'object') return [key, over(word, typeof other === 'object' ? other : {})]
    return [key, typeof other === 'string' ? other : word]
  })
  return Object.fromEntries(merged)
}

const fileOf = async (locale: Locale, area: string): Promise<Words> =>
  (await import(`../../locales/${locale}/${area}.json`)).default as Words

const made = new Map<string, Promise<Words>>()

async function load(locale: Locale, area: string): Promise<Words> {
  const english = await fileOf('en', area)
  if (locale === 'en') return english
  // A language may lack a whole file.
  return over(english, await fileOf(locale, area).catch(() => ({})))
}

/** Words of an area (`locales/<locale>/<area>.json`) in a language, English underneath. Rejects for an area that does not exist. */
export function wordsOf<W = Words>(locale: Locale, area: string): Promise<W> {
  const key = `${locale}/${area}`
  const words = made.get(key) ?? load(locale, area)
  made.set(key, words)
  return words as Promise<W>
}
