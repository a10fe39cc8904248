'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { DeviceStatus } from '@/app/(console)/network/[networkId]/devices/_parts/device-state'

type Health = CallOutput<'dashboard/health'>
type Trouble = Health['trouble'][number]

const marks = { ok: 'fine', warning: 'warning', critical: 'failed', unknown: 'unknown' } as const

/** Devices that need a person: offline, without a password, or with a failing reading. */
export function Attention() {
  const t = useTranslations('dashboard.attention')
  const call = useNetworkCall('dashboard/health', {}, { live: true })
  const state = call.data?.state
  return (
    <Card title={t('title')} mark={state && <Badge state={marks[state]}>{t(`state.${state}`)}</Badge>}>
      <Loaded call={call}>
        {({ trouble, state: now }) =>
          trouble.length === 0 ? (
            <EmptyState slim icon={now === 'ok' ? 'check' : 'clock'} title={t(now === 'ok' ? 'fine' : 'waiting')} />
          ) : (
            <ul>
              {trouble.map(device => (
                <Line key={device.id} device={device} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Line({ device }: { device: Trouble }) {
  const t = useTranslations('dashboard.attention')
  const reason = useReason()
  const { networkId } = useParams<{ networkId: string }>()
  const why = device.reason ? reason(device.reason) : undefined
  return (
    <li className="trouble">
      <ScreenLink needs="devices" className="name" href={`/network/${networkId}/devices/detail?id=${device.id}`}>
        {device.name}
      </ScreenLink>
      <DeviceStatus device={device} />
      <p>{device.openLogin && device.status === 1 ? t('openLogin') : why?.title}</p>
    </li>
  )
}
