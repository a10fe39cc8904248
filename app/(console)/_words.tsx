import { NextIntlClientProvider } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { kindIds, loadKind } from '@/model/registry'
import { type Area, pickMessages } from '../_i18n/pick'

/** What every part needs for its failures; the shell's own words stay with the shell. */
const always: readonly Area[] = ['common', 'codes', 'errors']

/** What a document of each kind is called, as the words `kinds.<kind>`: without the rest of every area's words. */
async function kindNames(): Promise<Record<string, string>> {
  const names = kindIds.map(async id => {
    const { area } = await loadKind(id)
    const t = await getTranslations(area as 'wifi')
    const one = `${id as 'ssid'}.one` as const
    return [id, t.has(one) ? t(one) : t(`${id as 'ssid'}.title`)] as const
  })
  return Object.fromEntries(await Promise.all(names))
}

type Props = { areas: readonly Area[]; kinds?: boolean; children: ReactNode }

/** Gives a page's parts their words: each area's layout names its own, so that no page carries another's. */
export async function Words({ areas, kinds, children }: Props) {
  const messages = await pickMessages([...always, ...areas])
  return (
    <NextIntlClientProvider messages={kinds ? { ...messages, kinds: await kindNames() } : messages}>
      {children}
    </NextIntlClientProvider>
  )
}
