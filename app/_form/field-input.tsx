'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { CallPath } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { CheckboxGroup, ChoiceCards, SwitchField } from '@/app/_ui/check'
import { ComboField } from '@/app/_ui/combo-field'
import { MacField, NumberField, PasswordField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import type { FieldSpec } from './spec'
import type { Words } from './use-words'
import { isKept, kept } from './values'

export type InputProps = {
  spec: FieldSpec
  words: Words
  value: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  error?: string
  changed: boolean
  /** The field holds a stored secret. */
  stored: boolean
}

// More than this many choices are a list to open, not cards.
const cards = 6

function frameOf({ spec, words, error, changed }: InputProps) {
  return {
    id: `field-${spec.key}`,
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
  return options.length <= cards ? <ChoiceCards {...common} /> : <SelectField {...common} />
}

function Reference(props: InputProps) {
  const { spec, value, onChange } = props
  const path = `settings/${spec.kind}/options` as CallPath & `settings/${string}/options`
  const { data } = useNetworkCall(path, {})
  const options = (data?.result ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <ComboField {...frameOf(props)} options={options} value={String(value ?? '')} onChange={onChange} />
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
      onBlur={onBlur}
    />
  )
}

function Numeric(props: InputProps) {
  const t = useTranslations('form.units')
  const { spec } = props
  return (
    <NumberField
      {...frameOf(props)}
      name={spec.key}
      value={props.value as number | undefined}
      onChange={props.onChange}
      onBlur={props.onBlur}
      optional={!spec.required && spec.default === undefined}
      {...(spec.unit && { unit: t(spec.unit as 'seconds') })}
    />
  )
}

const drawn: Record<FieldSpec['widget'], (props: InputProps) => ReactNode> = {
  text: props => (
    <TextField
      {...frameOf(props)}
      name={props.spec.key}
      value={String(props.value ?? '')}
      onChange={props.onChange}
      onBlur={props.onBlur}
      optional={!props.spec.required}
    />
  ),
  mac: props => (
    <MacField
      {...frameOf(props)}
      value={String(props.value ?? '')}
      onChange={props.onChange}
      onBlur={props.onBlur}
      optional={!props.spec.required}
    />
  ),
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
}

/** One field of a form, drawn as its metadata says. */
export function FieldInput(props: InputProps) {
  const Drawn = drawn[props.spec.widget]
  return <Drawn {...props} />
}
