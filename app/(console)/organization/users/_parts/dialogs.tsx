'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { ActDialog } from '@/app/_shared/act-dialog'
import { CopyDialog } from '@/app/_ui/copy-dialog'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import type { Asking, Options, User } from './rows'
import { UserForm } from './user-form'

type About = { user: User }

type Props = { asking: Asking; options: Options | undefined; ask: (asking: Asking) => void }

/** The question that is open now. */
export function UserDialogs({ asking, options, ask }: Props) {
  const close = () => ask(undefined)
  if (!asking) return null
  if (asking.what === 'disable') return <DisableDialog user={asking.user} onClose={close} />
  if (asking.what === 'removeMfa')
    return (
      <RemoveMfaDialog user={asking.user} onClose={close} onLink={(link, user) => ask({ what: 'link', user, link })} />
    )
  if (asking.what === 'delete') return <DeleteDialog user={asking.user} onClose={close} />
  if (asking.what === 'link') return <LinkDialog name={asking.user.account} link={asking.link} onClose={close} />
  if (!options) return null
  const user = asking.what === 'edit' ? asking.user : undefined
  return (
    <UserForm
      user={user}
      options={options}
      onClose={close}
      onLink={(account, link) => ask({ what: 'link', user: { account }, link })}
    />
  )
}

type DialogProps = About & { onClose: () => void }

function DisableDialog({ user, onClose }: DialogProps) {
  const t = useTranslations('users')
  const name = user.account
  return (
    <ActDialog
      call="users/disable"
      input={{ id: user.id, disabled: true }}
      done={t('disabled', { name })}
      danger
      onClose={onClose}
      title={t('disableTitle', { name })}
      consequences={[t('sessionsEnd'), t('disableWhat')]}
      action={t('disable')}
    />
  )
}

type RemoveMfaProps = DialogProps & { onLink: (link: string, user: User) => void }

/** For who lost the phone and the recovery codes: a new invitation, with a new password. */
function RemoveMfaDialog({ user, onClose, onLink }: RemoveMfaProps) {
  const t = useTranslations('users')
  const name = user.account
  const remove = async () => {
    const { link } = await callApi('mfa/force', { id: user.id })
    if (!link) return toast('ok', t('mfaRemoved', { name }))
    onLink(link, user)
    return 'stay'
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('removeMfaTitle', { name })}
      consequences={[t('sessionsEnd'), t('removeMfaWhat')]}
      action={t('removeMfa')}
      onConfirm={remove}
    />
  )
}

function DeleteDialog({ user, onClose }: DialogProps) {
  const t = useTranslations('users')
  const name = user.account
  const waits = user.state === 'inactivated'
  return (
    <ActDialog
      call="users/delete"
      input={{ id: user.id }}
      done={t('deleted', { name })}
      danger
      onClose={onClose}
      title={t('deleteTitle', { name })}
      consequences={waits ? [t('linkEnds')] : [t('sessionsEnd'), t('keysEnd'), t('deleteWhat')]}
      action={t('delete')}
    />
  )
}

/** A link that no mail carries: seen this once. */
export function LinkDialog({ name, link, onClose }: { name: string; link: string; onClose: () => void }) {
  const t = useTranslations('users')
  return (
    <CopyDialog
      title={t('linkTitle', { name })}
      once={t('linkOnce')}
      help={t('linkHelp')}
      label={t('link')}
      value={`${window.location.origin}${link}`}
      onClose={onClose}
    />
  )
}
