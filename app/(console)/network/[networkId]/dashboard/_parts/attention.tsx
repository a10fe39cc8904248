'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Badge, Status } from '@/app/_ui/status'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { DeviceStatus } from '@/app/(console)/network/[networkId]/devices/_parts/device-state'

type Health = CallOutput<'dashboard/health'>
type Trouble = Health['trouble'][number]

const marks = { ok: 'fine', warning: 'warning', critical: 'failed', unknown: 'unknown' } as const

/** Nothing is in sight: whether that is all, or not everything was looked at yet. */
function calmOf(state: Health['state'], { online, silent, offline }: Health['counts']) {
  if (state === 'ok') return 'fine'
  return online + silent + offline > 0 ? 'partlyKnown' : 'waiting'
}

/** What needs a person: devices that do not answer, settings that did not arrive, what was changed, load, alerts. */
export function Attention() {
  const t = useTranslations('dashboard.attention')
  const call = useNetworkCall('dashboard/health', {}, { live: true })
  const state = call.data?.state
  return (
    <Card title={t('title')} mark={state && <Badge state={marks[state]}>{t(`state.${state}`)}</Badge>}>
      <Loaded call={call}>
        {({ trouble, notices, state: now, counts }) =>
          trouble.length + notices.length === 0 ? (
            <EmptyState slim icon={now === 'ok' ? 'check' : 'clock'} title={t(calmOf(now, counts))} />
          ) : (
            <ul>
              {trouble.map(device => (
                <Line key={device.id} device={device} />
              ))}
              {notices.map(notice => (
                <NoticeLine key={notice.code} notice={notice} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

type Notice = Health['notices'][number]

/** Where what it is about is seen, and the right that opens that. */
const places = {
  review: { path: 'settings/review', needs: 'devices' },
  devices: { path: 'devices', needs: 'devices' },
  alerts: { path: 'alerts', needs: 'alerts' },
  backups: { path: '/organization/manager?tab=backups', needs: 'organization_manager' },
} as const
const placeOf: Record<Notice['code'], keyof typeof places> = {
  pushes: 'review',
  leftOut: 'review',
  drifted: 'review',
  cpu: 'devices',
  memory: 'devices',
  errors: 'devices',
  alerts: 'alerts',
  backups: 'backups',
}

function NoticeLine({ notice: { code, count, devices } }: { notice: Notice }) {
  const t = useTranslations('dashboard.attention')
  const { networkId } = useParams<{ networkId: string }>()
  const { path: page, needs } = places[placeOf[code]]
  const [only] = devices
  const path = page === 'devices' && count === 1 && only ? `devices/detail?id=${only.id}` : page
  const names = devices.map(one => one.name).join(', ')
  return (
    <li className="trouble">
      <ScreenLink needs={needs} className="name" href={path.startsWith('/') ? path : `/network/${networkId}/${path}`}>
        {t(`notices.${code}`, { count })}
      </ScreenLink>
      <Status state="warning" />
      <p>{count > devices.length && names ? t('more', { names, count: count - devices.length }) : names}</p>
    </li>
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
