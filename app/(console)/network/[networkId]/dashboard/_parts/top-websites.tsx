'use client'
import { useParams } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { useClock } from '@/app/_ui/clock'
import { Bar } from '@/app/_ui/meters'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { type Range, refreshMs } from './ranges'

/** Days that the page of records shows, which has no others. */
const periods: Record<Range, string> = { '2h': '', '1d': '', '1w': '7', '1m': '30', '3m': '30', '6m': '30' }

/** Sites by how often their names were looked up in the range, where the URL log is on. */
export function TopWebsites({ range }: { range: Range }) {
  const t = useTranslations('dashboard.topWebsites')
  const names = useTranslations('dashboard.rangeNames')
  const call = useNetworkCall('dashboard/top-websites', { range, most: 7 }, { refreshMs: refreshMs[range] })
  return (
    <Card title={t('title')} meta={t('by', { range: names(range) })}>
      <Loaded call={call} lines={6}>
        {found => (found.on ? <Sites {...{ found, range }} /> : <Off />)}
      </Loaded>
    </Card>
  )
}

type SitesProps = { found: CallOutput<'dashboard/top-websites'>; range: Range }

function Sites({ found: { result, since }, range }: SitesProps) {
  const t = useTranslations('dashboard.topWebsites')
  const clock = useClock()
  const count = new Intl.NumberFormat(useLocale())
  const { networkId } = useParams<{ networkId: string }>()
  const most = Math.max(1, ...result.map(one => one.lookups))
  const begin = since === undefined ? '' : clock.dateTime(since)
  if (result.length === 0)
    return (
      <EmptyState slim icon="globe" title={t('empty', { since: begin })}>
        <ScreenLink needs="records" href={`/network/${networkId}/insight/logs?tab=url`}>
          {t('records')}
        </ScreenLink>
      </EmptyState>
    )
  return (
    <>
      <ul className="bar-rows">
        {result.map(({ name, lookups }) => (
          <li key={name}>
            <ScreenLink
              needs="records"
              className="name truncated"
              href={`/network/${networkId}/insight/logs?tab=url&period=${periods[range]}&q=${encodeURIComponent(name)}`}
            >
              <bdi>{name}</bdi>
            </ScreenLink>
            <Bar slim share={lookups / most} />
            <span className="number">{count.format(lookups)}</span>
          </li>
        ))}
      </ul>
      <p className="padded rule muted fine-print">{t('since', { since: begin })}</p>
    </>
  )
}

/** Where it is turned on, for whoever may. */
function Off() {
  const t = useTranslations('dashboard.topWebsites')
  const mayTurnOn = useMay('settings_system_edit')
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <EmptyState slim icon="globe" title={t('off')}>
      {mayTurnOn ? (
        <LinkButton href={`/network/${networkId}/settings/system?tab=traffic`}>{t('turnOn')}</LinkButton>
      ) : (
        <span className="soft">{t('ask')}</span>
      )}
    </EmptyState>
  )
}
