'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { CheckboxGroup, ChoiceCards, SwitchField } from '@/app/_ui/check'
import { ComboField, type ListAdd, MultiSelect } from '@/app/_ui/combo-field'
import { MacField, NumberField, PasswordField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { frameOf, type InputProps, typed } from './input-frame'
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
import { useQuickAdd } from './quick-add'
import { useReferences } from './references'
import { Rows } from './rows-input'
import { DaySlotsInput, WeekSlotsInput } from './slots-input'
import type { FieldSpec } from './spec'
import { isKept, kept } from './values'

// More than this many choices are a list to open, not cards; so are those of a table's row.
const cards = 6

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

/** Below the choices of a reference: makes what it could point at in a panel above, and chooses it. */
function useAdd(props: InputProps, count: number, choose: (id: string) => void) {
  const quick = useQuickAdd(props.spec.kind)
  const words = useTranslations()
  const [open, setOpen] = useState(false)
  if (!quick) return {}
  const { spec, Panel } = quick
  const word = (key: string, values?: { max: number }) =>
    words(`${spec.area}.${spec.id}.${key}` as 'wifi.ssid.add', values as never)
  const close = (made?: string) => {
    setOpen(false)
    if (made !== undefined) choose(made)
  }
  const add: ListAdd =
    count < spec.max ? { label: word('add'), onAdd: () => setOpen(true) } : { full: word('full', { max: spec.max }) }
  return { add, panel: open && <Panel spec={spec} field={frameOf(props).id} onClose={close} /> }
}

function Reference(props: InputProps) {
  const { spec, words, value, onChange } = props
  const options = useReferences(spec.kind)
  // What may be left out can be taken back.
  const none = { value: '', label: words.maybe(`fields.${spec.key}.empty`) ?? '–' }
  const all = spec.required ? options : [none, ...options]
  const take = (id: string) => onChange(id === '' ? undefined : id)
  const { add, panel } = useAdd(props, options.length, take)
  return (
    <>
      <ComboField {...frameOf(props)} options={all} value={String(value ?? '')} onChange={take} {...(add && { add })} />
      {panel}
    </>
  )
}

function References(props: InputProps) {
  const { spec, value, onChange } = props
  const options = useReferences(spec.kind)
  const chosen = (value as string[] | undefined) ?? []
  const { add, panel } = useAdd(props, options.length, id => onChange([...chosen, id]))
  return (
    <>
      <MultiSelect {...frameOf(props)} options={options} value={chosen} onChange={onChange} {...(add && { add })} />
      {panel}
    </>
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
