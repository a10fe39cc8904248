'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { SkeletonLines } from '@/app/_ui/states'
import { type Client, shownName } from './client'

/** Ends the lease of a client's address, where a gateway of the network gave it one. */
export function ReleaseDialog({ client, onClose }: { client: Client; onClose: (changed: boolean) => void }) {
  const t = useTranslations('clients.release')
  const { data, error } = useNetworkCall('dhcp/leases', { search: client.mac })
  const lease = data?.result.find(one => one.address === client.address) ?? data?.result[0]
  const name = shownName(client)
  const none = data !== undefined && lease === undefined
  return (
    <ActDialog
      call="clients/release"
      input={withNetwork({ deviceId: lease?.deviceId ?? 0, mac: client.mac, address: lease?.address ?? '' })}
      done={t('done', { address: lease?.address ?? '' })}
      onClose={onClose}
      title={t('title', { name })}
      action={t('save')}
      danger
      disabled={!lease}
      consequences={
        lease
          ? [
              t('free', { address: lease.address, device: lease.deviceName }),
              t('goesOn', { name }),
              t('pause'),
              ...(lease.static ? [t('static')] : []),
            ]
          : []
      }
    >
      {() => (none ? <p>{t('none')}</p> : !lease && !error && <SkeletonLines lines={3} />)}
    </ActDialog>
  )
}
