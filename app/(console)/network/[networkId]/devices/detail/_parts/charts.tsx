'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallInput, CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import type { Series, Unit } from '@/app/_ui/chart-scale'
import { Segments } from '@/app/_ui/check'
import { useClock } from '@/app/_ui/clock'
import { bits, type Measured, short } from '@/app/_ui/format'
import { LineChart } from '@/app/_ui/line-chart'
import { EmptyState, Loaded } from '@/app/_ui/states'

type Usage = CallOutput<'devices/usage'>
type Range = NonNullable<CallInput<'devices/usage'>['range']>
export const ranges: readonly Range[] = ['2h', '1d', '1w', '1m', '3m', '6m']
const refreshMs: Record<string, number> = { '2h': 300_000, '1d': 300_000, '1w': 1_800_000 }

const factors: Record<string, number> = { bps: 1, Kbps: 1e3, Mbps: 1e6, Gbps: 1e9 }
/** The unit of an axis of bit rates. */
export const rateUnit = (max: number): Unit => {
  const { unit } = bits(max)
  return { unit, factor: factors[unit] ?? 1 }
}
export const words = ({ value, unit }: Measured) => `${value} ${unit}`

const known = (values: readonly (number | null)[]) => values.some(value => value !== null)
const last = (values: readonly (number | null)[]) => values.findLast(value => value !== null) ?? null

/** Traffic, CPU, memory and clients of one device over time; what was never reported has no chart. */
export function Charts({ id }: { id: number }) {
  const t = useTranslations('devices.detail.charts')
  const names = useTranslations('dashboard')
  const [range, setRange] = useState<Range>('1d')
  const [asTable, setAsTable] = useState(false)
  const call = useNetworkCall('devices/usage', { id, range }, { refreshMs: refreshMs[range] ?? 10_800_000 })
  return (
    <>
      <div className="row chart-tools">
        <Segments
          label={names('range')}
          value={range}
          options={ranges.map(value => ({ value, label: names(`ranges.${value}`) }))}
          onChange={value => setRange(value as Range)}
        />
        <span className="end">
          <IconButton
            small
            icon={asTable ? 'insight' : 'columns'}
            label={asTable ? t('asChart') : t('asTable')}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          />
        </span>
      </div>
      <Loaded call={call}>{usage => <Grid usage={usage} asTable={asTable} />}</Loaded>
    </>
  )
}

function Grid({ usage, asTable }: { usage: Usage; asTable: boolean }) {
  const t = useTranslations('devices.detail.charts')
  const locale = useLocale()
  const percent = (value: number) => `${short(value, locale)} %`
  const count = (value: number) => short(value, locale)
  const rate = (value: number) => words(bits(value, locale))
  const line = (label: string, color: string, values: Usage['at' | 'inBps'], mirrored = false): Series => ({
    label,
    color,
    values,
    mirrored,
  })
  const shown = [
    (known(usage.inBps) || known(usage.outBps)) && (
      <ChartCard
        key="traffic"
        title={t('traffic')}
        usage={usage}
        now={last(usage.inBps)}
        series={[line(t('in'), 'chart-1', usage.inBps), line(t('out'), 'chart-2', usage.outBps, true)]}
        format={rate}
        unitOf={rateUnit}
        asTable={asTable}
      />
    ),
    known(usage.cpuPercent) && (
      <ChartCard
        key="cpu"
        title={t('cpu')}
        usage={usage}
        now={last(usage.cpuPercent)}
        series={[line(t('cpu'), 'chart-1', usage.cpuPercent)]}
        format={percent}
        end={100}
        asTable={asTable}
      />
    ),
    known(usage.memoryPercent) && (
      <ChartCard
        key="memory"
        title={t('memory')}
        usage={usage}
        now={last(usage.memoryPercent)}
        series={[line(t('memory'), 'chart-1', usage.memoryPercent)]}
        format={percent}
        end={100}
        asTable={asTable}
      />
    ),
    known(usage.clients) && (
      <ChartCard
        key="clients"
        title={t('clients')}
        usage={usage}
        now={last(usage.clients)}
        series={[line(t('clients'), 'chart-1', usage.clients)]}
        format={count}
        asTable={asTable}
      />
    ),
  ].filter(Boolean)
  if (shown.length === 0)
    return (
      <Card>
        <EmptyState slim icon="insight" title={t('empty')} />
      </Card>
    )
  return <div className="charts">{shown}</div>
}

type ChartCardProps = {
  title: string
  usage: Usage
  now: number | null
  series: Series[]
  format: (value: number) => string
  unitOf?: (max: number) => Unit
  end?: number
  asTable: boolean
}

function ChartCard({ title, usage, now, series, format, unitOf, end, asTable }: ChartCardProps) {
  const t = useTranslations('devices.detail.charts')
  const ranges = useTranslations('dashboard.rangeNames')
  const clock = useClock()
  return (
    <Card title={title} meta={now !== null && <b className="num chart-now">{format(now)}</b>} pad>
      <LineChart
        label={t('label', { what: title, range: ranges(usage.range) })}
        times={usage.at}
        series={series}
        format={format}
        unitOf={unitOf}
        end={end}
        height={130}
        timeZone={clock.style.timeZone}
        hours12={clock.style.hour === 12}
        asTable={asTable}
      />
    </Card>
  )
}
