'use client'
import { useClock } from './clock'
import type { TextFieldProps } from './field'
import { wallMoment, wallText } from './time'
import { WallField } from './wall-field'

type Props = Omit<TextFieldProps, 'value' | 'onChange' | 'type'> & {
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
    <WallField
      {...rest}
      part="dateTime"
      value={Number.isNaN(moment) ? '' : wallText(moment, timeZone)}
      onChange={take}
    />
  )
}
