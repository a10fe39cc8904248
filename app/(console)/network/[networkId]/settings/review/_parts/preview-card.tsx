'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { PlanBlocks } from './plan'
import { Notes } from './preview-notes'

type Head = { name: string; address: string }
const DeviceCard = ({ name, address, children }: Head & { children: ReactNode }) => (
  <Card title={name} mark={<span className="muted fine-print ip">{address}</span>}>
    {children}
  </Card>
)

type PreviewProps = Head & { deviceId: number; networkId: number; mayPush: boolean; restores?: string }

/** What a push would do to one device, read just now. */
export function PreviewCard({ deviceId, networkId, mayPush, restores, name, address }: PreviewProps) {
  const t = useTranslations('change')
  const input = { deviceId, ...(restores && { restores }) }
  const call = useNetworkCall('devices/push/preview', input, { keep: false, live: true })
  return (
    <DeviceCard {...{ name, address }}>
      <Loaded call={call} lines={6}>
        {preview => (
          <>
            <Notes {...{ preview, networkId, mayPush }} />
            <PlanBlocks blocks={preview.blocks} />
            {preview.blocks.length === 0 && !preview.blocked && (
              <EmptyState slim title={preview.reason === 'neverRead' ? t('reasons.neverRead') : t('nothing')} />
            )}
          </>
        )}
      </Loaded>
    </DeviceCard>
  )
}

type Pushed = Head & { deploymentId: string; state: string; children?: ReactNode }

/** What one push changed, or tried to change. */
export function PushedCard({ deploymentId, state, children, ...head }: Pushed) {
  const t = useTranslations('change')
  const call = useNetworkCall('devices/config/get', { deploymentId }, { live: true })
  return (
    <DeviceCard {...head}>
      {children}
      <Loaded call={call} lines={6}>
        {data => (
          <>
            <PlanBlocks blocks={data.blocks} />
            {data.blocks.length === 0 && (state === 'applied' || state === 'failed') && (
              <EmptyState slim title={state === 'applied' ? t('nothing') : t('reasons.notTried')} />
            )}
          </>
        )}
      </Loaded>
    </DeviceCard>
  )
}
