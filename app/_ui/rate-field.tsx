'use client'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { TextField } from './field'

type Props = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'unit'> & {
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** `8 Mbps`: a number and its unit. */
export function RateField({ value, onChange, ...field }: Props) {
  const t = useTranslations('common')
  const [number = '', unit = 'Mbps'] = (value ?? '').split(' ')
  const take = (digits: string, next: string) => onChange(digits === '' ? undefined : `${digits} ${next}`)
  return (
    <TextField
      {...field}
      inputMode="numeric"
      maxLength={3}
      value={number}
      onChange={text => take(text.replaceAll(/\D/g, ''), unit)}
      unit={
        <select
          className="unit-choice"
          aria-label={t('unit')}
          value={unit}
          onChange={event => take(number, event.target.value)}
        >
          <option>Kbps</option>
          <option>Mbps</option>
        </select>
      }
    />
  )
}
