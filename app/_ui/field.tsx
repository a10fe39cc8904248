'use client'
import { useTranslations } from 'next-intl'
import { type ChangeEvent, type ComponentProps, type ReactNode, useId, useState } from 'react'
import { IconButton } from './button'
import { useEarlyText } from './early'
import { macTyped } from './format'
import { Glyph } from './status'

/** What every field has around its control. */
export type FieldFrame = {
  label: ReactNode
  help?: ReactNode
  /** The sentence that says what is allowed. */
  error?: ReactNode
  /** Changed and not saved: the violet edge. */
  changed?: boolean
  /** At the label's end: a badge such as "From group Lobby". */
  mark?: ReactNode
  /** Says "optional" beside the label. */
  optional?: boolean
  /** A fixed id, so that a problem list can lead here. */
  id?: string
}

type Wired = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string; className: string }

/** Label above, control, error and help below. `children` gets what ties the control to them. */
export function Field({
  label,
  help,
  error,
  changed,
  mark,
  optional,
  id,
  children,
}: FieldFrame & { children: (wired: Wired) => ReactNode }) {
  const t = useTranslations('common.field')
  const made = useId()
  const own = id ?? made
  const below = error !== undefined || help !== undefined ? `${own}-below` : undefined
  return (
    <div className={changed ? 'field changed' : 'field'}>
      <div className="label">
        <label htmlFor={own}>{label}</label>
        {optional && <span className="requirement">{t('optional')}</span>}
        {mark}
      </div>
      {children({
        id: own,
        className: error === undefined ? 'input' : 'input invalid',
        ...(error !== undefined && { 'aria-invalid': true as const }),
        ...(below && { 'aria-describedby': below }),
      })}
      <Below id={below} help={help} error={error} />
    </div>
  )
}

/** The lines under a control: the error, and the help, which stays to be read while the error is mended. */
export function Below({ id, help, error }: { id?: string; help?: ReactNode; error?: ReactNode }) {
  if (error === undefined && help === undefined) return null
  return (
    <div className="below" id={id}>
      {error !== undefined && (
        <span className="field-error" role="alert">
          <Glyph shape="octagon" />
          <span>{error}</span>
        </span>
      )}
      {help !== undefined && <div className="help">{help}</div>}
    </div>
  )
}

type Control = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className' | 'id' | 'size'>
export type TextFieldProps = FieldFrame &
  Control & { value: string; onChange: (value: string) => void; unit?: ReactNode; lead?: ReactNode }

/** What is around a control, apart from what it takes itself. */
export function split<P extends FieldFrame>({ label, help, error, changed, mark, optional, id, ...control }: P) {
  return { frame: { label, help, error, changed, mark, optional, id }, control }
}

export function TextField(props: TextFieldProps) {
  const { frame, control } = split(props)
  const { value, onChange, unit, lead, ...rest } = control
  const ref = useEarlyText<HTMLInputElement>(onChange)
  const own = { ...rest, ref, value, onChange: (e: ChangeEvent<HTMLInputElement>) => onChange(e.target.value) }
  return (
    <Field {...frame}>
      {({ className, ...wired }) =>
        unit === undefined && lead === undefined ? (
          <input className={className} {...wired} {...own} />
        ) : (
          <span className={className}>
            {lead}
            <input {...wired} {...own} />
            {unit !== undefined && <span className="unit">{unit}</span>}
          </span>
        )
      }
    </Field>
  )
}

/** A text of several lines: keys, certificates, notes. */
export function TextArea(
  props: FieldFrame &
    Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className' | 'id'> & {
      value: string
      onChange: (value: string) => void
      code?: boolean
    },
) {
  const { frame, control } = split(props)
  const { value, onChange, code, ...rest } = control
  const ref = useEarlyText<HTMLTextAreaElement>(onChange)
  return (
    <Field {...frame}>
      {({ className, ...wired }) => (
        <textarea
          {...wired}
          {...rest}
          ref={ref}
          className={`${className} area${code ? ' font-mono' : ''}`}
          value={value}
          onChange={e => onChange(e.target.value)}
        />
      )}
    </Field>
  )
}

/** A secret with show and hide. Never filled in from the server: `kept` says that one is stored and stays if left empty; `shownFirst`: it begins in clear. */
export function PasswordField({
  shownFirst = false,
  ...props
}: TextFieldProps & { kept?: boolean; shownFirst?: boolean }) {
  const t = useTranslations('common.field')
  const [shown, setShown] = useState(shownFirst)
  const { frame, control } = split(props)
  const { value, onChange, kept, placeholder, unit: _unit, lead: _lead, ...rest } = control
  const ref = useEarlyText<HTMLInputElement>(onChange)
  return (
    <Field {...frame}>
      {({ className, ...wired }) => (
        <span className={className}>
          <input
            {...wired}
            autoComplete="new-password"
            {...rest}
            ref={ref}
            placeholder={kept && value === '' ? t('secretKept') : placeholder}
            type={shown ? 'text' : 'password'}
            spellCheck={false}
            value={value}
            onChange={e => onChange(e.target.value)}
          />
          <IconButton
            small
            kind="ghost"
            icon={shown ? 'eyeOff' : 'eye'}
            label={shown ? t('hide') : t('show')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          />
        </span>
      )}
    </Field>
  )
}

/** A whole number as text: `onChange` gets undefined for an empty field, NaN for what is no number. */
export function NumberField({
  value,
  onChange,
  ...rest
}: Omit<TextFieldProps, 'value' | 'onChange' | 'type'> & {
  value: number | undefined
  onChange: (value: number | undefined) => void
}) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const shown = Number.isNaN(value) || numberOf(text) === value ? text : value === undefined ? '' : String(value)
  const take = (next: string) => {
    setText(next)
    onChange(numberOf(next))
  }
  return <TextField {...rest} inputMode="numeric" value={shown} onChange={take} />
}

const numberOf = (text: string) => (text.trim() === '' ? undefined : Number(text.trim()))

/** A MAC address; colons come by themselves. */
export const MacField = ({ onChange, ...rest }: TextFieldProps) => (
  <TextField {...rest} maxLength={17} dir="ltr" spellCheck={false} onChange={text => onChange(macTyped(text))} />
)
