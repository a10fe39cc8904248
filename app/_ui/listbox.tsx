'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Option } from './check'
import { FindBox, useHotRow } from './find-box'
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

/** Marks the end of what is drawn: `onEnd` when it comes near, again for each new `length`; undefined where there is no more. */
function useEndInSight(length: number | undefined, onEnd: () => void) {
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each length
  useEffect(() => {
    if (!end.current || length === undefined) return
    const seen = new IntersectionObserver(entries => entries.some(one => one.isIntersecting) && onEnd(), {
      rootMargin: '200px',
    })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [length])
  return end
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
  asked?: Asked
}

/** Options that the manager searches, since there are too many to have them all here. */
export type Asked = {
  /** How many fit what was typed; those beyond the ones here are told. */
  total: number
  onTyped: (text: string) => void
}

/** So many more are drawn whenever the end comes in sight. */
const page = 50

/** A search box over a list, for popovers: arrows move, Enter chooses. Draws page by page as one scrolls. */
export function SearchList({ options, chosen, onChoose, before, top, bottom, multiple, label, asked }: Props) {
  const t = useTranslations('common.field')
  const id = useId()
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const [pages, setPages] = useState(1)
  // Of options that are searched by the manager, too: until its answer is there, Enter chooses none that does not fit.
  const found = useMemo(() => matching(options, typed), [options, typed])
  const { hot, setHot, press } = useHotRow(found, option => option.disabled || onChoose(option.value))
  const drawn = found.slice(0, Math.max(pages, Math.ceil((hot + 2) / page)) * page)
  const more = useEndInSight(drawn.length < found.length ? drawn.length : undefined, () => setPages(now => now + 1))
  useEffect(() => {
    list.current?.querySelector('.highlighted')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div ref={list}>
      <FindBox
        label={label}
        list={id}
        row={found[hot] && `${id}-${hot}`}
        typed={typed}
        onType={next => {
          setTyped(next)
          asked?.onTyped(next)
          setHot(0)
          setPages(1)
        }}
        onKeyDown={press}
      />
      {top}
      <div role="listbox" id={id} aria-label={label} aria-multiselectable={multiple || undefined}>
        {drawn.map((option, at) => {
          const on = chosen.includes(option.value)
          return (
            <button
              type="button"
              key={option.value}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={on}
              aria-setsize={found.length}
              aria-posinset={at + 1}
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
      {drawn.length < found.length && <div ref={more} />}
      {asked && asked.total > options.length && (
        <p className="head">{t('narrow', { count: asked.total - options.length })}</p>
      )}
      {found.length === 0 && <p className="head">{t('noMatch')}</p>}
      {bottom}
    </div>
  )
}
