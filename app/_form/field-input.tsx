'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CheckboxGroup, ChoiceCards, SwitchField } from '@/app/_ui/check'
import { ComboField, MultiSelect } from '@/app/_ui/combo-field'
import { MacField, NumberField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { frameOf, type InputProps, leftOut, typed } from './input-frame'
import { LanChoice } from './lan-choice'
import { Block, Lines } from './more-inputs'
import { useReferences } from './references'
import { Secret } from './secret-input'
import type { FieldSpec } from './spec'
import { useAdd } from './use-add'

// Large, and in few forms: loaded where one has such a field.
const ColourInput = dynamic(async () => (await import('./page-inputs')).ColourInput)
const Prose = dynamic(async () => (await import('./page-inputs')).Prose)
const FileInput = dynamic(async () => (await import('./file-inputs')).FileInput)
const FilesInput = dynamic(async () => (await import('./file-inputs')).FilesInput)
const Rate = dynamic(async () => (await import('./quantity-inputs')).Rate)
const DataAmount = dynamic(async () => (await import('./quantity-inputs')).DataAmount)
const FromDevices = dynamic(async () => (await import('./device-inputs')).FromDevices)
const DeviceChoice = dynamic(async () => (await import('./device-inputs')).DeviceChoice)
const TimeZone = dynamic(async () => (await import('./place-inputs')).TimeZone)
const Country = dynamic(async () => (await import('./place-inputs')).Country)
const Language = dynamic(async () => (await import('./place-inputs')).Language)
const Instant = dynamic(async () => (await import('./time-inputs')).Instant)
const Wall = dynamic(async () => (await import('./time-inputs')).Wall)
const Weekday = dynamic(async () => (await import('./time-inputs')).Weekday)
const DaySlotsInput = dynamic(async () => (await import('./slots-input')).DaySlotsInput)
const WeekSlotsInput = dynamic(async () => (await import('./slots-input')).WeekSlotsInput)
const ChannelChoice = dynamic(async () => (await import('./channel-choice')).ChannelChoice)
const PortLines = dynamic(async () => (await import('./ports-input')).PortLines)
const PortsHere = dynamic(async () => (await import('./ports-input')).PortsHere)
const Rows = dynamic(async () => (await import('./rows-input')).Rows)

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

function Reference(props: InputProps) {
  const { spec, words, value, onChange } = props
  const options = useReferences(spec.kind)
  // What may be left out can be taken back.
  const none = { value: '', label: words.maybe(`fields.${spec.key}.empty`) ?? '–' }
  const all = spec.required ? options : [none, ...options]
  const take = (id: string) => onChange(id === '' ? undefined : id)
  const { add, panel } = useAdd(props, spec.kind, options.length, take)
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
  const { add, panel } = useAdd(props, spec.kind, options.length, id => onChange([...chosen, id]))
  return (
    <>
      <MultiSelect {...frameOf(props)} options={options} value={chosen} onChange={onChange} {...(add && { add })} />
      {panel}
    </>
  )
}

function Numeric(props: InputProps) {
  const t = useTranslations('form.units')
  const { spec, value, words } = props
  const zero = value === 0 ? words.maybe(`fields.${spec.key}.zero`) : undefined
  return (
    <NumberField
      {...frameOf(props)}
      name={props.path ?? spec.key}
      value={props.value as number | undefined}
      onChange={props.onChange}
      onBlur={() => props.onBlur()}
      {...leftOut(props)}
      {...(spec.unit && { unit: t(spec.unit as 'seconds') })}
      {...(zero && { unit: zero })}
    />
  )
}

/** What a number means may be better chosen than typed. */
function NumberInput(props: InputProps) {
  if (props.spec.ofLan) return <LanChoice {...props} />
  if (props.spec.band) return <ChannelChoice {...props} band={props.spec.band} Otherwise={Numeric} />
  return <Numeric {...props} />
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
  prose: props => <Prose {...props} />,
  colour: props => <ColourInput {...props} />,
  language: props => <Language {...props} />,
  weekday: props => <Weekday {...props} />,
  time: props => <Wall {...props} part="time" />,
  mac: props => <MacField {...typed(props)} />,
  number: props => <NumberInput {...props} />,
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
  data: props => <DataAmount {...props} />,
  instant: props => <Instant {...props} />,
  timeZone: props => <TimeZone {...props} />,
  country: props => <Country {...props} />,
  source: props => <FromDevices {...props} />,
  date: props => <Wall {...props} part="date" />,
  daySlots: props => <DaySlotsInput {...props} />,
  weekSlots: props => <WeekSlotsInput {...props} />,
  device: props => <DeviceChoice {...props} />,
  lines: props => <Lines {...props} />,
  ports: props => (props.path === undefined ? <PortLines {...props} /> : <PortsHere {...props} />),
  file: props => <FileInput {...props} />,
  files: props => <FilesInput {...props} />,
  rows: props => <Rows {...props} Cell={FieldInput} />,
}

/** One field of a form, drawn as its metadata says. */
export function FieldInput(props: InputProps) {
  const Drawn = drawn[props.spec.widget]
  return <Drawn {...props} />
}
