'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Segments } from '@/app/_ui/check'
import { useClock, useNow } from '@/app/_ui/clock'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState, ErrorState } from '@/app/_ui/states'
import { FirstSteps } from '@/app/(console)/_guide/first-steps'
import type { Guide } from '@/server/manager/guide/steps'
import { Alerts } from './alerts'
import { Attention } from './attention'
import { Clients } from './clients'
import { type Range, ranges } from './ranges'
import { Throughput } from './throughput'
import { Tiles } from './tiles'
import { TopDevices } from './top-devices'
import './dashboard.css'

/** The network at a glance: each part asks for itself, and fails for itself. */
export function Dashboard({ guide }: { guide: Guide | undefined }) {
  const t = useTranslations('dashboard')
  const { networkId } = useParams<{ networkId: string }>()
  const [range, setRange] = useState<Range>('1d')
  const mayAdd = useMay('devices_edit')
  const devices = useNetworkCall('dashboard/devices', {}, { live: true })
  return (
    <>
      <PageHead title={t('title')} sub={<Now />}>
        <Segments
          label={t('range')}
          value={range}
          options={ranges.map(value => ({ value, label: t(`ranges.${value}`) }))}
          onChange={value => setRange(value as Range)}
        />
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
        <div className="dashboard">
          <Tiles tiles={devices.data?.result} range={range} />
          <div className="wide-and-narrow">
            <Throughput range={range} />
            <Attention />
          </div>
          <div className="wide-and-two-narrow">
            <Alerts />
            <TopDevices range={range} />
            <Clients range={range} />
          </div>
        </div>
      )}
    </>
  )
}

function Now() {
  const t = useTranslations('dashboard')
  const clock = useClock()
  const now = useNow()
  if (now === undefined) return null
  return t('zone', { zone: clock.style.timeZone.replaceAll('_', ' '), now: clock.dateTime(now) })
}
