'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ChoiceCards } from '@/app/_ui/check'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { InstantField } from '@/app/_ui/instant-field'
import { toast } from '@/app/_ui/toast'
import type { Client } from './rows'

type Props = { client: Client; onClose: () => void }

export const shownName = ({ name, mac }: Pick<Client, 'name' | 'mac'>): string => name ?? mac.toUpperCase()

const seconds = { hour: 3600, day: 86_400 } as const
const periods = ['good', 'hour', 'day', 'moment'] as const
type Period = (typeof periods)[number]

const after = (count: number) => `${new Date(Date.now() + count * 1000).toJSON().slice(0, 19)}Z`

/** Changes the block list, offers the way back, and leads to where the change is pushed. */
function useBlockList(client: Client) {
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const macs = [client.mac]
  const block = (more: { until?: string; note?: string }) => callApi('clients/block', withNetwork({ macs, ...more }))
  const unblock = () => callApi('clients/unblock', withNetwork({ macs }))
  const tell = (text: string, undo: () => Promise<unknown>) => {
    toast('ok', text, { undo: () => void undo().catch(() => undefined) })
    router.push(`/network/${networkId}/settings/review`)
  }
  return { block, unblock, tell }
}

export function BlockDialog({ client, onClose }: Props) {
  const t = useTranslations('devices.detail.clients.block')
  const { block, unblock, tell } = useBlockList(client)
  const [period, setPeriod] = useState<Period>('good')
  const [moment, setMoment] = useState<string>()
  const [note, setNote] = useState('')
  const name = shownName(client)
  const save = async () => {
    const until = period === 'good' ? undefined : period === 'moment' ? moment : after(seconds[period])
    await block({ ...(until !== undefined && { until }), ...(note.trim() && { note: note.trim() }) })
    tell(t('done', { name }), unblock)
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('title', { name })}
      help={t('help', { mac: client.mac.toUpperCase() })}
      consequences={[t('loses'), ...(client.wifi ? [t('private')] : [])]}
      action={t('save')}
      disabled={period === 'moment' && moment === undefined}
      onConfirm={save}
    >
      {errors => (
        <>
          <ChoiceCards
            label={t('howLong')}
            value={period}
            options={periods.map(value => ({ value, label: t(`periods.${value}`) }))}
            onChange={value => setPeriod(value as Period)}
          />
          {period === 'moment' && (
            <InstantField label={t('until')} value={moment ?? ''} error={errors.until} onChange={setMoment} />
          )}
          <TextField label={t('note')} value={note} error={errors.note} maxLength={64} onChange={setNote} />
        </>
      )}
    </ConfirmDialog>
  )
}

export function UnblockDialog({ client, onClose }: Props) {
  const t = useTranslations('devices.detail.clients.block')
  const { block, unblock, tell } = useBlockList(client)
  const name = shownName(client)
  const until = client.blocked?.until
  const save = async () => {
    await unblock()
    tell(t('freeDone', { name }), () => block(until === undefined ? {} : { until }))
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
