'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallInput, CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import type { Series } from '@/app/_ui/chart-scale'
import { Segments } from '@/app/_ui/check'
import { useClock } from '@/app/_ui/clock'
import { bits, inWords, short } from '@/app/_ui/format'
import { ChartRoom, LineChart, type LineChartProps } from '@/app/_ui/line-chart'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Bytes, Maybe } from '@/app/_ui/value'
import { rateUnit } from '@/app/(console)/network/[networkId]/devices/detail/_parts/charts'

type History = CallOutput<'clients/history'>
type Range = NonNullable<CallInput<'clients/history'>['range']>
const ranges: readonly Range[] = ['1d', '1w', '1m']
const refreshMs = 300_000
/** Pixels. */
const height = 130
/** dBm: below is no connection, above no room. */
const weakest = -100
const strongest = -20

const known = (values: readonly (number | null)[]) => values.some(value => value !== null)

/** Signal and traffic of a client over a day, a week or a month, and what it moved in each. */
export function History({ mac }: { mac: string }) {
  const t = useTranslations('clients.history')
  const [range, setRange] = useState<Range>('1d')
  const [asTable, setAsTable] = useState(false)
  const call = useNetworkCall('clients/history', { mac, range }, { refreshMs })
  const tools = (
    <span className="row">
      <Segments
        label={t('range')}
        value={range}
        options={ranges.map(value => ({ value, label: t(`ranges.${value}`) }))}
        onChange={value => setRange(value as Range)}
      />
      <IconButton
        small
        icon={asTable ? 'insight' : 'columns'}
        label={t(asTable ? 'asChart' : 'asTable')}
        aria-pressed={asTable}
        onClick={() => setAsTable(!asTable)}
      />
    </span>
  )
  return (
    <Card title={t('title')} meta={tools} pad className="client-history">
      <Loaded call={call} waiting={<ChartRoom height={height} />}>
        {history => (
          <>
            <Charts history={history} asTable={asTable} />
            <Totals totals={history.totals} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Charts({ history, asTable }: { history: History; asTable: boolean }) {
  const t = useTranslations('clients.history')
  const locale = useLocale()
  const clock = useClock()
  if (!known(history.signalDbm) && !known(history.downBps))
    return (
      <EmptyState slim icon="insight" title={t('empty')}>
        <span>{t('emptyHelp')}</span>
      </EmptyState>
    )
  const base = {
    ...{ times: history.at, height, asTable, timeZone: clock.style.timeZone, hours12: clock.style.hour === 12 },
  }
  const label = (what: string) => t('label', { what, range: t(`rangeNames.${history.range}`) })
  const signal: Series[] = [{ label: t('signal'), color: 'chart-1', values: history.signalDbm }]
  const traffic: Series[] = [
    { label: t('down'), color: 'chart-1', values: history.downBps },
    { label: t('up'), color: 'chart-2', values: history.upBps, mirrored: true },
  ]
  const all: { name: string; props: Pick<LineChartProps, 'series' | 'format' | 'unitOf' | 'start' | 'end'> }[] = [
    {
      name: t('signal'),
      props: {
        ...{ series: signal, start: weakest, end: strongest, unitOf: () => ({ unit: 'dBm', factor: 1 }) },
        format: value => `${short(value, locale)} dBm`,
      },
    },
    {
      name: t('traffic'),
      props: { series: traffic, unitOf: rateUnit, format: value => inWords(bits(value, locale)) },
    },
  ]
  // One on a cable has no signal.
  const charts = known(history.signalDbm) ? all : all.slice(1)
  return (
    <div className="client-charts">
      {charts.map(({ name, props }) => (
        <div key={name}>
          <h3 className="soft">{name}</h3>
          <LineChart {...base} {...props} label={label(name)} />
        </div>
      ))}
    </div>
  )
}

/** What it moved in each range; unknown is not zero. */
function Totals({ totals }: Pick<History, 'totals'>) {
  const t = useTranslations('clients.history')
  const cell = (value: number | null) => <Maybe value={value}>{octets => <Bytes value={octets} />}</Maybe>
  return (
    <table className="data-table plain client-totals" aria-label={t('totals')}>
      <thead>
        <tr>
          <th>{t('totals')}</th>
          <th className="numeric">{t('received')}</th>
          <th className="numeric">{t('sent')}</th>
        </tr>
      </thead>
      <tbody>
        {ranges.map(range => (
          <tr key={range}>
            <td>{t('last', { range: t(`rangeNames.${range}`) })}</td>
            <td className="numeric">{cell(totals[range].down)}</td>
            <td className="numeric">{cell(totals[range].up)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
