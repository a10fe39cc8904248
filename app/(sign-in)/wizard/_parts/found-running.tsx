'use client'
import { useTranslations } from 'next-intl'
import { useCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'

/** Devices that have a line of their own here. */
const most = 10

/** What the adopted devices run already, besides what the setup made: it was left alone, and this leads to it. */
export function FoundRunning({ networkId }: { networkId: number }) {
  const t = useTranslations('wizard.finished.running')
  const { data } = useCall('devices/list', { networkId, page: 1, pageSize: most }, { refreshMs: 5_000 })
  const readable = (data?.result ?? []).filter(device => device.can.import && device.status === 1)
  if (!data || readable.length === 0) return null
  return (
    <Card title={t('title')}>
      <p className="muted px-4 pt-3">{t('text')}</p>
      {readable.map(({ id, name }) => (
        <Row key={id} {...{ networkId, id, name }} />
      ))}
      {data.total > data.result.length && (
        <div className="summary-row">
          <LinkButton small href={`/network/${networkId}/devices`}>
            {t('all', { count: data.total })}
          </LinkButton>
        </div>
      )}
    </Card>
  )
}

function Row({ networkId, id, name }: { networkId: number; id: number; name: string }) {
  const t = useTranslations('wizard.finished.running')
  const { data, error } = useCall('import/list', { networkId, deviceId: id })
  const count = data?.result.filter(item => item.state !== 'managed').length
  const said = error ? '' : count === undefined ? t('reading') : t('count', { count })
  return (
    <div className="summary-row">
      <span className="medium truncated">{name}</span>
      <span className="muted" role="status">
        {said}
      </span>
      <LinkButton small href={`/network/${networkId}/devices/detail?id=${id}&tab=device`}>
        {t('look', { name })}
      </LinkButton>
    </div>
  )
}
