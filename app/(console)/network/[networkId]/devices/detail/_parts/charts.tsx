'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { CallInput, CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import type { Series, Unit } from '@/app/_ui/chart-scale'
import { Segments } from '@/app/_ui/check'
import { useClock } from '@/app/_ui/clock'
import { bits, inWords, short } from '@/app/_ui/format'
import { ChartRoom, LineChart, type LineChartProps } from '@/app/_ui/line-chart'
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
const percentUnit = (): Unit => ({ factor: 1, unit: '%' })

const known = (values: readonly (number | null)[]) => values.some(value => value !== null)
const last = (values: readonly (number | null)[]) => values.findLast(value => value !== null) ?? null

/** What the last poll read, so that no figure of the page says another thing than the head of its chart. */
export type Now = Partial<Record<Chart['key'], number>>

/** Traffic, CPU, memory and clients of one device over time; what was never reported has no chart. */
export function Charts({ id, now }: { id: number; now: Now }) {
  const t = useTranslations('devices.detail.charts')
  const names = useTranslations('dashboard')
  const [range, setRange] = useState<Range>('1d')
  const [asTable, setAsTable] = useState(false)
  const call = useNetworkCall('devices/usage', { id, range }, { refreshMs: refreshMs[range] ?? 10_800_000 })
  const before = useBefore(call.data)
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
      <Loaded call={call} waiting={<Waiting usage={before} />}>
        {usage => <Grid usage={usage} asTable={asTable} now={now} />}
      </Loaded>
    </>
  )
}

/** What was shown last: the next range most likely has as many charts. */
function useBefore(usage: Usage | undefined): Usage | undefined {
  const [before, setBefore] = useState<Usage>()
  useEffect(() => {
    if (usage) setBefore(usage)
  }, [usage])
  return before
}

/** The charts' room: those of before, else the two that nearly every device has. */
function Waiting({ usage }: { usage: Usage | undefined }) {
  const t = useTranslations('devices.detail.charts')
  const all = useCharts()
  const shown = usage ? all.filter(isKnown(usage)) : all.slice(0, 2)
  return (
    <div className="charts">
      {shown.map(({ key }) => (
        <Card key={key} title={t(key)} pad>
          <ChartRoom height={chartHeight} />
        </Card>
      ))}
    </div>
  )
}

/** Which columns of a reading are drawn together, and how. */
function useCharts(): Chart[] {
  const t = useTranslations('devices.detail.charts')
  const locale = useLocale()
  const percent = (value: number) => `${short(value, locale)} %`
  return [
    {
      key: 'traffic',
      lines: [
        { of: 'inBps', label: t('in') },
        { of: 'outBps', label: t('out'), mirrored: true },
      ],
      format: value => inWords(bits(value, locale)),
      unitOf: rateUnit,
    },
    { key: 'cpu', lines: [{ of: 'cpuPercent', label: t('cpu') }], format: percent, unitOf: percentUnit, end: 100 },
    {
      ...{ key: 'memory', lines: [{ of: 'memoryPercent', label: t('memory') }] },
      ...{ format: percent, unitOf: percentUnit, end: 100 },
    },
    // A point is the mean of some minutes.
    {
      ...{ key: 'clients', lines: [{ of: 'clients', label: t('clients') }], whole: true },
      format: value => short(Math.round(value), locale),
    },
  ]
}

type GridProps = { usage: Usage; asTable: boolean; now: Now }

function Grid({ usage, asTable, now }: GridProps) {
  const t = useTranslations('devices.detail.charts')
  const shown = useCharts().filter(isKnown(usage))
  if (shown.length === 0)
    return (
      <Card>
        <EmptyState slim icon="insight" title={t('empty')} />
      </Card>
    )
  return (
    <div className="charts">
      {shown.map(chart => (
        <ChartCard key={chart.key} chart={chart} usage={usage} asTable={asTable} now={now[chart.key]} />
      ))}
    </div>
  )
}

type Chart = Pick<LineChartProps, 'format' | 'unitOf' | 'end' | 'whole'> & {
  key: 'traffic' | 'cpu' | 'memory' | 'clients'
  lines: { of: 'inBps' | 'outBps' | 'cpuPercent' | 'memoryPercent' | 'clients'; label: string; mirrored?: boolean }[]
}

const isKnown =
  (usage: Usage) =>
  ({ lines }: Chart): boolean =>
    lines.some(({ of }) => known(usage[of]))

/** Pixels. */
const chartHeight = 130

type CardProps = Pick<GridProps, 'usage' | 'asTable'> & { chart: Chart; now: number | undefined }

function ChartCard({ chart, usage, asTable, now: read }: CardProps) {
  const t = useTranslations('devices.detail.charts')
  const ranges = useTranslations('dashboard.rangeNames')
  const clock = useClock()
  const { key, lines, ...look } = chart
  const series = lines.map(
    ({ of, label, mirrored }, at): Series => ({ label, color: `chart-${at + 1}`, values: usage[of], mirrored }),
  )
  const now = read ?? last(series[0]?.values ?? [])
  return (
    <Card title={t(key)} meta={now !== null && <b className="number chart-now">{look.format(now)}</b>} pad>
      <LineChart
        label={t('label', { what: t(key), range: ranges(usage.range) })}
        times={usage.at}
        series={series}
        {...look}
        height={chartHeight}
        timeZone={clock.style.timeZone}
        hours12={clock.style.hour === 12}
        asTable={asTable}
      />
    </Card>
  )
}
