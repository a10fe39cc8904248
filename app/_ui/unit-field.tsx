'use client'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { TextField } from './field'

export type QuantityProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'unit'> & {
  value: string | undefined
  onChange: (value: string | undefined) => void
}
type Props = QuantityProps & {
  units: readonly string[]
  /** Of a field in which nothing was typed. */
  usual: string
  /** Most that the number has. */
  digits: number
}

/** `8 Mbps`: a whole number and its unit, one of several. */
export function UnitField({ value, onChange, units, usual, digits, ...field }: Props) {
  const t = useTranslations('common')
  const [number = '', unit = usual] = (value ?? '').split(' ')
  const take = (typed: string, next: string) => onChange(typed === '' ? undefined : `${typed} ${next}`)
  return (
    <TextField
      {...field}
      inputMode="numeric"
      maxLength={digits}
      value={number}
      onChange={text => take(text.replaceAll(/\D/g, ''), unit)}
      unit={
        <select
          className="unit-choice"
          aria-label={t('unit')}
          value={unit}
          onChange={event => take(number, event.target.value)}
        >
          {units.map(one => (
            <option key={one}>{one}</option>
          ))}
        </select>
      }
    />
  )
}
