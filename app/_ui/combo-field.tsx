'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Option } from './check'
import { Field, type FieldFrame } from './field'
import { Icon } from './icon'
import { SearchList } from './listbox'
import { Popover } from './menu'

/** Below a list: makes what is not there yet, or says why there can be no more. */
export type ListAdd = { label: string; onAdd: () => void } | { full: string }

function Add({ add, close }: { add: ListAdd; close: () => void }) {
  if ('full' in add) return <p className="head">{add.full}</p>
  const press = () => {
    close()
    add.onAdd()
  }
  return (
    <button type="button" className="menu-item" onClick={press}>
      <Icon name="plus" size="sm" />
      {add.label}
    </button>
  )
}

type Frame = FieldFrame & { options: readonly Option[]; disabled?: boolean; placeholder?: string; add?: ListAdd }

/** One of a long list, searched: countries, time zones. */
export function ComboField({
  value,
  onChange,
  options,
  disabled,
  placeholder,
  add,
  ...frame
}: Frame & {
  value: string
  onChange: (value: string) => void
}) {
  const t = useTranslations('common.field')
  const [open, setOpen] = useState(false)
  const chosen = options.find(o => o.value === value)
  const name = typeof frame.label === 'string' ? frame.label : t('search')
  return (
    <Field {...frame}>
      {wired => (
        <Popover
          open={open}
          onOpen={setOpen}
          className="list"
          trigger={
            <button type="button" {...wired} disabled={disabled}>
              <span className={chosen ? 'truncated' : 'truncated placeholder'}>
                {chosen?.label ?? placeholder ?? t('choose')}
              </span>
              {chosen?.help && <span className="muted fine-print">{chosen.help}</span>}
              <Icon name="down" size="sm" className="end" />
            </button>
          }
        >
          <SearchList
            label={name}
            options={options}
            chosen={[value]}
            onChoose={next => {
              onChange(next)
              setOpen(false)
            }}
            bottom={add && <Add add={add} close={() => setOpen(false)} />}
          />
        </Popover>
      )}
    </Field>
  )
}

type MultiProps = Frame & {
  value: readonly string[]
  onChange: (value: string[]) => void
  /** How many tags are drawn before "+N". */
  shown?: number
}

/** Several of a list: search, "all", tags with +N. */
export function MultiSelect({ value, onChange, options, disabled, placeholder, shown = 3, add, ...frame }: MultiProps) {
  const t = useTranslations('common.field')
  const [open, setOpen] = useState(false)
  const chosen = options.filter(o => value.includes(o.value))
  const free = options.filter(o => !o.disabled)
  const all = free.length > 0 && free.every(o => value.includes(o.value))
  const toggle = (own: string) => onChange(value.includes(own) ? value.filter(v => v !== own) : [...value, own])
  const name = typeof frame.label === 'string' ? frame.label : t('search')
  return (
    <Field {...frame}>
      {({ className, ...wired }) => (
        <Popover
          open={open}
          onOpen={setOpen}
          className="list"
          trigger={
            <button type="button" {...wired} className={`${className} tags`} disabled={disabled}>
              {chosen.length === 0 && <span className="placeholder">{placeholder ?? t('choose')}</span>}
              {chosen.slice(0, shown).map(o => (
                <span className="tag" key={o.value} style={{ paddingInline: 8 }}>
                  {o.label}
                </span>
              ))}
              {chosen.length > shown && (
                <span className="tag number" style={{ paddingInline: 8 }}>
                  +{chosen.length - shown}
                </span>
              )}
              <Icon name="down" size="sm" className="end" />
            </button>
          }
        >
          <SearchList
            label={name}
            multiple
            options={options}
            chosen={value}
            onChoose={toggle}
            before={(_, on) => <Box on={on} />}
            top={
              <button type="button" className="menu-item" onClick={() => onChange(all ? [] : free.map(o => o.value))}>
                <Box on={all} />
                {t('all')}
              </button>
            }
            bottom={add && <Add add={add} close={() => setOpen(false)} />}
          />
        </Popover>
      )}
    </Field>
  )
}

/** A box that only shows: its row is what is pressed. */
export const Box = ({ on }: { on: boolean }) => (
  <span className="checkbox" data-state={on ? 'checked' : 'unchecked'} aria-hidden="true">
    <svg className="icon check-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="m5 12.500 4.500 4.500L19 7.500" />
    </svg>
  </span>
)

export type TreeNode = { id: number; name: string; children: readonly TreeNode[] }

/** A tree as options: each with its depth, so that a searchable list can draw it. */
export function flatten(nodes: readonly TreeNode[], path: readonly string[] = []): Option[] {
  return nodes.flatMap(node => [
    { value: String(node.id), label: node.name, help: path.join(' / ') || undefined },
    ...flatten(node.children, [...path, node.name]),
  ])
}

/** Device groups: a searchable tree in a dropdown; the path stands beside each name. */
export function GroupTree({
  tree,
  ...rest
}: Omit<Frame, 'options'> & {
  tree: readonly TreeNode[]
  value: string
  onChange: (value: string) => void
}) {
  return <ComboField {...rest} options={flatten(tree)} />
}
