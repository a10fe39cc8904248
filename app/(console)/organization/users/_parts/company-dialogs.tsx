'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useFields } from '@/app/_api/use-fields'
import { ActDialog } from '@/app/_shared/act-dialog'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import { AssociateDialog } from './associate-dialog'
import { LinkDialog } from './dialogs'
import type { Company } from './rows'

export type CompanyQuestion =
  | { what: 'add' }
  | { what: 'edit' | 'delete' | 'associate'; company: Company }
  | { what: 'link'; account: string; link: string }
  | undefined
type Props = { asking: CompanyQuestion; ask: (asking: CompanyQuestion) => void }

/** The question about companies that is open now. */
export function CompanyDialogs({ asking, ask }: Props) {
  const close = () => ask(undefined)
  if (!asking) return null
  if (asking.what === 'link') return <LinkDialog name={asking.account} link={asking.link} onClose={close} />
  if (asking.what === 'edit') return <RenameDialog company={asking.company} onClose={close} />
  if (asking.what === 'associate') return <AssociateDialog company={asking.company} onClose={close} />
  if (asking.what === 'delete') return <DeleteDialog company={asking.company} onClose={close} />
  return <AddDialog onClose={close} onLink={(account, link) => ask({ what: 'link', account, link })} />
}

/** A company with the person at its head, who is invited. */
function AddDialog({ onClose, onLink }: { onClose: () => void; onLink: (account: string, link: string) => void }) {
  const t = useTranslations('users.companies')
  const form = useTranslations('users.form')
  const { values: fields, field } = useFields({ name: '', address: '', account: '', email: '' })
  const add = async () => {
    const { link } = await callApi('companies/add', fields)
    if (!link) return toast('ok', t('added', { name: fields.name.trim() }))
    onLink(fields.account.trim().toLowerCase(), link)
    return 'stay'
  }
  return (
    <ConfirmDialog
      open
      title={t('addTitle')}
      help={t('addHelp')}
      action={t('addNow')}
      disabled={fields.name.trim() === '' || fields.account.trim() === ''}
      onClose={onClose}
      onConfirm={add}
    >
      {errors => (
        <>
          <NameField {...field('name', errors)} />
          <AddressField {...field('address', errors)} />
          <TextField
            label={t('account')}
            help={form('accountHelp')}
            {...field('account', errors)}
            maxLength={limits.accountCharacters}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField label={form('email')} optional inputMode="email" {...field('email', errors)} autoComplete="off" />
        </>
      )}
    </ConfirmDialog>
  )
}

function NameField(props: { value: string; error: string | undefined; onChange: (name: string) => void }) {
  const t = useTranslations('users.companies')
  return <TextField label={t('name')} maxLength={limits.companyCharacters} autoComplete="off" {...props} />
}

function AddressField(props: { value: string; error: string | undefined; onChange: (address: string) => void }) {
  const t = useTranslations('users.companies')
  return <TextField label={t('address')} optional maxLength={limits.addressCharacters} autoComplete="off" {...props} />
}

type DialogProps = { company: Company; onClose: () => void }

function RenameDialog({ company, onClose }: DialogProps) {
  const t = useTranslations('users.companies')
  const { values, field } = useFields({ name: company.name, address: company.address })
  const { name } = values
  return (
    <ActDialog
      call="companies/edit"
      input={{ id: company.id, ...values }}
      done={t('renamed', { name: name.trim() })}
      title={t('renameTitle', { name: company.name })}
      action={t('renameNow')}
      disabled={name.trim() === ''}
      onClose={onClose}
    >
      {errors => (
        <>
          <NameField {...field('name', errors)} />
          <AddressField {...field('address', errors)} />
        </>
      )}
    </ActDialog>
  )
}

function DeleteDialog({ company, onClose }: DialogProps) {
  const t = useTranslations('users.companies')
  const { name, networks, devices, users } = company
  const consequences = [
    t('deleteWhat', { count: users }),
    ...(networks ? [t('deleteNetworks', { count: networks })] : []),
  ]
  return (
    <ActDialog
      call="companies/delete"
      input={{ id: company.id }}
      done={t('deleted', { name })}
      danger
      title={t('deleteTitle', { name })}
      consequences={devices > 0 ? [t('deleteDevices', { count: devices })] : consequences}
      disabled={devices > 0}
      typeName={devices > 0 ? undefined : name}
      action={t('delete')}
      onClose={onClose}
    />
  )
}
