'use client'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Option } from './check'
import { Icon } from './icon'

export const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The options whose words hold every word that was typed, whatever the accents. */
export function matching<O extends Option>(options: readonly O[], typed: string): readonly O[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return options
  return options.filter(o => {
    const text = fold(`${o.label} ${o.help ?? ''} ${o.value} ${o.also ?? ''}`)
    return words.every(word => text.includes(word))
  })
}

type Props = {
  options: readonly Option[]
  chosen: readonly string[]
  onChoose: (value: string) => void
  /** Before an option's words: a tick box in a multiple choice. */
  before?: (option: Option, on: boolean) => ReactNode
  top?: ReactNode
  bottom?: ReactNode
  multiple?: boolean
  label: string
}

const drawn = 200

/** A search box over a list, for popovers: arrows move, Enter chooses. Draws the first 200 matches. */
export function SearchList({ options, chosen, onChoose, before, top, bottom, multiple, label }: Props) {
  const t = useTranslations('common.field')
  const id = useId()
  const [typed, setTyped] = useState('')
  const [hot, setHot] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const found = useMemo(() => matching(options, typed).slice(0, drawn), [options, typed])
  useEffect(() => {
    list.current?.querySelector('.highlighted')?.scrollIntoView({ block: 'nearest' })
  })
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setHot(at => Math.max(0, Math.min(found.length - 1, at + step)))
    }
    const option = found[hot]
    if (event.key === 'Enter' && option) {
      event.preventDefault()
      if (!option.disabled) onChoose(option.value)
    }
  }
  return (
    <div ref={list}>
      <div className="find">
        <Icon name="search" size="sm" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found[hot] ? `${id}-${hot}` : undefined}
          aria-label={label}
          placeholder={t('search')}
          value={typed}
          onKeyDown={press}
          onChange={event => {
            setTyped(event.target.value)
            setHot(0)
          }}
        />
      </div>
      {top}
      <div role="listbox" id={id} aria-label={label} aria-multiselectable={multiple || undefined}>
        {found.map((option, at) => {
          const on = chosen.includes(option.value)
          return (
            <button
              type="button"
              key={option.value}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={on}
              disabled={option.disabled}
              className={at === hot ? 'menu-item highlighted' : 'menu-item'}
              onPointerMove={() => setHot(at)}
              onClick={() => onChoose(option.value)}
            >
              {before?.(option, on)}
              <span className="truncated">{option.label}</span>
              {!before && on && <Icon name="check" className="tick" />}
              {option.help && <span className="trail">{option.help}</span>}
            </button>
          )
        })}
      </div>
      {found.length === 0 && <p className="head">{t('noMatch')}</p>}
      {bottom}
    </div>
  )
}
