import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Age } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Link } from '@/app/_ui/link'
import { Status } from '@/app/_ui/status'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { type Alert, stateOf, useAlertWords } from './alert-words'

/** What happened, as the way to all that is known of it. What nobody read yet is told by its weight, and to those who do not see it. */
function What({ alert, children }: { alert: Alert; children: string }) {
  const t = useTranslations('alerts')
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <>
      <Link
        href={`/network/${networkId}/alerts/detail?id=${alert.id}`}
        className={`name ${alert.read ? 'soft' : 'strong'}`}
      >
        {children}
      </Link>
      {!alert.read && <span className="visually-hidden">, {t('unreadOne')}</span>}
    </>
  )
}

export function useColumns(): Column<Alert>[] {
  const t = useTranslations('alerts')
  const words = useAlertWords()
  const { networkId } = useParams<{ networkId: string }>()
  return [
    {
      key: 'level',
      sort: true,
      label: t('columns.level'),
      fixed: true,
      phone: 'state',
      width: '130px',
      cell: alert => <Status state={stateOf(alert)}>{t(`levels.${alert.level}`)}</Status>,
    },
    {
      key: 'what',
      sort: true,
      label: t('columns.what'),
      fixed: true,
      wrap: true,
      phone: 'title',
      cell: alert => <What alert={alert}>{words(alert)}</What>,
    },
    {
      key: 'device',
      sort: true,
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
      sort: true,
      label: t('columns.state'),
      phone: 'extra',
      cell: alert =>
        alert.recoveredAt !== null ? (
          <Status state="confirmed" age={<Age at={alert.recoveredAt} />}>
            {t('recovered')}
          </Status>
        ) : (
          <>
            {alert.acknowledgedAt !== null && (
              <Status state="note" age={<Age at={alert.acknowledgedAt} />}>
                {t('acknowledged')}
              </Status>
            )}
            {alert.maintenance !== null && <Status state="note">{t('duringMaintenance')}</Status>}
          </>
        ),
    },
    {
      key: 'at',
      sort: true,
      label: t('columns.at'),
      numeric: true,
      phone: 'key',
      cell: alert => <Age at={alert.at} />,
    },
  ]
}
