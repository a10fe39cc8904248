'use client'
import * as Box from '@radix-ui/react-checkbox'
import * as Radio from '@radix-ui/react-radio-group'
import * as Switch from '@radix-ui/react-switch'
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Below } from './field'

type CheckProps = {
  checked: boolean | 'indeterminate'
  onChange: (checked: boolean) => void
  disabled?: boolean
  'aria-label'?: string
  id?: string
  tabIndex?: number
}

/** The box alone, as in a table's first column. */
export function Check({ checked, onChange, ...rest }: CheckProps) {
  return (
    <Box.Root className="checkbox" checked={checked} onCheckedChange={next => onChange(next === true)} {...rest}>
      <svg className="icon check-mark" viewBox="0 0 24 24" aria-hidden="true">
        <path d="m5 12.500 4.500 4.500L19 7.500" />
      </svg>
      <svg className="icon minus-mark" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 12h14" />
      </svg>
    </Box.Root>
  )
}

/** A box with its words. */
export function CheckLine({ children, block, ...rest }: CheckProps & { children: ReactNode; block?: boolean }) {
  const made = useId()
  const id = rest.id ?? made
  return (
    <span className={block ? 'checkbox-row block' : 'checkbox-row'}>
      <Check {...rest} id={id} />
      <label htmlFor={id}>{children}</label>
    </span>
  )
}

/** `also`: further words that a search finds it by; not shown. */
export type Option = { value: string; label: string; disabled?: boolean; help?: string; also?: string }

type GroupProps = {
  label: ReactNode
  help?: ReactNode
  error?: ReactNode
  changed?: boolean
  options: readonly Option[]
}

/** Several of a few. */
export function CheckboxGroup({
  label,
  help,
  error,
  changed,
  options,
  value,
  onChange,
}: GroupProps & { value: readonly string[]; onChange: (value: string[]) => void }) {
  const id = useId()
  const toggle = (own: string, on: boolean) =>
    onChange(options.map(o => o.value).filter(v => (v === own ? on : value.includes(v))))
  return (
    <fieldset className={changed ? 'field changed' : 'field'} aria-describedby={`${id}-below`}>
      <legend className="label">{label}</legend>
      <div className="row wrapping" style={{ columnGap: 20 }}>
        {options.map(o => (
          <CheckLine
            key={o.value}
            checked={value.includes(o.value)}
            disabled={o.disabled}
            onChange={on => toggle(o.value, on)}
          >
            {o.label}
          </CheckLine>
        ))}
      </div>
      <Below id={`${id}-below`} help={help} error={error} />
    </fieldset>
  )
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/**
 * An arrow key chooses at once. Radix moves the focus a moment later and chooses only while the key is still down: a quick
 * press on a busy machine would move the focus and choose nothing.
 */
function chooseByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const root = event.currentTarget
  const radios = [...root.querySelectorAll<HTMLElement>('[role=radio]:not([disabled])')]
  const at = radios.indexOf(document.activeElement as HTMLElement)
  if (!step || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return
  event.preventDefault()
  const sideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
  const way = sideways && getComputedStyle(root).direction === 'rtl' ? -step : step
  const next = radios[(at + way + radios.length) % radios.length]
  next?.focus()
  next?.click()
}

/** One of a few that differ in kind: cards with a word of help each. */
export function ChoiceCards({
  label,
  help,
  error,
  changed,
  options,
  value,
  onChange,
}: GroupProps & { value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div className={changed ? 'field changed' : 'field'}>
      <span className="label" id={id}>
        {label}
      </span>
      <Radio.Root
        className="choice"
        value={value}
        onValueChange={onChange}
        aria-labelledby={id}
        onKeyDownCapture={chooseByArrow}
      >
        {options.map(o => (
          <Radio.Item key={o.value} value={o.value} disabled={o.disabled}>
            <b>{o.label}</b>
            {o.help && <span className="help">{o.help}</span>}
          </Radio.Item>
        ))}
      </Radio.Root>
      <Below help={help} error={error} />
    </div>
  )
}

type SwitchProps = {
  label: ReactNode
  help?: ReactNode
  error?: ReactNode
  changed?: boolean
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

export function SwitchField({ label, help, error, changed, checked, onChange, disabled }: SwitchProps) {
  const id = useId()
  return (
    <div className={changed ? 'switch-row changed' : 'switch-row'}>
      <Switch.Root className="switch" id={id} checked={checked} onCheckedChange={onChange} disabled={disabled} />
      <div>
        <label htmlFor={id}>{label}</label>
        <div>
          <Below help={help} error={error} />
        </div>
      </div>
    </div>
  )
}

type SegProps = { label: string; options: readonly Option[]; value: string; onChange: (value: string) => void }

/** One of two to five words in a row: a time range, a view. */
export const Segments = ({ label, options, value, onChange }: SegProps) => (
  <fieldset className="segments" aria-label={label}>
    {options.map(o => (
      <button key={o.value} type="button" aria-pressed={o.value === value} onClick={() => onChange(o.value)}>
        {o.label}
      </button>
    ))}
  </fieldset>
)
