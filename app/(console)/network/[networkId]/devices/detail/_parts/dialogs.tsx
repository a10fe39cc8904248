'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { useDeviceOptions } from '@/app/_shared/device-choice'
import { ComboField } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { PasswordField, TextArea, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import type { DeviceInfo } from './device-info'

export type DialogProps = { info: DeviceInfo; onClose: (changed: boolean) => void }

/** Rule N3: 32 characters for a quick rename. */
export function RenameDialog({ info, onClose }: DialogProps) {
  const t = useTranslations('devices.rename')
  const [name, setName] = useState(info.name)
  return (
    <ActDialog
      call="devices/config/save"
      input={withNetwork({ id: info.id, name })}
      done={t('done', { name: name.trim() })}
      onClose={onClose}
      title={t('title', { name: info.name })}
      action={t('save')}
    >
      {errors => (
        <>
          <TextField
            label={t('name')}
            help={t('help')}
            value={name}
            error={errors.name}
            maxLength={limits.deviceRenameCharacters}
            onChange={setName}
          />
        </>
      )}
    </ActDialog>
  )
}

/** What people note about a device: found by the list, and nothing the device knows. */
export function RemarksDialog({ info, onClose }: DialogProps) {
  const t = useTranslations('devices.remarks')
  const [remarks, setRemarks] = useState(info.remarks)
  return (
    <ActDialog
      call="devices/config/save"
      input={withNetwork({ id: info.id, remarks })}
      done={t('done', { name: info.name })}
      onClose={onClose}
      title={t('title', { name: info.name })}
      action={t('save')}
    >
      {errors => (
        <TextArea
          label={t('label')}
          value={remarks}
          error={errors.remarks}
          maxLength={limits.textCharacters}
          onChange={setRemarks}
        />
      )}
    </ActDialog>
  )
}

export function ReplaceDialog({ info, onClose }: DialogProps) {
  const t = useTranslations('devices.replace')
  const [by, setBy] = useState('')
  const others = useDeviceOptions(info.id)
  const choose = (id: string) => {
    others.keep(id)
    setBy(id)
  }
  return (
    <ActDialog
      call="devices/replace"
      input={withNetwork({ id: info.id, by: Number(by) })}
      done={t('done', { name: info.name })}
      onClose={onClose}
      title={t('title', { name: info.name })}
      action={t('confirm')}
      help={t('help')}
      consequences={[t('takes', { name: info.name }), t('forgets', { name: info.name })]}
      disabled={by === ''}
    >
      {errors =>
        others.none ? (
          <Note tone="info" title={t('none')} />
        ) : (
          <ComboField label={t('by')} value={by} error={errors.by} {...others.field} onChange={choose} />
        )
      }
    </ActDialog>
  )
}

type Login = { password: string; publicKey: string; privateKey: string }

/** Ends the standing warning of a device that lets anyone in. */
export function SetLoginDialog({ info, onClose }: DialogProps) {
  const t = useTranslations('devices.setLogin')
  const [login, setLogin] = useState<Login>({ password: '', publicKey: '', privateKey: '' })
  const save = async () => {
    const { password, privateKey } = login
    const publicKey = login.publicKey.trim()
    const given = { ...(password && { password }), ...(publicKey && { publicKey, privateKey }) }
    await callApi('devices/set-login', withNetwork({ id: info.id, ...given }))
    toast('ok', t('done', { name: info.name }))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', { name: info.name })}
      action={t('confirm')}
      onConfirm={save}
      help={t('help')}
    >
      {errors => <LoginFields login={login} errors={errors} put={next => setLogin(now => ({ ...now, ...next }))} />}
    </ConfirmDialog>
  )
}

type LoginProps = {
  login: Login
  errors: Readonly<Record<string, string>>
  put: (next: Partial<Login>) => void
}

/** A key's private half is asked for once its public one is there. */
function LoginFields({ login, errors, put }: LoginProps) {
  const t = useTranslations('devices.setLogin')
  return (
    <>
      <PasswordField
        label={t('password')}
        help={t('passwordHelp')}
        value={login.password}
        error={errors.password}
        onChange={password => put({ password })}
      />
      <TextArea
        label={t('publicKey')}
        help={t('publicKeyHelp')}
        optional
        code
        value={login.publicKey}
        error={errors.publicKey}
        onChange={publicKey => put({ publicKey })}
      />
      {login.publicKey.trim() !== '' && (
        <TextArea
          label={t('privateKey')}
          help={t('privateKeyHelp')}
          code
          value={login.privateKey}
          error={errors.privateKey}
          onChange={privateKey => put({ privateKey })}
        />
      )}
    </>
  )
}
