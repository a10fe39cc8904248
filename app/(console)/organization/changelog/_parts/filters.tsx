'use client'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { useCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Icon } from '@/app/_ui/icon'
import { InstantField } from '@/app/_ui/instant-field'
import { Menu } from '@/app/_ui/menu'
import type { Table } from '@/app/_ui/use-table'
import { useLogWords } from './use-log-words'

const hourMs = 3_600_000
/** Hours back from now. */
const spans = ['24', '168', '720', '2160'] as const

/** `2026-11-22T20:00:00Z` of the page's address, as unix ms; nothing where it is no such moment. */
function momentOf(key: 'from' | 'to', text = '', more = 0) {
  const at = Date.parse(text)
  return at >= 0 ? { [key]: at + more } : {}
}

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
      // What is told to the minute means all of it.
      ...momentOf('to', to, 59_999),
    }),
    [account, object, action, network, hours, from, to, now],
  )
}

type Choice = { value: string; label: string }
type PickProps = {
  table: Table
  filter: string
  label: string
  all: string
  choices: readonly Choice[]
  /** Where it is not only the one filter that is chosen. */
  chosen?: string
  onChoose?: (value: string) => void
}

function Picker({ table, filter, label, all, choices, ...own }: PickProps) {
  const { filters } = table.state
  const chosen = own.chosen ?? filters[filter] ?? ''
  const choose = own.onChoose ?? ((value: string) => table.change({ filters: { [filter]: value } }))
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
      <Picker {...common} filter="account" label={t('columns.who')} choices={named(data?.accounts, one => one)} />
      {networks.length > 1 && <Picker {...common} filter="network" label={t('columns.network')} choices={networks} />}
      <Picker {...common} filter="object" label={t('thing')} choices={named(data?.objects, words.object)} />
      <Picker {...common} filter="action" label={t('action')} choices={named(data?.actions, words.action)} />
      <TimePick {...common} />
    </>
  )
}

/** The last so many hours, or from and to a moment of one's own choice. */
function TimePick({ table, all }: Pick<PickProps, 'table' | 'all'>) {
  const t = useTranslations('changelog')
  const [asking, setAsking] = useState(false)
  const { filters } = table.state
  const change = (part: { hours?: string; from?: string; to?: string }) =>
    table.change({ filters: { hours: '', from: '', to: '', ...part } })
  const own = { value: 'own', label: t('span.choose') }
  return (
    <>
      <Picker
        {...{ table, all }}
        filter="hours"
        label={t('columns.at')}
        chosen={filters.from || filters.to ? own.value : (filters.hours ?? '')}
        choices={[...spans.map(value => ({ value, label: t(`spans.${value}`) })), own]}
        onChoose={value => (value === own.value ? setAsking(true) : change({ hours: value }))}
      />
      {asking && (
        <SpanDialog from={filters.from ?? ''} to={filters.to ?? ''} onClose={() => setAsking(false)} onShow={change} />
      )}
    </>
  )
}

type Span = { from: string; to: string }

function SpanDialog({ onClose, onShow, ...given }: Span & { onClose: () => void; onShow: (span: Span) => void }) {
  const t = useTranslations('changelog.span')
  const [{ from, to }, setSpan] = useState<Span>(given)
  const turned = from !== '' && to !== '' && to < from
  return (
    <ConfirmDialog
      open
      title={t('title')}
      action={t('show')}
      disabled={turned || (from === '' && to === '')}
      onClose={onClose}
      onConfirm={() => onShow({ from, to })}
    >
      <div className="two-columns">
        <InstantField label={t('from')} optional value={from} onChange={at => setSpan({ from: at ?? '', to })} />
        <InstantField
          label={t('to')}
          optional
          value={to}
          error={turned ? t('turned') : undefined}
          onChange={at => setSpan({ from, to: at ?? '' })}
        />
      </div>
    </ConfirmDialog>
  )
}
