'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/app/_ui/button'
import { useCopy } from '@/app/_ui/copy'
import { PasswordField } from '@/app/_ui/field'
import { newKey } from './generated-key'
import { frameOf, type InputProps, leftOut } from './input-frame'
import { isKept, kept } from './values'

/** A secret, never filled in from the manager; a key for people can be made and copied while it is not saved. */
export function Secret(props: InputProps) {
  const { value, onChange, onBlur, stored, spec, path } = props
  const t = useTranslations('form.key')
  const copy = useCopy()
  // A new field each time: a key that was made is shown at once.
  const [made, setMade] = useState(0)
  const take = (text: string) => onChange(text === '' ? (stored ? kept : undefined) : text)
  const text = typeof value === 'string' ? value : ''
  const { placeholder } = leftOut(props)
  const field = (
    <PasswordField
      key={made}
      {...frameOf(props)}
      name={spec.key}
      kept={stored && isKept(value)}
      shownFirst={made > 0}
      value={text}
      onChange={take}
      onBlur={() => onBlur()}
      {...(placeholder !== undefined && { placeholder })}
    />
  )
  if (!spec.generated || path !== undefined) return field
  const generate = () => {
    onChange(newKey())
    setMade(made + 1)
  }
  return (
    <div className="field-row">
      {field}
      <div className="row wrapping key-tools">
        <Button small icon="refresh" onClick={generate}>
          {t('generate')}
        </Button>
        {text !== '' && (
          <Button small icon="copy" onClick={() => void copy(text)}>
            {t('copy')}
          </Button>
        )}
      </div>
    </div>
  )
}
