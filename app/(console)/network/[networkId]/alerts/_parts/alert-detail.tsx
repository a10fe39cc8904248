'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button, LinkButton } from '@/app/_ui/button'
import { Card, KeyValues } from '@/app/_ui/card'
import { Age, Moment } from '@/app/_ui/clock'
import { Crumb } from '@/app/_ui/crumb'
import { PageHead } from '@/app/_ui/page-head'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { Acknowledge } from './acknowledge'
import { AlertGlyph, stateOf, useAlertTodo, useAlertWords } from './alert-words'
import { ChangesBefore } from './changes-before'
import { placeOf } from './place'
import { PowerCycle } from './power-cycle'

type Detail = CallOutput<'alerts/detail'>

/** One alert or incident: what caused it, what to do, and what it took along. */
export function AlertDetail({ id }: { id: number }) {
  const t = useTranslations('alerts.detail')
  const call = useNetworkCall('alerts/detail', { id }, { live: true, keep: false })
  if (call.data) return <Shown detail={call.data} />
  return (
    <>
      <PageHead title={t('title')} />
      <Card>
        {call.error ? (
          <ErrorState error={call.error} onRetry={() => void call.mutate()} />
        ) : (
          <SkeletonLines lines={5} />
        )}
      </Card>
    </>
  )
}

function Shown({ detail }: { detail: Detail }) {
  const t = useTranslations('alerts')
  const words = useAlertWords()
  const mayEdit = useMay('alerts_edit')
  const [asking, setAsking] = useState(false)
  const { alert, acknowledgedBy } = detail
  const { networkId } = useParams<{ networkId: string }>()
  const taken = acknowledgedBy !== null
  return (
    <>
      <Crumb name={t('detail.title')} />
      <PageHead
        title={words(alert)}
        mark={
          alert.recoveredAt === null ? (
            <Badge state={stateOf(alert)}>{t(`levels.${alert.level}`)}</Badge>
          ) : (
            <Badge state="confirmed">{t('recovered')}</Badge>
          )
        }
      >
        {mayEdit && (
          <Button icon="check" onClick={() => setAsking(true)}>
            {t(taken ? 'detail.changeNote' : 'detail.acknowledge')}
          </Button>
        )}
      </PageHead>
      <div className="stack">
        <Todo detail={detail} />
        <Facts detail={detail} />
        {detail.behind.total > 0 && <Behind detail={detail} />}
        {alert.inNetwork && <ChangesBefore at={alert.at} networkId={Number(networkId)} />}
      </div>
      {asking && <Acknowledge detail={detail} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Where the earlier configuration is compared and pushed, as safely as any other. */
const restorePath = ({ device, deployment, at }: NonNullable<Detail['mend']>, networkId: string) =>
  `/network/${networkId}/settings/review?device=${device}&restore=${deployment}&at=${at}`

/** What to do, and the place to do it. */
function Todo({ detail: { alert, cause, mend, hangsAt } }: { detail: Detail }) {
  const t = useTranslations('alerts.detail')
  const words = useAlertWords()
  const advice = useTranslations('alertTypes.advice')
  const todo = useAlertTodo()(alert)
  const { networkId } = useParams<{ networkId: string }>()
  const place = placeOf(alert, networkId)
  const may = useMay(place?.needs ?? 'alerts')
  const mayPush = useMay('devices_edit')
  const powered = alert.type === 'deviceOffline' && alert.recoveredAt === null && hangsAt?.port ? alert.device : null
  return (
    <Card title={t('todo')} pad>
      {cause ? (
        <p>
          {t('behindCause')}{' '}
          <ScreenLink needs="alerts" href={`/network/${networkId}/alerts/detail?id=${cause.id}`}>
            {words(cause)}
          </ScreenLink>
        </p>
      ) : (
        <>
          <p>{advice.has(alert.type) ? advice(alert.type) : t('noAdvice')}</p>
          {todo && <p>{todo}</p>}
        </>
      )}
      {mend && mayPush && <p>{t('mend')}</p>}
      <p className="form-end" style={{ marginBlockStart: 12 }}>
        {powered && mayPush && <PowerCycle id={powered.id} name={powered.name} />}
        {mend && mayPush && <LinkButton href={restorePath(mend, networkId)}>{t('restore')}</LinkButton>}
        {place && may && (
          <LinkButton kind="primary" href={place.href}>
            {t(`places.${place.act}`)}
          </LinkButton>
        )}
      </p>
    </Card>
  )
}

function Facts({ detail }: { detail: Detail }) {
  const t = useTranslations('alerts.detail')
  const { networkId } = useParams<{ networkId: string }>()
  const { alert, times, hangsAt, acknowledgedBy, note } = detail
  return (
    <Card title={t('facts')} pad>
      <KeyValues
        rows={[
          [t('since'), <Moment key="since" at={alert.at} />],
          alert.recoveredAt !== null && [t('until'), <Moment key="until" at={alert.recoveredAt} />],
          times > 1 && [t('times'), t('timesCount', { count: times })],
          alert.device !== null && [
            t('device'),
            <ScreenLink
              key="device"
              needs="devices"
              href={`/network/${networkId}/devices/detail?id=${alert.device.id}`}
            >
              {alert.device.name}
            </ScreenLink>,
          ],
          hangsAt !== null && [
            t('hangsAt'),
            <ScreenLink key="hangsAt" needs="devices" href={`/network/${networkId}/devices/detail?id=${hangsAt.id}`}>
              {hangsAt.port === null ? hangsAt.name : t('port', { device: hangsAt.name, port: hangsAt.port })}
            </ScreenLink>,
          ],
          [t('notified'), <Notified key="notified" {...detail} />],
          alert.maintenance !== null && [t('maintenance'), alert.maintenance],
          acknowledgedBy !== null && [
            t('acknowledged'),
            <span key="by">
              {acknowledgedBy}, <Moment at={alert.acknowledgedAt ?? alert.at} />
            </span>,
          ],
          note !== '' && [t('note'), note],
        ]}
      />
    </Card>
  )
}

function Notified({ told, toldAt, tellAt, cause }: Detail) {
  const t = useTranslations('alerts.detail')
  if (told)
    return (
      <>
        {t('told')} {toldAt !== null && <Moment at={toldAt} seconds />}
      </>
    )
  if (cause) return t('toldWithCause')
  if (tellAt === null) return t('notTold')
  return (
    <>
      {t('tellAt')} <Moment at={tellAt} seconds />
    </>
  )
}

/** What the same cause took along, folded away where it is much. */
function Behind({ detail: { behind } }: { detail: Detail }) {
  const t = useTranslations('alerts.detail')
  const words = useAlertWords()
  const { networkId } = useParams<{ networkId: string }>()
  const { result, total } = behind
  return (
    <Card title={t('behind')} meta={t('behindCount', { count: total })}>
      <details className="padded" open={total <= 10}>
        <summary>{t('show')}</summary>
        <ul>
          {result.map(alert => (
            <li key={alert.id} className="recent-alert">
              <AlertGlyph alert={alert} />
              <ScreenLink needs="alerts" href={`/network/${networkId}/alerts/detail?id=${alert.id}`}>
                {words(alert)}
              </ScreenLink>
              <Age at={alert.recoveredAt ?? alert.at} />
            </li>
          ))}
        </ul>
        {total > result.length && <p className="muted">{t('more', { count: total - result.length })}</p>}
      </details>
    </Card>
  )
}
