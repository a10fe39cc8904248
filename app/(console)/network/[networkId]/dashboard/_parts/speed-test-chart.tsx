import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { Bits } from '@/app/_ui/value'
import { directions, serverName } from '@/model/dashboard/speed-test'
import { speedChart } from './speed-test-points'

const colours = { download: 'var(--chart-1)', upload: 'var(--chart-2)' } as const
/** As many as are kept, nearly: the table below has all of them. */
const drawn = { page: 1, pageSize: 100, sort: { field: 'at', direction: 'desc' } } as const

/** How fast the tests were over time, against the server that was asked last; the table below says the same in figures. */
export function SpeedTestChart() {
  const t = useTranslations('dashboard.speedTest')
  const { data } = useNetworkCall('dashboard/speed-test/list', drawn, { live: true })
  const chart = speedChart(data?.result ?? [])
  const [first, newest] = [chart?.tests[0], chart?.tests.at(-1)]
  if (!chart || !first || !newest) return null
  const words = { server: serverName(newest.server), place: newest.device?.name ?? t('start.manager') }
  const shown = directions.filter(way => chart.points[way].length > 0)
  const legend = shown.map(way => (
    <span key={way} className="row">
      <i className="speed-swatch" style={{ background: colours[way] }} />
      {t(`result.${way}`)}
    </span>
  ))
  return (
    <Card title={t('chart.title')} meta={<span className="row soft">{legend}</span>} pad>
      <p className="soft">{t('chart.about', words)}</p>
      <figure className="speed-chart" role="img" aria-label={t('chart.label', { ...words, count: chart.tests.length })}>
        <span className="muted">
          <Bits value={chart.most} />
        </span>
        <div>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            <path className="grid" d="M0 0H100M0 50H100M0 100H100" />
            {shown.map(way => (
              <polyline
                key={way}
                style={{ stroke: colours[way] }}
                points={chart.points[way].map(({ x, y }) => `${x},${100 - y}`).join(' ')}
              />
            ))}
          </svg>
          {shown.map(way =>
            chart.points[way].map(({ x, y }) => (
              <i
                key={`${way} ${x}`}
                style={{ insetInlineStart: `${x}%`, insetBlockEnd: `${y}%`, background: colours[way] }}
              />
            )),
          )}
        </div>
        <span className="muted ends">
          <Moment at={first.createdAt} />
          <Moment at={newest.createdAt} />
        </span>
      </figure>
    </Card>
  )
}
