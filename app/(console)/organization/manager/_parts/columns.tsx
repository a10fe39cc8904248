import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Age, Moment } from '@/app/_ui/clock'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { Badge, Status } from '@/app/_ui/status'
import { Bytes } from '@/app/_ui/value'
import type { Backup } from './rows'

/** The backups' columns; the last one holds a row's menu. */
export function useColumns(actions: (backup: Backup) => ReactNode): Column<Backup>[] {
  const t = useTranslations('backups')
  return [
    {
      key: 'state',
      label: t('columns.state'),
      fixed: true,
      phone: 'state',
      cell: ({ provenAt }) =>
        provenAt === undefined ? (
          <Status state="unknown">{t('unproven')}</Status>
        ) : (
          <Status state="confirmed" age={<Age at={provenAt} />}>
            {t('proven')}
          </Status>
        ),
    },
    {
      key: 'name',
      label: t('columns.name'),
      fixed: true,
      phone: 'title',
      // Names begin alike and end beyond a phone's edge: there it is the time.
      cell: ({ name, createdAt, automatic, passphrase, origin }) => (
        <span className="row wrapping">
          <bdi className="name no-phone">{name}</bdi>
          <b className="name only-phone">
            <Moment at={createdAt} />
          </b>
          {automatic && <Badge>{t('automatic')}</Badge>}
          {!passphrase && <Badge tone="warn">{t('thisMachineOnly')}</Badge>}
          {origin !== 'here' && <Badge>{t(`origin.${origin}`)}</Badge>}
        </span>
      ),
    },
    {
      key: 'createdAt',
      label: t('columns.created'),
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    { key: 'size', label: t('columns.size'), numeric: true, cell: ({ size }) => <Bytes value={size} /> },
    {
      key: 'holds',
      label: t('columns.holds'),
      until: 1180,
      cell: ({ history, passphrase }) => (
        <span className="soft">
          {t(history ? 'history' : 'noHistory')}, {t(passphrase ? 'key' : 'noKey')}
        </span>
      ),
    },
    {
      key: 'version',
      label: t('columns.version'),
      until: 1320,
      cell: ({ version }) => <bdi className="number">{version}</bdi>,
    },
    actionsColumn(t('columns.actions'), actions),
  ]
}
