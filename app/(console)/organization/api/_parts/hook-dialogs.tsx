import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { ActDialog } from '@/app/_shared/act-dialog'
import { CopyDialog } from '@/app/_ui/copy-dialog'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { HookForm } from './hook-form'
import type { Hook, Scope } from './hook-rows'

export type Asking =
  | { what: 'form'; row?: Hook }
  | { what: 'secret'; name: string; secret: string }
  | { what: 'rotate' | 'delete'; row: Hook }
  | undefined

type Props = { asking: Asking; scope: Scope | undefined; ask: (asking: Asking) => void }

export function Dialogs({ asking, scope, ask }: Props) {
  const t = useTranslations('webhooks')
  const close = () => ask(undefined)
  const tell = (name: string, secret: string) => ask({ what: 'secret', name, secret })
  if (asking?.what === 'form')
    return scope ? <HookForm scope={scope} row={asking.row} onClose={close} onMade={tell} /> : null
  if (asking?.what === 'delete') return <DeleteDialog row={asking.row} onClose={close} />
  if (asking?.what === 'rotate') return <RotateDialog row={asking.row} onClose={close} onMade={tell} />
  if (asking?.what !== 'secret') return null
  return (
    <CopyDialog
      title={t('secretTitle', { name: asking.name })}
      once={t('once')}
      help={t('onceHelp')}
      label={t('secret')}
      value={asking.secret}
      onClose={close}
    />
  )
}

type RowProps = { row: Hook; onClose: () => void }

function RotateDialog({ row, onClose, onMade }: RowProps & { onMade: (name: string, secret: string) => void }) {
  const t = useTranslations('webhooks')
  const { id, name } = row
  const rotate = async () => {
    onMade(name, (await callApi('webhooks/rotate', { id })).secret)
    return 'stay'
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('rotateTitle', { name })}
      consequences={[t('rotateWhat')]}
      action={t('rotate')}
      onConfirm={rotate}
    />
  )
}

function DeleteDialog({ row, onClose }: RowProps) {
  const t = useTranslations('webhooks')
  const { id, name } = row
  return (
    <ActDialog
      call="webhooks/delete"
      input={{ id }}
      done={t('deleted', { name })}
      danger
      onClose={onClose}
      title={t('deleteTitle', { name })}
      consequences={[t('deleteWhat')]}
      action={t('delete')}
    />
  )
}
