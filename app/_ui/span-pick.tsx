'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ConfirmDialog } from './dialog'
import { InstantField } from './instant-field'
import { type Choice, Picker, type PickProps } from './picker'

type Props = Pick<PickProps, 'table' | 'all' | 'label'> & {
  /** Of the dialog that asks for a period. */
  title: string
  /** Hours back from now, in words. */
  spans: readonly Choice[]
  /** Filters that go with another period. */
  also?: Readonly<Record<string, string>>
}

/** `2026-11-22T20:00:00Z` of the page's address, as unix ms; nothing where it is no such moment. */
export function momentOf(key: 'from' | 'to', text = '', more = 0) {
  const at = Date.parse(text)
  return at >= 0 ? { [key]: at + more } : {}
}
/** What is told to the minute means all of it. */
export const restOfMinute = 59_999

/** The last so many hours, or from and to a moment of one's own choice; in `hours`, `from` and `to` of the filters. */
export function SpanPick({ table, all, label, title, spans, also }: Props) {
  const t = useTranslations('common.span')
  const [asking, setAsking] = useState(false)
  const { filters } = table.state
  const change = (part: { hours?: string; from?: string; to?: string }) =>
    table.change({ filters: { hours: '', from: '', to: '', ...also, ...part } })
  const own = { value: 'own', label: t('choose') }
  return (
    <>
      <Picker
        {...{ table, all, label }}
        filter="hours"
        chosen={filters.from || filters.to ? own.value : (filters.hours ?? '')}
        choices={[...spans, own]}
        onChoose={value => (value === own.value ? setAsking(true) : change({ hours: value }))}
      />
      {asking && (
        <SpanDialog
          title={title}
          from={filters.from ?? ''}
          to={filters.to ?? ''}
          onClose={() => setAsking(false)}
          onShow={change}
        />
      )}
    </>
  )
}

type Span = { from: string; to: string }
type Asking = Span & { title: string; onClose: () => void; onShow: (span: Span) => void }

function SpanDialog({ title, onClose, onShow, ...given }: Asking) {
  const t = useTranslations('common.span')
  const [{ from, to }, setSpan] = useState<Span>(given)
  const turned = from !== '' && to !== '' && to < from
  return (
    <ConfirmDialog
      open
      title={title}
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
