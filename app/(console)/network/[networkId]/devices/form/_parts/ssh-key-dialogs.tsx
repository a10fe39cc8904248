'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { CopyDialog } from '@/app/_ui/copy-dialog'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Loaded } from '@/app/_ui/states'
import type { Stored } from './rows'

type Shown = { name: string; user: string; publicKey: string; onClose: () => void }

function PublicLine({ name, user, publicKey, onClose }: Shown) {
  const t = useTranslations('adoption.credentials')
  return (
    <CopyDialog
      title={t('publicKeyTitle', { name })}
      once={t('publicKeyWhere', { user })}
      help={t('publicKeyHelp')}
      label={t('publicKey')}
      value={publicKey}
      onClose={onClose}
    />
  )
}

/** Makes a key whose private half stays here, then shows the half that devices need. */
export function NewSshKey({ onClose }: { onClose: () => void }) {
  const t = useTranslations('adoption.credentials')
  const login = useTranslations('adoption.login')
  const { values, field } = useFields({ name: '', user: 'root' })
  const [publicKey, setPublicKey] = useState<string>()
  if (publicKey !== undefined) return <PublicLine {...{ ...values, publicKey, onClose }} />
  const make = async () => {
    setPublicKey((await callApi('system-settings/ssh', withNetwork(values))).publicKey)
    return 'stay'
  }
  return (
    <ConfirmDialog
      open
      title={t('makeKeyTitle')}
      help={t('makeKeyHelp')}
      action={t('makeKeyNow')}
      onConfirm={make}
      onClose={onClose}
    >
      {errors => (
        <div className="two-columns">
          <TextField label={t('name')} maxLength={64} {...field('name', errors)} />
          <TextField
            label={login('user')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...field('user', errors)}
          />
        </div>
      )}
    </ConfirmDialog>
  )
}

/** The line for devices, of a key that is stored already. */
export function PublicKey({ one, onClose }: { one: Stored; onClose: () => void }) {
  const t = useTranslations('adoption.credentials')
  const call = useNetworkCall('credentials/public-key/get', { id: one.id })
  if (call.data) return <PublicLine name={one.name} user={one.user} publicKey={call.data.publicKey} onClose={onClose} />
  return (
    <Dialog open title={t('publicKeyTitle', { name: one.name })} onClose={onClose}>
      <Loaded call={call}>{() => null}</Loaded>
    </Dialog>
  )
}
