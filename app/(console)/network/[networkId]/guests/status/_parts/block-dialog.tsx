import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { BlockTerm, useBlockTerm } from '@/app/_shared/block-term'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'

type Props = { guests: readonly { mac: string; note?: string }[]; onClose: (changed: boolean) => void }

/** Keeps devices out of the guests' networks, for good or until a moment. */
export function BlockDialog({ guests, onClose }: Props) {
  const t = useTranslations('guests.block')
  const term = useBlockTerm(guests.length === 1 ? guests[0]?.note : '')
  const macs = [...new Set(guests.map(one => one.mac))]
  const save = async () => {
    const { blocked, silent } = await callApi('guests/block', withNetwork({ macs, ...term.input() }))
    toast(silent.length > 0 ? 'warn' : 'ok', t(silent.length > 0 ? 'doneLater' : 'done', { count: blocked }))
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('title', { count: macs.length, mac: macs[0]?.toUpperCase() ?? '' })}
      consequences={[t('cuts'), t('private')]}
      action={t('save')}
      disabled={term.incomplete}
      onConfirm={save}
    >
      {errors => <BlockTerm term={term} errors={errors} noteLength={limits.guestNoteCharacters} />}
    </ConfirmDialog>
  )
}
