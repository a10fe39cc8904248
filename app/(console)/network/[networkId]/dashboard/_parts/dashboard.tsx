'use client'
import { useParams, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Segments } from '@/app/_ui/check'
import { useClock, useNow } from '@/app/_ui/clock'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState, ErrorState, Loaded } from '@/app/_ui/states'
import { FirstSteps } from '@/app/(console)/_guide/first-steps'
import type { Tile } from '@/model/dashboard/tiles'
import type { Guide } from '@/server/manager/guide/steps'
import { type Range, rangeOf, ranges } from './ranges'
import { TileGrid } from './tile-grid'
import './dashboard.css'

/** In the address, so that it comes back; the page is the same, so nothing is drawn anew for it. */
const showRange = (range: Range) => window.history.replaceState(null, '', `?range=${range}`)

/** The network at a glance: each part asks for itself, and fails for itself. */
export function Dashboard({ guide }: { guide: Guide | undefined }) {
  const t = useTranslations('dashboard')
  const { networkId } = useParams<{ networkId: string }>()
  const range = rangeOf(useSearchParams().get('range'))
  const mayAdd = useMay('devices_edit')
  const devices = useNetworkCall('dashboard/devices', {}, { live: true })
  const layout = useNetworkCall('dashboard/layout', {}, { live: true })
  return (
    <>
      <PageHead title={t('title')} sub={<Now />}>
        <Segments
          label={t('range')}
          value={range}
          options={ranges.map(value => ({ value, label: t(`ranges.${value}`) }))}
          onChange={value => showRange(value as Range)}
        />
        <LinkButton icon="settings" href={`/network/${networkId}/dashboard/form`}>
          {t('edit')}
        </LinkButton>
      </PageHead>
      {guide && <FirstSteps first={guide} passing />}
      {!devices.data && devices.error && (
        <Card>
          <ErrorState error={devices.error} onRetry={() => void devices.mutate()} />
        </Card>
      )}
      {devices.data?.total === 0 ? (
        <Card>
          <EmptyState icon="devices" title={t('noDevices.title')}>
            {mayAdd && (
              <>
                <span>{t('noDevices.help')}</span>
                <LinkButton kind="primary" icon="plus" href={`/network/${networkId}/devices/form`}>
                  {t('noDevices.action')}
                </LinkButton>
              </>
            )}
          </EmptyState>
        </Card>
      ) : (
        <Loaded call={layout}>{({ tiles }) => <Chosen tiles={tiles} range={range} />}</Loaded>
      )}
    </>
  )
}

function Chosen({ tiles, range }: { tiles: readonly Tile[]; range: Range }) {
  const t = useTranslations('dashboard')
  const { networkId } = useParams<{ networkId: string }>()
  if (tiles.length > 0) return <TileGrid tiles={tiles} range={range} />
  return (
    <Card>
      <EmptyState icon="dashboard" title={t('noTiles')}>
        <LinkButton href={`/network/${networkId}/dashboard/form`}>{t('edit')}</LinkButton>
      </EmptyState>
    </Card>
  )
}

function Now() {
  const t = useTranslations('dashboard')
  const clock = useClock()
  const now = useNow()
  if (now === undefined) return null
  return t('zone', { zone: clock.style.timeZone.replaceAll('_', ' '), now: clock.dateTime(now) })
}
