import { useTranslations } from 'next-intl'
import { IconButton } from '@/app/_ui/button'
import { Age, Moment } from '@/app/_ui/clock'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { type StateName, Status } from '@/app/_ui/status'
import type { Key } from './key-rows'

const looks: Record<Key['state'], StateName> = { active: 'fine', expired: 'offline', off: 'failed' }

/** The keys' columns; the last one holds the way to delete one. */
export function useColumns(onDelete: (row: Key) => void): Column<Key>[] {
  const t = useTranslations('api.keys')
  const label = (key: string) => t(`columns.${key as 'name'}`)
  const never = <span className="muted">{t('never')}</span>
  return [
    {
      key: 'name',
      sort: true,
      label: label('name'),
      fixed: true,
      phone: 'title',
      cell: row => <b className="medium">{row.name}</b>,
    },
    {
      key: 'state',
      label: label('state'),
      phone: 'state',
      cell: row => <Status state={looks[row.state]}>{t(`states.${row.state}`)}</Status>,
    },
    { key: 'rights', label: label('rights'), phone: 'extra', cell: row => <Rights row={row} /> },
    { key: 'networks', label: label('networks'), cell: row => <Networks row={row} /> },
    { key: 'owner', sort: true, label: label('owner'), cell: row => <span className="soft">{row.owner}</span> },
    {
      key: 'prefix',
      sort: true,
      label: label('prefix'),
      until: 1320,
      cell: row => (
        <span className="font-mono soft" dir="ltr">
          {row.prefix}…
        </span>
      ),
    },
    {
      key: 'usedAt',
      sort: true,
      label: label('usedAt'),
      cell: row =>
        row.usedAt ? (
          <span>
            <Age at={row.usedAt} /> <span className="soft">{t('from', { address: row.usedFrom })}</span>
          </span>
        ) : (
          never
        ),
    },
    {
      key: 'expiresAt',
      sort: true,
      label: label('expiresAt'),
      until: 1180,
      cell: row => (row.expiresAt ? <Moment at={row.expiresAt} /> : never),
    },
    { key: 'createdAt', sort: true, label: label('createdAt'), off: true, cell: row => <Moment at={row.createdAt} /> },
    actionsColumn(label('actions'), row => (
      <IconButton small kind="ghost" icon="trash" label={`${t('delete')}: ${row.name}`} onClick={() => onDelete(row)} />
    )),
  ]
}

function Rights({ row }: { row: Key }) {
  const t = useTranslations('api.keys')
  const edits = row.authorities.filter(name => /_(edit|add|print)$/.test(name)).length
  const reads = row.authorities.length - edits
  if (reads === 0) return <span className="muted">{t('noRights')}</span>
  const words = [t('reads', { count: reads }), ...(edits ? [t('edits', { count: edits })] : [])]
  return <span title={row.authorities.join(', ')}>{words.join(', ')}</span>
}

function Networks({ row }: { row: Key }) {
  const t = useTranslations('api.keys')
  if (row.allNetworks) return <span className="soft">{t('allNetworks')}</span>
  if (row.networks.length === 0) return <span className="muted">{t('noNetwork')}</span>
  return <span>{row.networks.map(network => network.name).join(', ')}</span>
}
