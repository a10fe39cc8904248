'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CheckboxGroup, ChoiceCards, SwitchField } from '@/app/_ui/check'
import { ComboField, MultiSelect } from '@/app/_ui/combo-field'
import { MacField, NumberField, PasswordField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import {
  Block,
  Country,
  DeviceChoice,
  FromDevices,
  Instant,
  Language,
  Lines,
  Rate,
  TimeZone,
  Weekday,
} from './more-inputs'
import { useReferences } from './references'
import { Rows } from './rows-input'
import { DaySlotsInput, WeekSlotsInput } from './slots-input'
import type { FieldSpec } from './spec'
import type { Words } from './use-words'
import { isKept, kept } from './values'

export type InputProps = {
  spec: FieldSpec
  words: Words
  value: unknown
  onChange: (value: unknown) => void
  /** `path`: what of the field was left, `leases.2.ip`; the field itself without. */
  onBlur: (path?: string) => void
  error?: string
  /** Messages within the field by their path below it: `2.ip`. */
  inner?: Readonly<Record<string, string>>
  changed: boolean
  /** The field holds a stored secret. */
  stored: boolean
  /** Where the value lies, when that is not the field itself: `leases.2.ip`. */
  path?: string
}

// More than this many choices are a list to open, not cards; so are those of a table's row.
const cards = 6

export const idOf = (path: string): string => `field-${path.replaceAll('.', '-')}`

export function frameOf({ spec, words, error, changed, path }: InputProps) {
  return {
    id: idOf(path ?? spec.key),
    label: words.label(spec.key),
    help: words.help(spec.key),
    changed,
    ...(error !== undefined && { error }),
  }
}

function Choice(props: InputProps) {
  const { spec, words, value, onChange } = props
  const options = (spec.choices ?? []).map(choice => ({
    value: choice,
    label: words.choice(spec.key, choice),
    help: words.maybe(`fields.${spec.key}.choiceHelp.${choice}`),
  }))
  const common = { ...frameOf(props), options, value: String(value ?? ''), onChange }
  return options.length <= cards && props.path === undefined && !spec.menu ? (
    <ChoiceCards {...common} />
  ) : (
    <SelectField {...common} />
  )
}

function Reference(props: InputProps) {
  const { spec, words, value, onChange } = props
  const options = useReferences(spec.kind)
  // What may be left out can be taken back.
  const none = { value: '', label: words.maybe(`fields.${spec.key}.empty`) ?? '–' }
  const all = spec.required ? options : [none, ...options]
  const take = (id: string) => onChange(id === '' ? undefined : id)
  return <ComboField {...frameOf(props)} options={all} value={String(value ?? '')} onChange={take} />
}

function References(props: InputProps) {
  const { spec, value, onChange } = props
  const options = useReferences(spec.kind)
  return (
    <MultiSelect
      {...frameOf(props)}
      options={options}
      value={(value as string[] | undefined) ?? []}
      onChange={onChange}
    />
  )
}

function Secret(props: InputProps) {
  const { value, onChange, onBlur, stored, spec } = props
  const take = (text: string) => onChange(text === '' ? (stored ? kept : undefined) : text)
  const shown = typeof value === 'string' ? value : ''
  return (
    <PasswordField
      {...frameOf(props)}
      name={spec.key}
      kept={stored && isKept(value)}
      value={shown}
      onChange={take}
      onBlur={() => onBlur()}
    />
  )
}

function Numeric(props: InputProps) {
  const t = useTranslations('form.units')
  const { spec } = props
  return (
    <NumberField
      {...frameOf(props)}
      name={props.path ?? spec.key}
      value={props.value as number | undefined}
      onChange={props.onChange}
      onBlur={() => props.onBlur()}
      optional={!spec.required && spec.default === undefined}
      {...(spec.unit && { unit: t(spec.unit as 'seconds') })}
    />
  )
}

/** What a text control needs of these. */
export const typed = (props: InputProps) => ({
  ...frameOf(props),
  value: String(props.value ?? ''),
  onChange: props.onChange,
  onBlur: () => props.onBlur(),
  optional: !props.spec.required && props.path === undefined,
})

/** What texts of a sort are typed with. */
const modes = {
  email: { inputMode: 'email', dir: 'ltr' },
  url: { inputMode: 'url', dir: 'ltr' },
  plain: { dir: 'ltr', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false },
} as const

const drawn: Record<FieldSpec['widget'], (props: InputProps) => ReactNode> = {
  text: props => (
    <TextField
      {...typed(props)}
      {...(props.spec.input && modes[props.spec.input])}
      name={props.path ?? props.spec.key}
    />
  ),
  block: props => <Block {...props} />,
  language: props => <Language {...props} />,
  weekday: props => <Weekday {...props} />,
  time: props => <TextField {...typed(props)} type="time" />,
  mac: props => <MacField {...typed(props)} />,
  number: props => <Numeric {...props} />,
  secret: props => <Secret {...props} />,
  switch: ({ error, ...props }) => (
    <SwitchField {...frameOf({ ...props, error })} checked={props.value === true} onChange={props.onChange} />
  ),
  choice: props => <Choice {...props} />,
  checks: props => (
    <CheckboxGroup
      {...frameOf(props)}
      options={(props.spec.choices ?? []).map(value => ({ value, label: props.words.choice(props.spec.key, value) }))}
      value={(props.value as string[] | undefined) ?? []}
      onChange={props.onChange}
    />
  ),
  ref: props => <Reference {...props} />,
  refs: props => <References {...props} />,
  rate: props => <Rate {...props} />,
  instant: props => <Instant {...props} />,
  timeZone: props => <TimeZone {...props} />,
  country: props => <Country {...props} />,
  source: props => <FromDevices {...props} />,
  date: props => <TextField {...typed(props)} type="date" />,
  daySlots: props => <DaySlotsInput {...props} />,
  weekSlots: props => <WeekSlotsInput {...props} />,
  device: props => <DeviceChoice {...props} />,
  lines: props => <Lines {...props} />,
  rows: props => <Rows {...props} Cell={FieldInput} />,
}

/** One field of a form, drawn as its metadata says. */
export function FieldInput(props: InputProps) {
  const Drawn = drawn[props.spec.widget]
  return <Drawn {...props} />
}
