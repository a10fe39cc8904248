'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Age, useClock, useNearTime } from '@/app/_ui/clock'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Badge, Status } from '@/app/_ui/status'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { DeviceStatus } from '@/app/(console)/network/[networkId]/devices/_parts/device-state'
import { byUrgency, type Urgency } from '@/model/urgency'

type Health = CallOutput<'dashboard/health'>
type Trouble = Health['trouble'][number]

const marks = { ok: 'fine', warning: 'warning', critical: 'failed', unknown: 'unknown' } as const

/** Nothing is in sight: whether that is all, or not everything was looked at yet. */
function calmOf(state: Health['state'], { online, silent, offline }: Health['counts']) {
  if (state === 'ok') return 'fine'
  return online + silent + offline > 0 ? 'partlyKnown' : 'waiting'
}

/** What makes it critical: that goes into one word. */
const wordOf = (state: Health['state'], { offline }: Health['counts']): Health['state'] | 'noInternet' =>
  state === 'critical' && offline === 0 ? 'noInternet' : state

/** What needs a person: devices and ways to the internet that fail, settings that did not arrive, load, alerts. */
export function Attention() {
  const t = useTranslations('dashboard.attention')
  const call = useNetworkCall('dashboard/health', {}, { live: true })
  const mark = call.data && { shape: marks[call.data.state], word: wordOf(call.data.state, call.data.counts) }
  return (
    <Card title={t('title')} mark={mark && <Badge state={mark.shape}>{t(`state.${mark.word}`)}</Badge>}>
      <Loaded call={call}>
        {({ trouble, notices, state: now, counts }) =>
          trouble.length + notices.length === 0 ? (
            <EmptyState slim icon={now === 'ok' ? 'check' : 'clock'} title={t(calmOf(now, counts))} />
          ) : (
            <ul>
              {[...trouble, ...notices]
                .toSorted(byUrgency)
                .map(one =>
                  'code' in one ? <NoticeLine key={one.code} notice={one} /> : <Line key={one.id} device={one} />,
                )}
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
  internet: { path: 'settings/internet', needs: 'settings_internet' },
  review: { path: 'settings/review', needs: 'devices' },
  devices: { path: 'devices', needs: 'devices' },
  alerts: { path: 'alerts', needs: 'alerts' },
  backups: { path: '/organization/manager?tab=backups', needs: 'organization_manager' },
} as const
const placeOf: Record<Notice['code'], keyof typeof places> = {
  wanOffline: 'internet',
  wanDegraded: 'internet',
  pushes: 'review',
  leftOut: 'review',
  drifted: 'review',
  cpu: 'devices',
  memory: 'devices',
  errors: 'devices',
  alerts: 'alerts',
  backups: 'backups',
}

/** Since when, where that is known. */
function Since({ since }: Pick<Urgency, 'since'>) {
  const t = useTranslations('dashboard.attention')
  const clock = useClock()
  const near = useNearTime()
  if (since === undefined) return null
  return (
    <p>
      <time className="number" dateTime={new Date(since).toISOString()} title={clock.dateTime(since, true)}>
        {t('since', { at: near(since) })}
      </time>
    </p>
  )
}

function NoticeLine({ notice: { code, count, devices, level, since, ...about } }: { notice: Notice }) {
  const t = useTranslations('dashboard.attention')
  const { networkId } = useParams<{ networkId: string }>()
  const { path: page, needs } = places[placeOf[code]]
  const [only] = devices
  const path = page === 'devices' && count === 1 && only ? `devices/detail?id=${only.id}` : page
  const all = about.names ?? devices.map(one => one.name)
  const names = all.join(', ')
  return (
    <li className="trouble">
      <ScreenLink needs={needs} className="name" href={path.startsWith('/') ? path : `/network/${networkId}/${path}`}>
        {t(`notices.${code}`, { count })}
      </ScreenLink>
      <Status
        state={level === 'critical' ? 'failed' : 'warning'}
        age={since === undefined ? undefined : <Age at={since} />}
      />
      <p>{count > all.length && names ? t('more', { names, count: count - all.length }) : names}</p>
      <Since since={since} />
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
      <Since since={device.since} />
    </li>
  )
}
