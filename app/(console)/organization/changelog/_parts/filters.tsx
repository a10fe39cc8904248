'use client'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useCall } from '@/app/_api/use-call'
import { useLogWords } from '@/app/_shared/log-words'
import { useNow } from '@/app/_ui/clock'
import { type Choice, Picker } from '@/app/_ui/picker'
import { momentOf, restOfMinute, SpanPick } from '@/app/_ui/span-pick'
import type { Table } from '@/app/_ui/use-table'

const hourMs = 3_600_000
/** Hours back from now. */
const spans = ['24', '168', '720', '2160'] as const

/** The filter as the list call takes it, from the page's address. */
export function useFilter({ state: { filters } }: Table) {
  const { account, object, action, network, hours, from, to } = filters
  // To the full hour: a filter that moves with the clock would ask again all the time.
  const now = Math.floor((useNow(hourMs) ?? 0) / hourMs) * hourMs
  return useMemo(
    () => ({
      ...(account && { account }),
      ...(object && { object }),
      ...(action && { action }),
      ...(network && { network: Number(network) }),
      ...(spans.includes(hours as '24') && { from: Math.max(0, now - Number(hours) * hourMs) }),
      ...momentOf('from', from),
      ...momentOf('to', to, restOfMinute),
    }),
    [account, object, action, network, hours, from, to, now],
  )
}

const sorted = (choices: Choice[]) => choices.toSorted((a, b) => a.label.localeCompare(b.label))

/** By person, network, kind of thing, action and time: what there is in the entries this person may see. */
export function Filters({ table }: { table: Table }) {
  const t = useTranslations('changelog')
  const words = useLogWords()
  const { data } = useCall('changelog/options', {})
  const named = (values: readonly string[] = [], word: (value: string) => string) =>
    sorted(values.map(value => ({ value, label: word(value) })))
  const networks = (data?.networks ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const common = { table, all: t('any') }
  return (
    <>
      <Picker {...common} filter="account" label={t('columns.who')} choices={named(data?.accounts, one => one)} />
      {networks.length > 1 && <Picker {...common} filter="network" label={t('columns.network')} choices={networks} />}
      <Picker {...common} filter="object" label={t('thing')} choices={named(data?.objects, words.object)} />
      <Picker {...common} filter="action" label={t('action')} choices={named(data?.actions, words.action)} />
      <SpanPick
        {...common}
        label={t('columns.at')}
        title={t('period')}
        spans={spans.map(value => ({ value, label: t(`spans.${value}`) }))}
      />
    </>
  )
}
