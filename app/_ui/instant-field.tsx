'use client'
import type { ComponentProps } from 'react'
import { useClock } from './clock'
import { TextField } from './field'
import { wallMoment, wallText } from './time'

type Props = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'type'> & {
  /** `2026-11-22T20:00:00Z`, or empty. */
  value: string
  /** Undefined until all of it is there. */
  onChange: (value: string | undefined) => void
}

/** A day and a time by the account's clock. */
export function InstantField({ value, onChange, ...rest }: Props) {
  const { timeZone } = useClock().style
  const moment = Date.parse(value)
  const take = (text: string) => {
    const ms = wallMoment(text, timeZone)
    onChange(Number.isNaN(ms) ? undefined : `${new Date(ms).toJSON().slice(0, 19)}Z`)
  }
  return (
    <TextField
      {...rest}
      type="datetime-local"
      value={Number.isNaN(moment) ? '' : wallText(moment, timeZone)}
      onChange={take}
    />
  )
}
