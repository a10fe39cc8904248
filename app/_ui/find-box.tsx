'use client'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useState } from 'react'
import { Icon } from './icon'

type Props = {
  label: string
  /** The list that it searches, and the row in it that Enter would choose. */
  list: string
  row: string | undefined
  popup?: 'tree'
  typed: string
  onType: (typed: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The search box over a list in a popover. It keeps the focus; the list is moved through from here. */
export function FindBox({ label, list, row, popup, typed, onType, onKeyDown }: Props) {
  const t = useTranslations('common.field')
  return (
    <div className="find">
      <Icon name="search" size="sm" />
      <input
        role="combobox"
        aria-haspopup={popup}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={row}
        aria-label={label}
        placeholder={t('search')}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={event => onType(event.target.value)}
      />
    </div>
  )
}

/** Which of a list's rows the arrow keys are at; Enter chooses it. */
export function useHotRow<Row>(rows: readonly Row[], choose: (row: Row) => void) {
  const [hot, setHot] = useState(0)
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const row = event.key === 'Enter' ? rows[hot] : undefined
    if (step === undefined && row === undefined) return
    event.preventDefault()
    if (step !== undefined) setHot(at => Math.max(0, Math.min(rows.length - 1, at + step)))
    if (row !== undefined) choose(row)
  }
  return { hot, setHot, press }
}
