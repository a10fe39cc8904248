'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { ComboField } from '@/app/_ui/combo-field'
import { TextArea, TextField } from '@/app/_ui/field'
import { InstantField } from '@/app/_ui/instant-field'
import { SelectField } from '@/app/_ui/select-field'
import { ZoneField } from '@/app/_ui/zone-field'
import { available } from '@/model/locales'
import { countryCodes } from '@/model/places'
import { named } from './assign-field'
import { frameOf, type InputProps, typed } from './input-frame'

/** `8 Mbps`: a number and its unit. */
export function Rate(props: InputProps) {
  const t = useTranslations('form')
  const [number = '', unit = 'Mbps'] = String(props.value ?? '').split(' ')
  const take = (digits: string, next: string) => props.onChange(digits === '' ? undefined : `${digits} ${next}`)
  return (
    <TextField
      {...typed(props)}
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

export function Instant(props: InputProps) {
  return <InstantField {...typed(props)} />
}

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

/** Text of several lines as machines write it. */
export function Block(props: InputProps) {
  return <TextArea {...typed(props)} rows={5} code dir="ltr" spellCheck={false} />
}

/** A name typed, with those that the network's devices have to choose from. */
export function FromDevices(props: InputProps) {
  const { source } = props.spec
  const { data } = useNetworkCall('settings/sources', source ? { source } : null)
  const list = `${frameOf(props).id}-list`
  return (
    <>
      <TextField {...typed(props)} list={list} spellCheck={false} autoCapitalize="none" />
      <datalist id={list}>
        {(data?.result ?? []).map(({ name, devices }) => (
          <option key={name} value={name} label={devices.join(', ')} />
        ))}
      </datalist>
    </>
  )
}

/** A device of the network, by its name. */
export function DeviceChoice(props: InputProps) {
  const { data } = useNetworkCall('settings/targets', {})
  const take = (id: string) => props.onChange(id === '' ? undefined : Number(id))
  return (
    <ComboField {...frameOf(props)} options={named(data?.devices)} value={String(props.value ?? '')} onChange={take} />
  )
}

/** Short texts, one a line. A message names the entry it is about. */
export function Lines(props: InputProps) {
  const t = useTranslations('form')
  const value = (props.value as string[] | undefined) ?? []
  const entries = value.filter(line => line !== '')
  const [path, message] = Object.entries(props.inner ?? {})[0] ?? []
  const at = path === undefined ? undefined : entries[Number(path)]
  const error = at === undefined ? props.error : t('entry', { entry: at, message: message ?? '' })
  return (
    <TextArea
      {...typed({ ...props, ...(error !== undefined && { error }) })}
      rows={Math.min(10, Math.max(3, value.length + 1))}
      code
      spellCheck={false}
      value={value.join('\n')}
      onChange={text => props.onChange(text.split('\n').map(line => line.trim()))}
    />
  )
}
