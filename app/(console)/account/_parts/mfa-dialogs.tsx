'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { ActDialog } from '@/app/_shared/act-dialog'
import { CodeField, CodeFields, useFactor } from '@/app/_shared/mfa/code-fields'
import { RecoveryCodes } from '@/app/_shared/mfa/recovery-codes'
import { type Shown, ShownSecret } from '@/app/_shared/mfa/shown-secret'
import { Button } from '@/app/_ui/button'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { PasswordField } from '@/app/_ui/field'

type Props = { onClose: () => void }

function Password({ value, onChange, error }: { value: string; onChange: (value: string) => void; error?: string }) {
  const t = useTranslations('mfa')
  return (
    <PasswordField
      label={t('password')}
      autoComplete="current-password"
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}

/** The last page of two dialogs: codes that are shown this once, so that nothing but the button closes it. */
function Kept({ codes, onClose }: Props & { codes: readonly string[] }) {
  const t = useTranslations('mfa')
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('codesTitle')}
      footer={
        <Button kind="primary" onClick={onClose}>
          {t('kept')}
        </Button>
      }
    >
      <RecoveryCodes codes={codes} />
    </Dialog>
  )
}

/** Password, then picture and code, then the recovery codes. */
export function TurnOnDialog({ onClose }: Props) {
  const t = useTranslations('mfa')
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState<Shown>()
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const confirm = async () => {
    if (shown) setCodes((await callApi('mfa/enable', { code })).recoveryCodes)
    else setShown(await callApi('mfa/setup', { password }))
    return 'stay'
  }
  if (codes) return <Kept codes={codes} onClose={onClose} />
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('onTitle')}
      consequences={shown ? [t('othersEnd')] : []}
      action={shown ? t('confirm') : t('continue')}
      onConfirm={confirm}
    >
      {errors =>
        shown ? (
          <>
            <ShownSecret shown={shown} />
            <CodeField value={code} onChange={setCode} error={errors.code} />
          </>
        ) : (
          <Password value={password} onChange={setPassword} error={errors.password} />
        )
      }
    </ConfirmDialog>
  )
}

function useProof() {
  const [password, setPassword] = useState('')
  const { factor, setFactor, proof } = useFactor()
  const fields = (errors: Readonly<Record<string, string>>) => (
    <>
      <Password value={password} onChange={setPassword} error={errors.password} />
      <CodeFields factor={factor} onChange={setFactor} error={errors.code ?? errors.recoveryCode} />
    </>
  )
  return { input: { password, ...proof }, fields }
}

export function TurnOffDialog({ onClose }: Props) {
  const t = useTranslations('mfa')
  const { input, fields } = useProof()
  return (
    <ActDialog
      call="mfa/disable"
      input={input}
      done={t('turnedOff')}
      danger
      onClose={onClose}
      title={t('offTitle')}
      consequences={[t('offWhat'), t('othersEnd')]}
      action={t('card.turnOff')}
    >
      {fields}
    </ActDialog>
  )
}

export function RenewDialog({ onClose }: Props) {
  const t = useTranslations('mfa')
  const { input, fields } = useProof()
  const [codes, setCodes] = useState<readonly string[]>()
  const confirm = async () => {
    setCodes((await callApi('mfa/recovery-codes', input)).recoveryCodes)
    return 'stay'
  }
  if (codes) return <Kept codes={codes} onClose={onClose} />
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('renewTitle')}
      consequences={[t('renewWhat')]}
      action={t('card.renew')}
      onConfirm={confirm}
    >
      {fields}
    </ConfirmDialog>
  )
}
