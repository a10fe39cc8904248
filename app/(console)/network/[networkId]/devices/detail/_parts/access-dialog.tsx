'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { CheckLine } from '@/app/_ui/check'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Below, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import type { DeviceInfo } from './device-info'
import type { DialogProps } from './dialogs'

const isSsh = ({ can }: DeviceInfo) => can.hostKey

type Access = { address: string; port: string; login: string; hostKey?: string | undefined }
const accessOf = ({ address, port, credential }: DeviceInfo): Access => ({
  address,
  port: String(port),
  login: String(credential?.id ?? ''),
})

const targetOf = ({ address, port }: Access) => ({ address: address.trim(), port: Number(port) })

/** Where a device is reached and with which login: after it moved, or was installed anew. Changes nothing on it. */
export function AccessDialog({ info, onClose }: DialogProps) {
  const t = useTranslations('devices.access')
  const [access, setAccess] = useState(() => accessOf(info))
  const save = async () => {
    const { login, hostKey } = access
    const way = { ...(login && { credentialId: Number(login) }), ...(hostKey && { hostKey }) }
    await callApi('devices/config/save', withNetwork({ id: info.id, ...targetOf(access), ...way }))
    toast('ok', t('done', { name: info.name }))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', { name: info.name })}
      help={t('help')}
      action={t('save')}
      onConfirm={save}
    >
      {errors => (
        <AccessFields
          info={info}
          access={access}
          errors={errors}
          put={next => setAccess(now => ({ ...now, ...next }))}
        />
      )}
    </ConfirmDialog>
  )
}

type FieldsProps = {
  info: DeviceInfo
  access: Access
  errors: Readonly<Record<string, string>>
  put: (next: Partial<Access>) => void
}

function AccessFields({ info, access, errors, put }: FieldsProps) {
  const t = useTranslations('devices.access')
  const list = useNetworkCall('credentials/list', {})
  const logins = (list.data?.result ?? []).filter(one => (one.type === 'ssh') === isSsh(info))
  return (
    <>
      <div className="two-columns">
        <TextField
          label={t('address')}
          value={access.address}
          error={errors.address}
          onChange={address => put({ address })}
        />
        <TextField
          label={t('port')}
          inputMode="numeric"
          value={access.port}
          error={errors.port}
          onChange={port => put({ port: port.replace(/\D/g, '') })}
        />
      </div>
      <SelectField
        label={t('login')}
        value={access.login}
        error={errors.credentialId}
        options={logins.map(one => ({
          value: String(one.id),
          label: one.name,
          disabled: !one.mayBring && one.id !== info.credential?.id,
        }))}
        onChange={login => put({ login })}
      />
      {isSsh(info) && (
        <HostKey info={info} target={targetOf(access)} error={errors.hostKey} onKey={hostKey => put({ hostKey })} />
      )}
    </>
  )
}

type KeyProps = {
  info: DeviceInfo
  target: { address: string; port: number }
  error?: string
  onKey: (accepted: string | undefined) => void
}

/** The key that was confirmed, and the one the device shows now: a new one is used only when a person accepts it. */
function HostKey({ info, target, error, onKey }: KeyProps) {
  const t = useTranslations('devices.access')
  const [seen, setSeen] = useState<string>()
  const [accepted, setAccepted] = useState(false)
  const [busy, setBusy] = useState(false)
  const accept = (on: boolean) => {
    setAccepted(on)
    onKey(on ? seen : undefined)
  }
  const look = async () => {
    setBusy(true)
    accept(false)
    const answer = await callApi('devices/fingerprint', withNetwork(target)).catch(() => undefined)
    setSeen(answer?.hostKey)
    setBusy(false)
  }
  return (
    <fieldset className="field">
      <legend className="label">{t('hostKey')}</legend>
      <div className="grid gap-2">
        <code className="ip fine-print break-all">{info.hostKey}</code>
        <Button small className="justify-self-start" busy={busy} onClick={() => void look()}>
          {t('look')}
        </Button>
        {seen === info.hostKey && <Note tone="ok" title={t('sameKey')} />}
        {seen !== undefined && seen !== info.hostKey && (
          <Note tone="warn" title={t('otherKey')}>
            <code className="ip fine-print break-all">{seen}</code>
            <CheckLine checked={accepted} onChange={accept}>
              {t('accept')}
            </CheckLine>
          </Note>
        )}
        <Below error={error} />
      </div>
    </fieldset>
  )
}
