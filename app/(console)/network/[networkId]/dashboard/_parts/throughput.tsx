'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import type { Unit } from '@/app/_ui/chart-scale'
import { useClock } from '@/app/_ui/clock'
import { bits, bytes, type Measured } from '@/app/_ui/format'
import { ChartRoom, LineChart } from '@/app/_ui/line-chart'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Unknown, Value } from '@/app/_ui/value'
import { type Range, refreshMs } from './ranges'

type Bandwidth = CallOutput<'dashboard/bandwidth'>
/** Devices are polled once a minute. */
const pollMs = 60_000

const factors: Record<string, number> = { bps: 1, Kbps: 1e3, Mbps: 1e6, Gbps: 1e9 }
const rateUnit = (max: number): Unit => {
  const { unit } = bits(max)
  return { unit, factor: factors[unit] ?? 1 }
}

/** What came from and went to the internet; where no gateway tells, all devices' traffic, and it says so. */
export function Throughput({ range }: { range: Range }) {
  const t = useTranslations('dashboard.throughput')
  const [asTable, setAsTable] = useState(false)
  const call = useNetworkCall('dashboard/bandwidth', { range }, { refreshMs: refreshMs[range] })
  const now = useNetworkCall('dashboard/usage-realtime', {}, { refreshMs: pollMs })
  return (
    <Card
      title={t('title')}
      meta={
        <>
          <span className="legend">
            <Key color="chart-1" name={t('download')} />
            <Key color="chart-2" name={t('upload')} />
          </span>
          <IconButton
            small
            kind="ghost"
            icon={asTable ? 'insight' : 'columns'}
            label={asTable ? t('asChart') : t('asTable')}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          />
        </>
      }
      pad
    >
      <Loaded call={call} waiting={<Waiting range={range} />}>
        {data => <Chart data={data} now={now.data ?? data.now} asTable={asTable} />}
      </Loaded>
    </Card>
  )
}

const Key = ({ color, name }: { color: string; name: string }) => (
  <span>
    <i className="swatch" style={{ background: `var(--${color})` }} />
    {name}
  </span>
)

/** The highest point and the sum of both directions of a range; undefined while nothing is known. */
export function figuresOf({
  at,
  inBps,
  outBps,
  stepSeconds,
}: Pick<Bandwidth, 'at' | 'inBps' | 'outBps' | 'stepSeconds'>) {
  let peak: { at: number; bps: number } | undefined
  let octets: number | undefined
  for (const [index, time] of at.entries()) {
    const down = inBps[index] ?? null
    const up = outBps[index] ?? null
    if (down !== null && down > (peak?.bps ?? -1)) peak = { at: time * 1000, bps: down }
    if (down !== null || up !== null) octets = (octets ?? 0) + (((down ?? 0) + (up ?? 0)) / 8) * stepSeconds
  }
  return { peak, octets }
}

function Chart({ data, now, asTable }: { data: Bandwidth; now: Bandwidth['now']; asTable: boolean }) {
  const t = useTranslations('dashboard.throughput')
  const names = useTranslations('dashboard.rangeNames')
  const locale = useLocale()
  const clock = useClock()
  const { peak, octets } = figuresOf(data)
  const { range } = data
  if (octets === undefined && now.inBps === undefined)
    return (
      <EmptyState icon="insight" title={t('emptyTitle')}>
        <span>{t('empty')}</span>
      </EmptyState>
    )
  const words = (value: number) => {
    const { value: figure, unit } = bits(value, locale)
    return `${figure} ${unit}`
  }
  const long = range !== '2h' && range !== '1d'
  return (
    <>
      <div className="key-figures">
        <Figure name={t('downloadNow')} of={now.inBps === undefined ? undefined : bits(now.inBps, locale)} />
        <Figure name={t('uploadNow')} of={now.outBps === undefined ? undefined : bits(now.outBps, locale)} />
        {peak && (
          <Figure
            name={t('peak', { minutes: data.stepSeconds / 60, at: long ? clock.date(peak.at) : clock.time(peak.at) })}
            of={bits(peak.bps, locale)}
          />
        )}
        <Figure
          name={t('total', { range: names(range) })}
          of={octets === undefined ? undefined : bytes(octets, locale)}
        />
      </div>
      <LineChart
        label={t('label', { range: names(range) })}
        times={data.at}
        series={[
          { label: t('download'), color: 'chart-1', values: data.inBps },
          { label: t('upload'), color: 'chart-2', values: data.outBps, mirrored: true },
        ]}
        format={words}
        unitOf={rateUnit}
        timeZone={clock.style.timeZone}
        hours12={clock.style.hour === 12}
        asTable={asTable}
      />
      <p className="muted fine-print">{t(`measured.${now.source}`)}</p>
    </>
  )
}

/** As high as the chart and its figures will be, wherever they wrap. */
function Waiting({ range }: { range: Range }) {
  const t = useTranslations('dashboard.throughput')
  const names = useTranslations('dashboard.rangeNames')
  const figures = [
    t('downloadNow'),
    t('uploadNow'),
    t('peak', { minutes: 5, at: '…' }),
    t('total', { range: names(range) }),
  ]
  return (
    <>
      <div className="key-figures">
        {figures.map(name => (
          <Figure key={name} name={name} of={undefined} />
        ))}
      </div>
      <ChartRoom />
      <p className="muted fine-print">{'\u00a0'}</p>
    </>
  )
}

function Figure({ name, of }: { name: string; of: Measured | undefined }) {
  return (
    <div>
      <span className="muted fine-print">{name}</span>
      <span className="figure">{of ? <Value {...of} /> : <Unknown />}</span>
    </div>
  )
}
