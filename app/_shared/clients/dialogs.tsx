'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { TextField } from '@/app/_ui/field'
import { limits } from '@/model/limits'
import { type Client, shownName } from './client'

type Props = { client: Client; onClose: (changed: boolean) => void }

/** What people call a client and note about it; rule N3. */
export function RenameDialog({ client, onClose }: Props) {
  const t = useTranslations('clients.rename')
  const [name, setName] = useState(client.givenName ?? '')
  const [note, setNote] = useState(client.note ?? '')
  return (
    <ActDialog
      call="clients/save"
      input={withNetwork({ mac: client.mac, name, note })}
      done={t('done')}
      onClose={onClose}
      title={t('title', { name: shownName(client) })}
      action={t('save')}
    >
      {errors => (
        <>
          <TextField
            label={t('label')}
            help={t('help')}
            value={name}
            error={errors.name}
            maxLength={limits.deviceRenameCharacters}
            onChange={setName}
          />
          <TextField
            label={t('note')}
            optional
            value={note}
            error={errors.note}
            maxLength={limits.clientNoteCharacters}
            onChange={setNote}
          />
        </>
      )}
    </ActDialog>
  )
}

export function ForgetDialog({ client, onClose }: Props) {
  const t = useTranslations('clients.forget')
  const name = shownName(client)
  return (
    <ActDialog
      danger
      call="clients/clear"
      input={withNetwork({ macs: [client.mac] })}
      done={t('done', { name })}
      onClose={onClose}
      title={t('title', { name })}
      consequences={[t('what'), t('back')]}
      action={t('save')}
    />
  )
}
