'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import { type Client, shownName } from './client'

/** Disconnects Wi-Fi clients at once, one or many. */
export function KickDialog({ clients, onClose }: { clients: readonly Client[]; onClose: (changed: boolean) => void }) {
  const t = useTranslations('clients.kick')
  const [first] = clients
  const one = clients.length === 1 && first ? { name: shownName(first) } : undefined
  const many = { count: clients.length }
  const kick = async () => {
    const { kicked, left } = await callApi('clients/kick', withNetwork({ macs: clients.map(({ mac }) => mac) }))
    const done = one ? t('done', one) : t('doneMany', { count: kicked.length })
    if (left.length === 0) toast('ok', done)
    else toast('warn', done, { detail: t('left', { count: left.length }) })
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={one ? t('title', one) : t('titleMany', many)}
      help={one ? t('help', one) : t('helpMany')}
      consequences={[t(one ? 'again' : 'againMany')]}
      action={t('save')}
      onConfirm={kick}
    />
  )
}
