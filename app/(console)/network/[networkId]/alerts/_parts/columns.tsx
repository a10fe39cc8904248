import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Age } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Badge, Status } from '@/app/_ui/status'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { type Alert, stateOf, useAlertWords } from './alert-words'

export function useColumns(): Column<Alert>[] {
  const t = useTranslations('alerts')
  const words = useAlertWords()
  const { networkId } = useParams<{ networkId: string }>()
  return [
    {
      key: 'level',
      label: t('columns.level'),
      fixed: true,
      phone: 'state',
      width: '130px',
      cell: alert => <Status state={stateOf(alert)}>{t(`levels.${alert.level}`)}</Status>,
    },
    {
      key: 'what',
      label: t('columns.what'),
      fixed: true,
      wrap: true,
      phone: 'title',
      cell: alert => (
        <span className="row">
          <span className={alert.read ? 'soft' : 'strong'}>{words(alert)}</span>
          {!alert.read && <Badge tone="bad">{t('unreadOne')}</Badge>}
        </span>
      ),
    },
    {
      key: 'device',
      label: t('columns.device'),
      until: 1180,
      cell: alert =>
        alert.device && (
          <ScreenLink needs="devices" href={`/network/${networkId}/devices/detail?id=${alert.device.id}`}>
            {alert.device.name}
          </ScreenLink>
        ),
    },
    {
      key: 'state',
      label: t('columns.state'),
      phone: 'extra',
      cell: alert =>
        alert.recoveredAt !== null && (
          <Status state="confirmed" age={<Age at={alert.recoveredAt} />}>
            {t('recovered')}
          </Status>
        ),
    },
    { key: 'at', label: t('columns.at'), numeric: true, phone: 'key', cell: alert => <Age at={alert.at} /> },
  ]
}
