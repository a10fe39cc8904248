'use client'
import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import { ComboField } from '@/app/_ui/combo-field'
import { SelectField } from '@/app/_ui/select-field'
import { ZoneField } from '@/app/_ui/zone-field'
import { available } from '@/model/locales'
import { countryCodes } from '@/model/places'
import { frameOf, type InputProps } from './input-frame'

export function TimeZone(props: InputProps) {
  return <ZoneField {...frameOf(props)} value={String(props.value ?? '')} onChange={props.onChange} />
}

/** A country by its name, or none. */
export function Country(props: InputProps) {
  const locale = useLocale()
  const { spec, words, value, onChange } = props
  const options = useMemo(() => {
    const names = new Intl.DisplayNames([locale], { type: 'region' })
    return countryCodes
      .map(code => ({ value: code, label: names.of(code) ?? code, help: code }))
      .sort((a, b) => a.label.localeCompare(b.label, locale))
  }, [locale])
  const none = { value: '', label: words.maybe(`fields.${spec.key}.empty`) ?? '–' }
  return (
    <ComboField
      {...frameOf(props)}
      options={spec.required ? options : [none, ...options]}
      value={String(value ?? '')}
      onChange={code => onChange(code === '' ? undefined : code)}
    />
  )
}

/** A language that there are words in, by its own name. */
export function Language(props: InputProps) {
  const options = available.map(value => ({
    value: value as string,
    label: new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
  }))
  return (
    <SelectField {...frameOf(props)} options={options} value={String(props.value ?? '')} onChange={props.onChange} />
  )
}
