'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Age } from '@/app/_ui/clock'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { AlertGlyph, useAlertWords } from '@/app/(console)/network/[networkId]/alerts/_parts/alert-words'

/** The newest unread alerts. */
export function Alerts() {
  const t = useTranslations('dashboard.alerts')
  const { networkId } = useParams<{ networkId: string }>()
  const call = useNetworkCall('dashboard/alerts', { most: 6 }, { live: true })
  const words = useAlertWords()
  const unread = call.data && call.data.unread.emergency + call.data.unread.warning + call.data.unread.notice
  return (
    <Card
      title={t('title')}
      mark={!!unread && <Badge>{t('unread', { count: unread })}</Badge>}
      meta={
        <ScreenLink needs="alerts" href={`/network/${networkId}/alerts`}>
          {t('all')}
        </ScreenLink>
      }
    >
      <Loaded call={call}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState slim icon="alerts" title={t('empty')} />
          ) : (
            <ul>
              {result.map(alert => (
                <li key={alert.id} className="recent-alert">
                  <AlertGlyph alert={alert} />
                  <b className="medium">{words(alert)}</b>
                  <Age at={alert.at} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
