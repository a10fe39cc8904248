'use client'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { IconButton } from './button'
import { useClock } from './clock'
import { Field, split, type TextFieldProps } from './field'
import { readWall, type WallPart, wallWords } from './wall-text'

const native = { date: 'date', time: 'time', dateTime: 'datetime-local' } as const
const examples = { date: '2026-12-24', time: '18:30', dateTime: '2026-12-24T18:30' } as const

/**
 * A day, a time or both in the account's own format: browsers write theirs as they like. Their picker opens beside it.
 * `value` and what `onChange` gets are wall texts (2026-11-22T20:00), empty for none and for what cannot be read.
 */
export function WallField({ part, ...props }: Omit<TextFieldProps, 'type'> & { part: WallPart }) {
  const t = useTranslations('common.field')
  const { style } = useClock()
  const picker = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  const [left, setLeft] = useState(false)
  const { frame, control } = split(props)
  const { value, onChange, unit: _unit, lead: _lead, ...rest } = control
  const example = wallWords(examples[part], part, style)
  const unread = typed !== undefined && typed.trim() !== '' && readWall(typed, part, style) === undefined
  const take = (text: string) => {
    setTyped(text)
    setLeft(false)
    onChange(readWall(text, part, style) ?? '')
  }
  const leave = () => {
    setLeft(true)
    if (!unread) setTyped(undefined)
  }
  return (
    <Field {...frame} error={unread && left ? t('unread', { example }) : frame.error}>
      {({ className, ...wired }) => (
        <span className={className}>
          <input
            {...wired}
            {...rest}
            autoComplete="off"
            placeholder={example}
            value={typed ?? wallWords(value, part, style)}
            onChange={event => take(event.target.value)}
            onBlur={leave}
          />
          <IconButton
            small
            kind="ghost"
            icon="clock"
            label={t('pick')}
            disabled={rest.disabled}
            onClick={() => picker.current?.showPicker()}
          />
          <input
            ref={picker}
            className="native-picker"
            type={native[part]}
            tabIndex={-1}
            aria-hidden="true"
            value={value}
            onChange={event => {
              setTyped(undefined)
              onChange(event.target.value)
            }}
          />
        </span>
      )}
    </Field>
  )
}
