'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallInput, callApi } from '@/app/_api/client'
import { saveFile } from '@/app/_api/download'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { PasswordField, TextField } from '@/app/_ui/field'
import { FileField } from '@/app/_ui/file-input'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import type { Network } from './rows'

type Props = { network: Network; onClose: () => void }

export function DeleteDialog({ network, onClose }: Props) {
  const t = useTranslations('networks')
  const name = network.networkName
  const why = network.isDefault
    ? t('deleteDefault')
    : network.companies.length > 0
      ? t('share.deleteShared', { companies: network.companies.join(', ') })
      : network.devices > 0
        ? t('deleteDevices', { count: network.devices })
        : undefined
  if (why)
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('deleteTitle', { name })}
        footer={<Button onClick={onClose}>{t('close')}</Button>}
      >
        <Note tone="warn" title={why} />
      </Dialog>
    )
  return (
    <ActDialog
      call="networks/delete"
      input={{ id: network.id }}
      done={t('deleted', { name })}
      danger
      onClose={onClose}
      title={t('deleteTitle', { name })}
      consequences={[t('deleteWhat')]}
      typeName={name}
      action={t('delete')}
    />
  )
}

export function CloneDialog({ network, onClose }: Props) {
  const t = useTranslations('networks')
  const [networkName, setNetworkName] = useState('')
  return (
    <ActDialog
      call="networks/clone"
      input={{ id: network.id, networkName }}
      done={t('cloned', { name: network.networkName })}
      title={t('cloneTitle', { name: network.networkName })}
      help={t('cloneHelp')}
      action={t('clone')}
      disabled={networkName.trim() === ''}
      onClose={onClose}
    >
      {errors => (
        <>
          <TextField
            label={t('cloneName')}
            value={networkName}
            error={errors.networkName}
            maxLength={limits.networkNameCharacters}
            onChange={setNetworkName}
          />
        </>
      )}
    </ActDialog>
  )
}

export function ExportDialog({ network, onClose }: Props) {
  const t = useTranslations('networks')
  const [passphrase, setPassphrase] = useState('')
  const give = async () => {
    const { file } = await callApi('networks/export', { id: network.id, ...(passphrase && { passphrase }) })
    saveFile(
      `${network.networkName.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.lanward.json`,
      new Blob([JSON.stringify(file, null, 2)]),
    )
  }
  return (
    <ConfirmDialog
      open
      title={t('exportTitle', { name: network.networkName })}
      help={t('exportHelp')}
      action={t('exportNow')}
      onClose={onClose}
      onConfirm={give}
    >
      {errors => (
        <>
          <PasswordField
            label={t('exportPassphrase')}
            help={t('exportPassphraseHelp')}
            optional
            value={passphrase}
            error={errors.passphrase}
            onChange={setPassphrase}
          />
        </>
      )}
    </ConfirmDialog>
  )
}

type NetworkFile = CallInput<'networks/import'>['file']

const parse = (text: string): NetworkFile | undefined => {
  try {
    const file = JSON.parse(text) as NetworkFile
    return file.format === 'lanward-network' ? file : undefined
  } catch {
    return undefined
  }
}

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('networks')
  const [file, setFile] = useState<NetworkFile | 'wrong'>()
  const [networkName, setNetworkName] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const take = async () => {
    if (file === undefined || file === 'wrong') return
    const name = networkName.trim()
    const { leftOut } = await callApi('networks/import', {
      file,
      ...(name && { networkName: name }),
      ...(passphrase && { passphrase }),
    })
    if (leftOut.length === 0) toast('ok', t('imported'))
    else {
      const names = leftOut.map(one => one.name).join(', ')
      toast('warn', t('imported'), { detail: t('importedLeftOut', { count: leftOut.length, names }) })
    }
  }
  return (
    <ConfirmDialog
      open
      title={t('importTitle')}
      help={t('importHelp')}
      action={t('importNow')}
      disabled={file === undefined || file === 'wrong'}
      onClose={onClose}
      onConfirm={take}
    >
      {errors => (
        <>
          <FileField
            label={t('file')}
            error={file === 'wrong' ? t('fileWrong') : errors.file}
            accept=".json,application/json"
            onFile={async chosen => setFile(chosen && (parse(await chosen.text()) ?? 'wrong'))}
          />
          <TextField
            label={t('importName')}
            help={t('importNameHelp')}
            optional
            value={networkName}
            error={errors.networkName}
            maxLength={limits.networkNameCharacters}
            onChange={setNetworkName}
          />
          {file !== undefined && file !== 'wrong' && file.secrets !== undefined && (
            <PasswordField
              label={t('exportPassphrase')}
              help={t('importPassphraseHelp')}
              value={passphrase}
              error={errors.passphrase}
              onChange={setPassphrase}
            />
          )}
        </>
      )}
    </ConfirmDialog>
  )
}
