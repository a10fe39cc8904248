'use client'
import { useTranslations } from 'next-intl'
import { type ComponentType, type MouseEvent, useRef } from 'react'
import { Button, IconButton } from '@/app/_ui/button'
import { Below } from '@/app/_ui/field'
import type { Data } from '@/model/kind'
import { type InputProps, idOf } from './input-frame'
import type { FieldSpec } from './spec'
import { startOf } from './values'

// A field that is left may say what is wrong with it and so push the pressed button away from under the pointer.
const stay = (event: MouseEvent) => event.preventDefault()

const columnOf = (spec: FieldSpec) => spec.key.split('.').at(-1) ?? spec.key

type Props = InputProps & { Cell: ComponentType<InputProps> }

/** Small objects, a line of fields each: `onChange` gets all of them anew. */
export function Rows(props: Props) {
  const { spec, words, onChange, inner = {}, changed } = props
  const t = useTranslations('form')
  const add = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const columns = spec.columns ?? []
  const rows = (props.value as Data[] | undefined) ?? []
  const label = words.label(spec.key)
  const remove = (at: number) => {
    onChange(rows.filter((_, index) => index !== at))
    add.current?.focus()
  }
  const append = () => {
    onChange([...rows, Object.fromEntries(columns.map(column => [columnOf(column), startOf(column)]))])
    requestAnimationFrame(() => list.current?.lastElementChild?.querySelector<HTMLElement>('input, button')?.focus())
  }
  return (
    <fieldset className={changed ? 'field changed' : 'field'} id={idOf(spec.key, props.within)} tabIndex={-1}>
      <legend className="label">{label}</legend>
      {rows.length > 0 && (
        <ul className="row-set" ref={list}>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own; their place is what errors name
            <li key={at}>
              <Row {...props} {...{ row, at, columns, inner }} />
              <IconButton
                kind="ghost"
                icon="trash"
                label={t('removeRow', { number: at + 1, name: label })}
                onMouseDown={stay}
                onClick={() => remove(at)}
              />
            </li>
          ))}
        </ul>
      )}
      <Below help={words.help(spec.key)} error={props.error} />
      <div>
        <Button
          small
          icon="plus"
          ref={add}
          disabled={rows.length >= (spec.max ?? Infinity)}
          onMouseDown={stay}
          onClick={append}
        >
          {words.maybe(`fields.${spec.key}.add`) ?? t('addRow')}
        </Button>
      </div>
    </fieldset>
  )
}

type RowProps = Props & {
  row: Data
  at: number
  columns: readonly FieldSpec[]
  inner: Readonly<Record<string, string>>
}

function Row({ Cell, spec, words, within, row, at, columns, inner, onBlur, onChange, value }: RowProps) {
  const set = (column: string, next: unknown) =>
    onChange((value as Data[]).map((one, index) => (index === at ? { ...one, [column]: next } : one)))
  return columns.map(column => {
    const name = columnOf(column)
    const path = `${spec.key}.${at}.${name}`
    const error = inner[`${at}.${name}`]
    return (
      <Cell
        key={name}
        spec={column}
        words={words}
        path={path}
        row={row}
        within={within}
        value={row[name]}
        stored={false}
        changed={false}
        onChange={next => set(name, next)}
        // Not yet filled in is no fault before a save is tried.
        onBlur={() => row[name] !== undefined && row[name] !== '' && onBlur(path)}
        {...(error !== undefined && { error })}
      />
    )
  })
}
