'use client'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { Icon } from '@/app/_ui/icon'
import { Menu } from '@/app/_ui/menu'
import type { Table } from '@/app/_ui/use-table'
import { useLogWords } from './use-log-words'

const hourMs = 3_600_000
/** Hours back from now. */
const spans = ['24', '168', '720', '2160'] as const

/** The filter as the list call takes it, from the page's address. */
export function useFilter({ state: { filters } }: Table) {
  const { account, object, action, network, hours } = filters
  // To the full hour: a filter that moves with the clock would ask again all the time.
  const now = Math.floor((useNow(hourMs) ?? 0) / hourMs) * hourMs
  return useMemo(
    () => ({
      ...(account && { account }),
      ...(object && { object }),
      ...(action && { action }),
      ...(network && { network: Number(network) }),
      ...(spans.includes(hours as '24') && { from: Math.max(0, now - Number(hours) * hourMs) }),
    }),
    [account, object, action, network, hours, now],
  )
}

type Choice = { value: string; label: string }
type PickProps = { table: Table; filter: string; label: string; all: string; choices: readonly Choice[] }

function Pick({ table, filter, label, all, choices }: PickProps) {
  const chosen = table.state.filters[filter] ?? ''
  const choose = (value: string) => table.change({ filters: { ...table.state.filters, [filter]: value } })
  const found = choices.find(choice => choice.value === chosen)
  return (
    <Menu
      align="start"
      trigger={
        <Button className={chosen ? 'on' : undefined}>
          {found?.label ?? label}
          <Icon name="down" size="sm" />
        </Button>
      }
      groups={[
        { actions: [{ label: all, checked: !chosen, onSelect: () => choose('') }] },
        {
          actions: choices.map(choice => ({
            label: choice.label,
            checked: choice.value === chosen,
            onSelect: () => choose(choice.value),
          })),
        },
      ]}
    />
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
      <Pick {...common} filter="account" label={t('columns.who')} choices={named(data?.accounts, one => one)} />
      {networks.length > 1 && <Pick {...common} filter="network" label={t('columns.network')} choices={networks} />}
      <Pick {...common} filter="object" label={t('thing')} choices={named(data?.objects, words.object)} />
      <Pick {...common} filter="action" label={t('action')} choices={named(data?.actions, words.action)} />
      <Pick
        {...common}
        filter="hours"
        label={t('columns.at')}
        choices={spans.map(value => ({ value, label: t(`spans.${value}`) }))}
      />
    </>
  )
}
