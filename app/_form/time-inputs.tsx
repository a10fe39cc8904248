'use client'
import { useLocale } from 'next-intl'
import { InstantField } from '@/app/_ui/instant-field'
import { SelectField } from '@/app/_ui/select-field'
import { WallField } from '@/app/_ui/wall-field'
import { frameOf, type InputProps, typed } from './input-frame'

export function Instant(props: InputProps) {
  return <InstantField {...typed(props)} />
}

/** A time of day or a date, as a clock on the wall shows it. */
export function Wall(props: InputProps & { part: 'time' | 'date' }) {
  return <WallField {...typed(props)} part={props.part} />
}

/** Sunday first, as cron counts. */
export function Weekday(props: InputProps) {
  const day = new Intl.DateTimeFormat(useLocale(), { weekday: 'long', timeZone: 'UTC' })
  const options = Array.from({ length: 7 }, (_, n) => ({
    value: String(n),
    label: day.format(Date.UTC(2023, 0, 1 + n)),
  }))
  const take = (value: string) => props.onChange(Number(value))
  return <SelectField {...frameOf(props)} options={options} value={String(props.value ?? 0)} onChange={take} />
}
