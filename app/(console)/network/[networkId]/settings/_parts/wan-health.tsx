'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Age, useClock } from '@/app/_ui/clock'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { type StateName, Status } from '@/app/_ui/status'
import type { ShownUplink, UplinkTurns } from '@/server/devices/gateways/wan-calls'
import './wan-health.css'

// On a phone the table scrolls inside its card: it has to be reachable by the keyboard.
const scrolled = { tabIndex: 0 }

const shown: Record<ShownUplink['state'], StateName> = {
  online: 'online',
  degraded: 'warning',
  offline: 'failed',
  unknown: 'unknown',
}
const colours: Record<ShownUplink['state'], string> = {
  online: 'var(--success)',
  degraded: 'var(--warning)',
  offline: 'var(--danger)',
  unknown: 'var(--offline-line)',
}

type Part = { from: number; until: number; state: ShownUplink['state'] }

/** The twelve hours as parts of one state each; before the first turn nothing is known. */
function partsOf({ turns }: UplinkTurns, from: number, until: number): Part[] {
  const starts = turns.map(([at, state]) => ({ at: Math.max(at, from), state }))
  const first = starts[0]?.at ?? until
  const known = starts.map(({ at, state }, index) => ({ from: at, until: starts[index + 1]?.at ?? until, state }))
  return [{ from, until: first, state: 'unknown' as const }, ...known].filter(part => part.until > part.from)
}

function Bar({ own, from, until }: { own: UplinkTurns; from: number; until: number }) {
  const t = useTranslations('internet.health')
  const clock = useClock()
  const parts = partsOf(own, from, until)
  const text = parts.map(part => `${clock.time(part.from)} ${t(`states.${part.state}`)}`).join(', ')
  return (
    <span role="img" aria-label={text} title={text} className="wan-bar">
      {parts.map(part => (
        <span
          key={part.from}
          style={{ flexGrow: (part.until - part.from) / (until - from), background: colours[part.state] }}
        />
      ))}
    </span>
  )
}

type Past = { from: number; until: number; result: UplinkTurns[] } | undefined

function Row({ way, past }: { way: ShownUplink; past: Past }) {
  const t = useTranslations('internet.health')
  const own = past?.result.find(one => one.deviceId === way.deviceId && one.key === way.key)
  return (
    <tr>
      <td>
        <bdi className="medium">{way.name}</bdi>
      </td>
      <td>
        <bdi>{way.deviceName}</bdi>
      </td>
      <td>
        <Status state={shown[way.state]} {...(way.since !== undefined && { age: <Age at={way.since} /> })}>
          {t(`states.${way.state}`)}
        </Status>
      </td>
      <td className="number">{way.lossPercent === undefined ? '–' : `${Math.round(way.lossPercent)} %`}</td>
      <td>
        {way.by === 'link' ? t('linkOnly') : past && own && <Bar own={own} from={past.from} until={past.until} />}
      </td>
    </tr>
  )
}

/** How the network's ways to the internet are, and how they were in the last twelve hours. */
export function WanHealth() {
  const t = useTranslations('internet.health')
  const now = useNetworkCall('wan/overview', {}, { live: true })
  const past = useNetworkCall('wan/health', {}, { live: true })
  if (now.error && !now.data) return <ErrorState error={now.error} onRetry={() => void now.mutate()} />
  if (!now.data) return <SkeletonLines lines={2} />
  const ways = now.data.result
  return (
    <Card title={t('title')} meta={t('hours')} className="mt-4">
      {ways.length === 0 ? (
        <p className="padded muted">{t('none')}</p>
      ) : (
        <div className="table-scroll" {...scrolled}>
          <table className="data-table plain" aria-label={t('title')}>
            <thead>
              <tr>
                {(['wan', 'gateway', 'state', 'loss', 'history'] as const).map(key => (
                  <th key={key} scope="col">
                    {t(key)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ways.map(way => (
                <Row key={`${way.deviceId} ${way.key}`} way={way} past={past.data} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
