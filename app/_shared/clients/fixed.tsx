'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { TextField } from '@/app/_ui/field'
import { SkeletonLines } from '@/app/_ui/states'
import { type Client, shownName } from './client'

/** The address that a client is always given. */
export function FixedDialog({ client, onClose }: { client: Client; onClose: (changed: boolean) => void }) {
  const t = useTranslations('clients.fixed')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const { data } = useNetworkCall('clients/setting', { mac: client.mac })
  const [given, setAddress] = useState<string>()
  const present = client.address?.includes(':') ? '' : (client.address ?? '')
  const address = given ?? data?.fixed?.address ?? present
  const close = (changed: boolean) => {
    onClose(changed)
    if (changed) router.push(`/network/${networkId}/settings/review`)
  }
  return (
    <ActDialog
      call="clients/fixed-address"
      input={withNetwork({ mac: client.mac, address: address.trim() })}
      done={t(address.trim() === '' ? 'freeDone' : 'done')}
      onClose={close}
      title={t('title', { name: shownName(client) })}
      help={t('help')}
      action={t('save')}
      disabled={!data || (address.trim() === '' && !data.fixed)}
    >
      {errors =>
        data ? (
          <TextField
            label={t('label')}
            help={data.fixed ? t('now', { lan: data.fixed.lan }) : undefined}
            value={address}
            error={errors.address}
            maxLength={15}
            onChange={setAddress}
          />
        ) : (
          <SkeletonLines lines={2} />
        )
      }
    </ActDialog>
  )
}
