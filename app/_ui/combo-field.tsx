'use client'
import { useTranslations } from 'next-intl'
import type { Option } from './check'
import { DropdownField, ShownChoice } from './dropdown-field'
import type { FieldFrame } from './field'
import { Icon } from './icon'
import { type Asked, SearchList } from './listbox'

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

type Frame = FieldFrame & {
  options: readonly Option[]
  disabled?: boolean
  placeholder?: string
  add?: ListAdd
  /** With the words of what is chosen, which need not be among the options. */
  asked?: Asked & { chosen: readonly Option[] }
}

/** What was searched for is over with the list. */
const closing = (asked: Asked | undefined) => asked && (() => asked.onTyped(''))

/** One of a long list, searched: countries, time zones. */
export function ComboField({
  value,
  onChange,
  options,
  placeholder,
  add,
  asked,
  ...frame
}: Frame & {
  value: string
  onChange: (value: string) => void
}) {
  const t = useTranslations('common.field')
  const chosen = [...(asked?.chosen ?? []), ...options].find(o => o.value === value)
  return (
    <DropdownField
      {...frame}
      onClose={closing(asked)}
      shown={
        <>
          <ShownChoice name={chosen?.label} empty={placeholder ?? t('choose')} />
          {chosen?.help && <span className="muted fine-print">{chosen.help}</span>}
        </>
      }
    >
      {({ label, close }) => (
        <SearchList
          label={label}
          options={options}
          chosen={[value]}
          onChoose={next => {
            onChange(next)
            close()
          }}
          {...(asked && { asked })}
          bottom={add && <Add add={add} close={close} />}
        />
      )}
    </DropdownField>
  )
}

type MultiProps = Frame & {
  value: readonly string[]
  onChange: (value: string[]) => void
  /** How many tags are drawn before "+N". */
  shown?: number
}

/** Several of a list: search, "all", tags with +N. */
export function MultiSelect({ value, onChange, options, placeholder, shown = 3, add, asked, ...frame }: MultiProps) {
  const t = useTranslations('common.field')
  const known = [...new Map([...options, ...(asked?.chosen ?? [])].map(o => [o.value, o])).values()]
  const chosen = known.filter(o => value.includes(o.value))
  const count = asked ? value.length : chosen.length
  const more = count - Math.min(shown, chosen.length)
  const free = options.filter(o => !o.disabled)
  const all = free.length > 0 && free.every(o => value.includes(o.value))
  const toggle = (own: string) => onChange(value.includes(own) ? value.filter(v => v !== own) : [...value, own])
  return (
    <DropdownField
      {...frame}
      className="tags"
      onClose={closing(asked)}
      shown={
        <>
          {count === 0 && <span className="placeholder">{placeholder ?? t('choose')}</span>}
          {chosen.slice(0, shown).map(o => (
            <span className="tag" key={o.value} style={{ paddingInline: 8 }}>
              {o.label}
            </span>
          ))}
          {more > 0 && (
            <span className="tag number" style={{ paddingInline: 8 }}>
              +{more}
            </span>
          )}
        </>
      }
    >
      {({ label, close }) => (
        <SearchList
          label={label}
          multiple
          options={options}
          chosen={value}
          onChoose={toggle}
          before={(_, on) => <Box on={on} />}
          top={
            !asked && (
              <button type="button" className="menu-item" onClick={() => onChange(all ? [] : free.map(o => o.value))}>
                <Box on={all} />
                {t('all')}
              </button>
            )
          }
          {...(asked && { asked })}
          bottom={add && <Add add={add} close={close} />}
        />
      )}
    </DropdownField>
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
