'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button, IconButton } from './button'
import { CheckLine } from './check'
import type { Column, ColumnChoice } from './data-table-types'
import { Icon } from './icon'
import { Popover } from './menu'

type Props<T> = {
  columns: readonly Column<T>[]
  choice: ColumnChoice | undefined
  onChoice: (choice: ColumnChoice | undefined) => void
}

/** Which columns, in which order: tick, drag, or move by the buttons. Fixed columns are ticked and stay. */
export function ColumnChooser<T>({ columns, choice, onChoice }: Props<T>) {
  const t = useTranslations('common.columns')
  const [dragged, setDragged] = useState<string>()
  const free = columns.filter(column => !column.fixed)
  const known = (choice?.order ?? []).filter(key => free.some(column => column.key === key))
  const order = [...known, ...free.map(column => column.key).filter(key => !known.includes(key))]
  const off = choice?.off ?? free.filter(column => column.off).map(column => column.key)
  const put = (key: string, to: number) => {
    const rest = order.filter(entry => entry !== key)
    onChoice({ order: [...rest.slice(0, to), key, ...rest.slice(to)], off })
  }
  const toggle = (key: string, on: boolean) =>
    onChoice({ order, off: on ? off.filter(entry => entry !== key) : [...off, key] })
  return (
    <Popover
      align="end"
      className="chooser"
      label={t('title')}
      trigger={
        <Button icon="columns" className="chooser-btn">
          {t('title')}
        </Button>
      }
    >
      <div className="chooser-head">
        <span>{t('title')}</span>
        <button type="button" className="link" onClick={() => onChoice(undefined)}>
          {t('reset')}
        </button>
      </div>
      <ul>
        {columns
          .filter(column => column.fixed)
          .map(column => (
            <li key={column.key}>
              <CheckLine checked disabled onChange={() => undefined}>
                {column.label}
              </CheckLine>
            </li>
          ))}
        {order.map((key, at) => {
          const column = free.find(entry => entry.key === key)
          if (!column) return null
          return (
            <li
              key={key}
              className={key === dragged ? 'dragged' : ''}
              draggable
              onDragStart={() => setDragged(key)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={event => {
                event.preventDefault()
                if (dragged && dragged !== key) put(dragged, at)
              }}
            >
              <CheckLine checked={!off.includes(key)} onChange={on => toggle(key, on)}>
                {column.label}
              </CheckLine>
              <MoveButtons name={column.label} at={at} last={order.length - 1} onMove={to => put(key, to)} />
              <Icon name="grip" size="sm" className="grip" />
            </li>
          )
        })}
      </ul>
    </Popover>
  )
}

type MoveProps = { name: string; at: number; last: number; onMove: (to: number) => void }

function MoveButtons({ name, at, last, onMove }: MoveProps) {
  const t = useTranslations('common.columns')
  return (
    <span className="move-buttons">
      <IconButton
        small
        kind="ghost"
        icon="arrowUp"
        label={t('up', { name })}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        small
        kind="ghost"
        icon="arrowDown"
        label={t('down', { name })}
        disabled={at === last}
        onClick={() => onMove(at + 1)}
      />
    </span>
  )
}
