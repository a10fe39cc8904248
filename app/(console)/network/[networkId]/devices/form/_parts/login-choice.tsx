'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { type Credential, credentialOf, emptyLogin, type Login } from '@/app/_shared/adoption/login-data'
import { LoginFields } from '@/app/_shared/adoption/login-fields'
import { SelectField } from '@/app/_ui/select-field'

export type ChosenLogin = { credentialId: number } | { credential: Credential }
const fresh = 'new'

/** A stored login, or a new one. `value` is what the calls take; `ssh` tells whether host keys are to be shown first. */
export function useLoginChoice() {
  const [stored, setStored] = useState(fresh)
  const [login, setLogin] = useState<Login>(emptyLogin)
  const list = useNetworkCall('credentials/list', {}, { live: true })
  const chosen = list.data?.result.find(one => String(one.id) === stored)
  const value: ChosenLogin = chosen ? { credentialId: chosen.id } : { credential: credentialOf(login) }
  const ssh = (chosen?.type ?? login.way) === 'ssh'
  return { stored: chosen ? stored : fresh, setStored, login, setLogin, list: list.data?.result ?? [], value, ssh }
}
export type LoginChoiceState = ReturnType<typeof useLoginChoice>

type Props = { state: LoginChoiceState; errors: Readonly<Record<string, string>> }

/** Which login goes to the chosen devices. */
export function LoginChoice({ state, errors }: Props) {
  const t = useTranslations('addDevices.login')
  const { stored, setStored, login, setLogin, list } = state
  return (
    <>
      {list.length > 0 && (
        <SelectField
          label={t('which')}
          value={stored}
          help={list.every(one => one.mayBring) ? undefined : t('notYours')}
          error={errors.credentialId}
          options={[
            { value: fresh, label: t('new') },
            ...list.map(one => ({
              value: String(one.id),
              label: `${one.name} (${t(`types.${one.type}`)})`,
              disabled: !one.mayBring,
            })),
          ]}
          onChange={setStored}
        />
      )}
      {stored === fresh && <LoginFields login={login} onLogin={setLogin} errors={errors} />}
    </>
  )
}

/** Errors by their last part: a call names a login's fields by where the login stood in its input. */
export const loginErrors = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).map(([name, text]) => [name.replace(/^(devices\.\d+\.)?(?=credential)/, ''), text]),
  )
