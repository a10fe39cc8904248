'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { BlockTerm, useBlockTerm } from '../block-term'
import { type Client, shownName } from './client'
import { useInForce } from './in-force'

type Props = { client: Client; onClose: (changed: boolean) => void }
type SomeProps = { clients: readonly Client[]; onClose: (changed: boolean) => void }

function useBlockList(clients: readonly Client[]) {
  const macs = clients.map(({ mac }) => mac)
  return {
    block: (more: { until?: string; note?: string }) => callApi('clients/block', withNetwork({ macs, ...more })),
    unblock: () => callApi('clients/unblock', withNetwork({ macs })),
    tell: useInForce(),
  }
}

/** Blocks one or many, for good or until a moment. */
export function BlockDialog({ clients, onClose }: SomeProps) {
  const t = useTranslations('clients.block')
  const { block, unblock, tell } = useBlockList(clients)
  const term = useBlockTerm()
  const [first] = clients
  const one = clients.length === 1 && first
  const count = clients.length
  const words = one
    ? {
        title: t('title', { name: shownName(one) }),
        help: t('help', { mac: one.mac.toUpperCase() }),
        loses: t('loses'),
        done: t('done', { name: shownName(one) }),
      }
    : {
        ...{ title: t('titleMany', { count }), help: t('helpMany') },
        ...{ loses: t('losesMany'), done: t('doneMany', { count }) },
      }
  const save = async () => {
    tell(words.done, await block(term.input()), { undo: unblock, removes: false })
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={words.title}
      help={words.help}
      consequences={[words.loses, ...(clients.some(({ wifi }) => wifi) ? [t('private')] : [])]}
      action={t('save')}
      disabled={term.incomplete}
      onConfirm={save}
    >
      {errors => <BlockTerm term={term} errors={errors} noteLength={64} />}
    </ConfirmDialog>
  )
}

export function UnblockDialog({ client, onClose }: Props) {
  const t = useTranslations('clients.block')
  const { block, unblock, tell } = useBlockList([client])
  const name = shownName(client)
  const until = client.blocked?.until
  const save = async () => {
    const undo = () => block(until === undefined ? {} : { until })
    tell(t('freeDone', { name }), await unblock(), { undo, removes: true })
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('freeTitle', { name })}
      help={t('freeHelp', { mac: client.mac.toUpperCase() })}
      action={t('freeSave')}
      onConfirm={save}
    />
  )
}
