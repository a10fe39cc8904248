'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextArea } from '@/app/_ui/field'
import { toast } from '@/app/_ui/toast'

type Props = { detail: Pick<CallOutput<'alerts/detail'>, 'alert' | 'note'>; onClose: () => void }

/** Says who looks after it, and what others should know. */
export function Acknowledge({ detail: { alert, note }, onClose }: Props) {
  const t = useTranslations('alerts.detail')
  const [text, setText] = useState(note)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('acknowledgeTitle')}
      help={t('acknowledgeHelp')}
      action={t('acknowledge')}
      onConfirm={async () => {
        await callApi('alerts/acknowledge', withNetwork({ id: alert.id, note: text }))
        toast('ok', t('acknowledgedDone'))
      }}
    >
      {errors => <TextArea label={t('note')} optional value={text} onChange={setText} error={errors.note} rows={3} />}
    </ConfirmDialog>
  )
}
