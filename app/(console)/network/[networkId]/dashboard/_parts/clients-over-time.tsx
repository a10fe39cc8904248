'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { useClock } from '@/app/_ui/clock'
import { short } from '@/app/_ui/format'
import { ChartRoom, LineChart } from '@/app/_ui/line-chart'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Count, Unknown } from '@/app/_ui/value'
import { type Range, refreshMs } from './ranges'

type Series = CallOutput<'dashboard/clients-count'>
const height = 180

/** How many were connected over the range, and how many of them came for the first time. */
export function ClientsOverTime({ range }: { range: Range }) {
  const t = useTranslations('dashboard.clientsOverTime')
  const call = useNetworkCall('dashboard/clients-count', { range }, { refreshMs: refreshMs[range] })
  return (
    <Card title={t('title')} pad>
      <Statistics range={range} />
      <Loaded call={call} waiting={<ChartRoom height={height} />}>
        {data => <Chart data={data} />}
      </Loaded>
    </Card>
  )
}

function Statistics({ range }: { range: Range }) {
  const t = useTranslations('dashboard.clientsOverTime')
  const clock = useClock()
  const { data } = useNetworkCall('dashboard/clients-statistics', { range }, { refreshMs: refreshMs[range] })
  const general = useNetworkCall('dashboard/clients-general', {}, { live: true })
  const { peak } = general.data ?? {}
  const figures = [
    [t('seen'), data?.seen],
    [t('fresh'), data?.fresh],
    [t('returning'), data?.returning],
    [peak ? t('peak', { at: clock.time(peak.at * 1000) }) : t('peakUnknown'), peak?.clients],
  ] as const
  return (
    <>
      <div className="key-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <span className="muted fine-print">{name}</span>
            <span className="figure">{value === undefined ? <Unknown /> : <Count value={value} />}</span>
          </div>
        ))}
      </div>
      {data && (range === '3m' || range === '6m') && (
        <p className="muted fine-print">{t('since', { date: clock.date(data.since) })}</p>
      )}
    </>
  )
}

function Chart({ data }: { data: Series }) {
  const t = useTranslations('dashboard.clientsOverTime')
  const names = useTranslations('dashboard.rangeNames')
  const locale = useLocale()
  const clock = useClock()
  if (data.clients.every(one => one === null))
    return (
      <EmptyState slim icon="clients" title={t('emptyTitle')}>
        {t('empty')}
      </EmptyState>
    )
  return (
    <LineChart
      label={t('label', { range: names(data.range) })}
      times={data.at}
      series={[{ label: t('clients'), color: 'chart-1', values: data.clients }]}
      format={value => short(Math.round(value), locale)}
      whole
      height={height}
      timeZone={clock.style.timeZone}
      hours12={clock.style.hour === 12}
    />
  )
}
