'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Percent } from '@/app/_ui/value'

type Band = CallOutput<'dashboard/channel'>['result'][number]
type Use = Band['channels'][number]

/** From so many per cent of its time on a channel counts as full, and as busy. */
const marks = [
  { from: 70, tone: 'danger' },
  { from: 45, tone: 'warning' },
  { from: 0, tone: 'chart-1' },
] as const
const toneOf = (percent: number) => marks.find(one => percent >= one.from)?.tone ?? 'chart-1'

/** Which channels the network's own radios are on, and how busy the air is there. */
export function Channels() {
  const t = useTranslations('dashboard.channels')
  const call = useNetworkCall('dashboard/channel', {}, { live: true })
  const measured = call.data?.result.some(one => one.channels.some(use => use.utilizationPercent !== undefined))
  return (
    <Card title={t('title')} meta={measured && t('measured')}>
      <Loaded call={call} lines={6}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState slim icon="wifi" title={t('empty')} />
          ) : (
            <>
              <div className="channel-bands">
                {result.map(one => (
                  <BandOfChannels key={one.band} of={one} />
                ))}
              </div>
              {!measured && <p className="padded rule muted fine-print">{t('unmeasured')}</p>}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function BandOfChannels({ of: { band, channels } }: { of: Band }) {
  const t = useTranslations('dashboard.channels')
  const bands = useTranslations('dashboard.clients.band')
  return (
    <section>
      <h3>{bands(band)}</h3>
      <ul>
        {channels.map(one => (
          <Channel key={one.channel} of={one} label={t('channel', { channel: one.channel, radios: one.radios })} />
        ))}
      </ul>
    </section>
  )
}

function Channel({ of: { channel, radios, utilizationPercent: busy }, label }: { of: Use; label: string }) {
  return (
    <li title={label}>
      <span className="visually-hidden">{label}</span>
      <span className="column" aria-hidden="true">
        {busy !== undefined && (
          <i style={{ blockSize: `${Math.max(2, busy)}%`, background: `var(--${toneOf(busy)})` }} />
        )}
      </span>
      <b aria-hidden="true">{channel}</b>
      <small className="muted">
        {busy === undefined ? <span aria-hidden="true">{`× ${radios}`}</span> : <Percent value={busy} />}
      </small>
    </li>
  )
}
