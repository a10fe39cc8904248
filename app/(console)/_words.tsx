import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { type Area, pickMessages } from '../_i18n/pick'

/** What every part needs for its failures; the shell's own words stay with the shell. */
const always: readonly Area[] = ['common', 'codes', 'errors']

/** Gives a page's parts their words: each area's layout names its own, so that no page carries another's. */
export async function Words({ areas, children }: { areas: readonly Area[]; children: ReactNode }) {
  return (
    <NextIntlClientProvider messages={await pickMessages([...always, ...areas])}>{children}</NextIntlClientProvider>
  )
}
