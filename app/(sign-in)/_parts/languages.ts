import { available } from '@/model/locales'
import type { Language } from './language-pick'

/** The languages whose words exist, each in its own name. */
export const languages: readonly Language[] = available.map(code => ({
  code,
  name: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
}))
