import { NextIntlClientProvider } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { anyKindIds, loadKind } from '@/model/registry'
import { type Area, pickMessages } from '../_i18n/pick'

/** What every part needs for its failures; the shell's own words stay with the shell. */
const always: readonly Area[] = ['common', 'codes', 'errors']

/** What a document of each kind is called, as the words `kinds.<kind>`: without the rest of every area's words. */
async function kindNames(): Promise<Record<string, string>> {
  const names = anyKindIds.map(async id => {
    const { area } = await loadKind(id)
    const t = await getTranslations(area as 'wifi')
    const one = `${id as 'ssid'}.one` as const
    return [id, t.has(one) ? t(one) : t(`${id as 'ssid'}.title`)] as const
  })
  return Object.fromEntries(await Promise.all(names))
}

/** What each field of each kind is called, as the words `fields.<kind>.<field>`. */
async function fieldNames(): Promise<Record<string, Record<string, string>>> {
  const names = anyKindIds.map(async id => {
    const { area, fields } = await loadKind(id)
    const t = await getTranslations(area as 'wifi')
    const label = (field: string) => `${id as 'ssid'}.fields.${field as 'name'}.label` as const
    const keys = Object.keys(fields.shape).filter(field => t.has(label(field)))
    return [id, Object.fromEntries(keys.map(field => [field, t(label(field))]))] as const
  })
  return Object.fromEntries(await Promise.all(names))
}

/** Of what waits for a push, only what says why a setting is not on a device, or why a push ended as it did, and what to do. */
async function changeWords({ leftOut, why }: Pick<Props, 'leftOut' | 'why'>) {
  const { change } = await pickMessages(['change'])
  const { warnings, advice, leftOut: left, reasons } = change ?? {}
  return { warnings, advice, ...(leftOut && { leftOut: left }), ...(why && { reasons }) }
}

type Props = {
  areas: readonly Area[]
  kinds?: boolean
  fields?: boolean
  leftOut?: boolean
  why?: boolean
  children: ReactNode
}

/** Gives a page's parts their words: each area's layout names its own, so that no page carries another's. */
export async function Words({ areas, kinds, fields, leftOut, why, children }: Props) {
  const messages = await pickMessages([...always, ...areas])
  const names = { ...(kinds && { kinds: await kindNames() }), ...(fields && { fields: await fieldNames() }) }
  const change = (leftOut || why) && (await changeWords({ leftOut, why }))
  return (
    <NextIntlClientProvider messages={{ ...messages, ...names, ...(change && { change }) }}>
      {children}
    </NextIntlClientProvider>
  )
}
