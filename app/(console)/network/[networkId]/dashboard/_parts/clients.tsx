'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Segments } from '@/app/_ui/check'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Count } from '@/app/_ui/value'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { Donut, type Share, sharesOf } from './donut'

type Pie = CallOutput<'dashboard/clients-pie'>
const views = ['bands', 'ssids', 'makers'] as const
type View = (typeof views)[number]

/** Who is connected now: by band and wire, by Wi-Fi network, or by the maker of the device. */
export function Clients() {
  const t = useTranslations('dashboard.clients')
  const { networkId } = useParams<{ networkId: string }>()
  const [view, setView] = useState<View>('bands')
  const call = useNetworkCall('dashboard/clients-pie', {}, { live: true })
  return (
    <Card
      title={t('title')}
      meta={
        <ScreenLink needs="clients" href={`/network/${networkId}/clients`}>
          {t('all')}
        </ScreenLink>
      }
    >
      <div className="tile-views">
        <Segments
          label={t('by')}
          value={view}
          options={views.map(value => ({ value, label: t(`views.${value}`) }))}
          onChange={value => setView(value as View)}
        />
      </div>
      <Loaded call={call} lines={6}>
        {data => <Spread data={data} view={view} />}
      </Loaded>
    </Card>
  )
}

function useShares(data: Pie, view: View): Share[] {
  const t = useTranslations('dashboard.clients')
  const wired: Share = { name: t('wired'), value: data.wired, tone: 'chart-6' }
  if (view === 'makers')
    return sharesOf(
      data.vendors.map(one => ({ name: one.vendor, value: one.clients })),
      [
        { name: t('private'), value: data.private, tone: 'chart-6' },
        { name: t('unknownMaker'), value: data.unknown, tone: 'offline-line' },
      ],
      t('others'),
    )
  if (view === 'ssids')
    return sharesOf(
      data.ssids.map(one => ({ name: one.ssid ?? t('unknownSsid'), value: one.clients })),
      [wired],
      t('others'),
    )
  return sharesOf(
    data.bands.map(one => ({ name: one.band ? t(`band.${one.band}`) : t('unknownBand'), value: one.clients })),
    [wired],
    t('others'),
  )
}

function Spread({ data, view }: { data: Pie; view: View }) {
  const t = useTranslations('dashboard.clients')
  const shares = useShares(data, view)
  if (!data.told) return <EmptyState slim icon="clients" title={t('unknown')} />
  const total = shares.reduce((sum, one) => sum + one.value, 0)
  if (total === 0) return <EmptyState slim icon="clients" title={t('empty')} />
  return (
    <div className="spread">
      <Donut shares={shares} total={<Count value={total} />} caption={t('caption', { count: total })} />
      <ul>
        {shares.map(one => (
          <li key={one.name}>
            <i className="swatch" style={{ background: `var(--${one.tone})` }} aria-hidden="true" />
            <bdi className="truncated">{one.name}</bdi>
            <Count value={one.value} />
          </li>
        ))}
      </ul>
    </div>
  )
}
