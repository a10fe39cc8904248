'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/app/_ui/button'
import { TextField } from '@/app/_ui/field'

export type Factor = { recovery: boolean; text: string }
export const noFactor: Factor = { recovery: false, text: '' }

export function useFactor() {
  const [factor, setFactor] = useState(noFactor)
  return { factor, setFactor, proof: factor.recovery ? { recoveryCode: factor.text } : { code: factor.text } }
}

type Props = { factor: Factor; onChange: (factor: Factor) => void; error?: string; focus?: boolean }

/** A code of the authenticator app, or one of the recovery codes instead. */
export function CodeFields({ factor, onChange, error, focus = false }: Props) {
  const t = useTranslations('mfa')
  const { recovery, text } = factor
  return (
    <>
      <CodeField
        recovery={recovery}
        value={text}
        error={error}
        focus={focus}
        onChange={next => onChange({ recovery, text: next })}
      />
      <div>
        <Button kind="ghost" small onClick={() => onChange({ recovery: !recovery, text: '' })}>
          {recovery ? t('useCode') : t('useRecovery')}
        </Button>
      </div>
    </>
  )
}

type FieldProps = {
  recovery?: boolean
  value: string
  error?: string
  focus?: boolean
  onChange: (text: string) => void
}

export function CodeField({ recovery = false, value, error, focus = false, onChange }: FieldProps) {
  const t = useTranslations('mfa')
  return (
    <TextField
      key={String(recovery)}
      label={recovery ? t('recoveryCode') : t('code')}
      help={recovery ? t('recoveryHelp') : t('codeHelp')}
      autoComplete={recovery ? 'off' : 'one-time-code'}
      inputMode={recovery ? 'text' : 'numeric'}
      autoFocus={focus}
      dir="ltr"
      spellCheck={false}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}
