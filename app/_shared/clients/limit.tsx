'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { RateField } from '@/app/_ui/rate-field'
import { SkeletonLines } from '@/app/_ui/states'
import { type Client, shownName } from './client'
import { useInForce } from './in-force'

type Rates = { download?: string; upload?: string }
type Props = { client: Client; onClose: (changed: boolean) => void }

/** How fast one client may be to and from the internet. */
export function LimitDialog({ client, onClose }: Props) {
  const t = useTranslations('clients.limit')
  const tell = useInForce()
  const name = shownName(client)
  const { data } = useNetworkCall('clients/setting', { mac: client.mac })
  const [given, setRates] = useState<Rates>()
  const rates = given ?? data?.limit ?? {}
  const isFree = rates.download === undefined && rates.upload === undefined
  const limit = (of: Rates) => callApi('clients/limit', withNetwork({ mac: client.mac, ...of }))
  const save = async () => {
    const before = data?.limit ?? {}
    tell(t(isFree ? 'freeDone' : 'done', { name }), await limit(rates), { undo: () => limit(before), removes: isFree })
  }
  const set = (way: keyof Rates) => (value: string | undefined) => {
    const { [way]: _, ...rest } = rates
    setRates(value === undefined ? rest : { ...rest, [way]: value })
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', { name })}
      help={t('help')}
      action={t('save')}
      disabled={!data || (isFree && !data.limit)}
      onConfirm={save}
    >
      {errors =>
        data ? (
          <>
            <RateField
              label={t('download')}
              value={rates.download}
              error={errors.download}
              onChange={set('download')}
            />
            <RateField label={t('upload')} value={rates.upload} error={errors.upload} onChange={set('upload')} />
          </>
        ) : (
          <SkeletonLines lines={2} />
        )
      }
    </ConfirmDialog>
  )
}
