/** The 22 languages of the console (rule L1). A language shows in the switcher once its folder under locales/ is complete. */
export const locales = [
  'en',
  'zh-CN',
  'es',
  'de',
  'fr',
  'pt',
  'vi',
  'ar',
  'da',
  'it',
  'he',
  'el',
  'fi',
  'es-419',
  'pt-BR',
  'sr',
  'ru',
  'cs',
  'pl',
  'sk',
  'tr',
  'uk',
] as const
export type Locale = (typeof locales)[number]

/** Languages whose words exist. */
export const available: readonly Locale[] = ['en']

const aliases: ReadonlyMap<string, Locale> = new Map([
  ['es-LA', 'es-419'],
  ['es-ES', 'es'],
  ['fn', 'fi'],
  ['gr', 'el'],
])

/** Rule L1: aliases, any zh variant, the base language, else English. Systems write `zh_TW`, browsers `zh-TW`. */
export function localeOf(wanted: string | undefined): Locale {
  if (!wanted) return 'en'
  const tag = wanted.replaceAll('_', '-')
  const alias = aliases.get(tag)
  if (alias) return alias
  if (/^zh\b/i.test(tag)) return 'zh-CN'
  const lower = tag.toLowerCase()
  const base = lower.split('-')[0]
  return locales.find(l => l.toLowerCase() === lower) ?? locales.find(l => l === base) ?? 'en'
}

/** The wanted one where there are words in it, else English. */
export function localeShown(wanted: string | undefined): Locale {
  const found = localeOf(wanted)
  return available.includes(found) ? found : 'en'
}

export const directionOf = (locale: Locale): 'rtl' | 'ltr' => (locale === 'ar' || locale === 'he' ? 'rtl' : 'ltr')
