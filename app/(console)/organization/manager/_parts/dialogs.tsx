'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { awaitRestart, currentRun } from '@/app/_api/run'
import { ActDialog } from '@/app/_shared/act-dialog'
import { SwitchField } from '@/app/_ui/check'
import { useClock } from '@/app/_ui/clock'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { PasswordField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'
import type { Backup } from './rows'

type Props = { backup: Backup; onClose: () => void }

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('backups')
  const [history, setHistory] = useState(true)
  const [passphrase, setPassphrase] = useState('')
  const create = async () => {
    const { name } = await callApi('backups/create', { history, ...(passphrase && { passphrase }) })
    toast('ok', t('made', { name }))
  }
  return (
    <ConfirmDialog
      open
      title={t('createTitle')}
      help={t('createHelp')}
      action={t('create')}
      onClose={onClose}
      onConfirm={create}
    >
      {errors => (
        <>
          <SwitchField label={t('withHistory')} help={t('historyHelp')} checked={history} onChange={setHistory} />
          <PasswordField
            label={t('passphrase')}
            help={t('passphraseHelp')}
            error={errors.passphrase}
            autoComplete="new-password"
            optional
            value={passphrase}
            onChange={setPassphrase}
          />
        </>
      )}
    </ConfirmDialog>
  )
}

export function VerifyDialog({ backup, onClose }: Props) {
  const t = useTranslations('backups')
  const [passphrase, setPassphrase] = useState('')
  const { name } = backup
  return (
    <ActDialog
      call="backups/verify"
      input={{ name, ...(passphrase && { passphrase }) }}
      done={t('verified', { name })}
      title={t('verifyTitle', { name })}
      help={t('verifyHelp')}
      action={t('verify')}
      onClose={onClose}
    >
      {errors => <OpenedWith backup={backup} error={errors.passphrase} value={passphrase} onChange={setPassphrase} />}
    </ActDialog>
  )
}

type OpenedWithProps = { backup: Backup; error?: string; value: string; onChange: (passphrase: string) => void }

/** The passphrase of a backup that has one; without it everything but the secrets is read. */
function OpenedWith({ backup, ...field }: OpenedWithProps) {
  const t = useTranslations('backups')
  if (!backup.passphrase) return null
  return (
    <PasswordField
      label={t('restorePassphrase')}
      help={t('restorePassphraseHelp')}
      autoComplete="off"
      optional
      {...field}
    />
  )
}

export function RestoreDialog({ backup, onClose }: Props) {
  const t = useTranslations('backups')
  const clock = useClock()
  const [passphrase, setPassphrase] = useState('')
  const restore = async () => {
    const run = await currentRun()
    await callApi('backups/restore', { name: backup.name, ...(passphrase && { passphrase }) })
    awaitRestart(run, `${window.location.pathname}${window.location.search}`)
    // The dialog stays until the page has gone.
    await new Promise(() => undefined)
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('restoreTitle', { name: backup.name })}
      consequences={[
        t('restoreWhat.back', { time: clock.dateTime(backup.createdAt) }),
        t('restoreWhat.restart'),
        t('restoreWhat.devices'),
        t('restoreWhat.kept'),
      ]}
      action={t('restore')}
      onConfirm={restore}
    >
      {errors => (
        <>
          {backup.origin !== 'here' && <Note tone="warn" title={t(`originHelp.${backup.origin}`)} />}
          <OpenedWith backup={backup} error={errors.passphrase} value={passphrase} onChange={setPassphrase} />
        </>
      )}
    </ConfirmDialog>
  )
}

export function DeleteDialog({ backup, onClose }: Props) {
  const t = useTranslations('backups')
  const { name } = backup
  const remove = async () => {
    await callApi('backups/delete', { names: [name] })
    toast('ok', t('deleted', { name }))
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('deleteTitle', { name })}
      consequences={[t('deleteWhat')]}
      action={t('delete')}
      onConfirm={remove}
    />
  )
}
