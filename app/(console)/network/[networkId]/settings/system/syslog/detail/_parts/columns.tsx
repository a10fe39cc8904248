import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { Button } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Link } from '@/app/_ui/link'
import { Status } from '@/app/_ui/status'
import { type Capture, linesOf, type Severity } from './rows'

export function useColumns(onStop: (row: Capture) => void): Column<Capture>[] {
  const t = useTranslations('logs.captures')
  const severity = useTranslations('logs.severities')
  const { networkId } = useParams<{ networkId: string }>()
  const mayRead = useMay('logs')
  const mayStop = useMay('settings_system_edit')
  return [
    {
      key: 'device',
      label: t('columns.device'),
      sort: true,
      fixed: true,
      phone: 'title',
      cell: row => <bdi className="medium">{row.device?.name ?? t('allDevices')}</bdi>,
    },
    {
      key: 'state',
      label: t('columns.state'),
      fixed: true,
      phone: 'state',
      cell: ({ until, endedAt }) =>
        endedAt === null ? (
          <Status state="online">
            {t('runs')} <Moment at={until} />
          </Status>
        ) : (
          <Status state="note">
            {t('ended')} <Moment at={endedAt} />
          </Status>
        ),
    },
    {
      key: 'severity',
      label: t('columns.severity'),
      sort: true,
      phone: 'extra',
      cell: row => severity(String(row.severity) as Severity),
    },
    {
      key: 'lines',
      label: t('columns.lines'),
      sort: true,
      numeric: true,
      phone: 'key',
      cell: row =>
        mayRead ? (
          <Link href={`/network/${networkId}/${linesOf(row)}`}>{t('lines', { count: row.lines })}</Link>
        ) : (
          t('lines', { count: row.lines })
        ),
    },
    { key: 'startedAt', label: t('columns.startedAt'), sort: true, cell: row => <Moment at={row.startedAt} /> },
    { key: 'startedBy', label: t('columns.startedBy'), until: 1180, cell: row => <bdi>{row.startedBy}</bdi> },
    ...(mayStop
      ? [
          {
            key: 'actions',
            label: t('columns.actions'),
            phone: 'extra' as const,
            numeric: true,
            width: '90px',
            cell: (row: Capture) =>
              row.endedAt === null && (
                <Button small onClick={() => onStop(row)}>
                  {t('stop.action')}
                </Button>
              ),
          },
        ]
      : []),
  ]
}
