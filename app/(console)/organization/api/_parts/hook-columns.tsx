import { useTranslations } from 'next-intl'
import { wordOr } from '@/app/_i18n/word'
import { IconButton } from '@/app/_ui/button'
import { Age, Moment } from '@/app/_ui/clock'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { Link } from '@/app/_ui/link'
import { Menu, type MenuAction } from '@/app/_ui/menu'
import { type StateName, Status } from '@/app/_ui/status'
import type { Acts } from './hook-acts'
import type { Hook } from './hook-rows'

const looks: Record<Hook['state'], StateName> = { on: 'fine', off: 'offline', paused: 'failed' }

export const logOf = ({ id }: Pick<Hook, 'id'>) => `/organization/api?tab=webhooks&hook=${id}`

/** The webhooks' columns; the last one holds a row's menu. */
export function useColumns(acts: Acts): Column<Hook>[] {
  const t = useTranslations('webhooks')
  const label = (key: string) => t(`columns.${key as 'name'}`)
  return [
    {
      key: 'name',
      sort: true,
      label: label('name'),
      fixed: true,
      phone: 'title',
      cell: row => (
        <Link className="medium" href={logOf(row)}>
          {row.name}
        </Link>
      ),
    },
    {
      key: 'state',
      label: label('state'),
      phone: 'state',
      cell: row => <Status state={looks[row.state]}>{t(`states.${row.state}`)}</Status>,
    },
    {
      key: 'topics',
      label: label('topics'),
      phone: 'extra',
      cell: row => row.topics.map(topic => t(`topic.${topic}`)).join(', '),
    },
    { key: 'networks', label: label('networks'), until: 1180, cell: row => <Networks row={row} /> },
    {
      key: 'owner',
      sort: true,
      label: label('owner'),
      until: 1320,
      cell: row => <span className="soft">{row.owner}</span>,
    },
    {
      key: 'url',
      sort: true,
      label: label('url'),
      cell: row => (
        <span className="font-mono soft" dir="ltr" title={row.url}>
          {new URL(row.url).origin}
        </span>
      ),
    },
    { key: 'last', label: label('last'), cell: row => <Last row={row} /> },
    { key: 'createdAt', sort: true, label: label('createdAt'), off: true, cell: row => <Moment at={row.createdAt} /> },
    actionsColumn(label('actions'), row => <RowMenu row={row} acts={acts} />),
  ]
}

function Networks({ row }: { row: Hook }) {
  const t = useTranslations('webhooks')
  if (row.allNetworks) return <span className="soft">{t('allNetworks')}</span>
  if (row.networks.length === 0) return <span className="muted">{t('noNetwork')}</span>
  return <span>{row.networks.map(network => network.name).join(', ')}</span>
}

/** What was wrong, in words where there are some. */
export function useReason(): (error: string) => string {
  const t = useTranslations('webhooks.reasons')
  return error => wordOr(t, error)
}

function Last({ row: { last } }: { row: Hook }) {
  const t = useTranslations('webhooks')
  const reason = useReason()
  if (!last) return <span className="muted">{t('never')}</span>
  return (
    <span title={last.error ? reason(last.error) : undefined}>
      <span className={last.error ? 'bad' : undefined}>{t(last.error ? 'failed' : 'arrived')}</span>{' '}
      <Age at={last.at} />
    </span>
  )
}

/** Of somebody else's there is only its end. */
function RowMenu({ row, acts }: { row: Hook; acts: Acts }) {
  const t = useTranslations('webhooks')
  const isOn = row.state === 'on'
  const turn: MenuAction = {
    label: t(isOn ? 'turnOff' : 'turnOn'),
    icon: 'power',
    onSelect: () => acts.turn(row, !isOn),
  }
  const own: MenuAction[] = [
    { label: t('edit'), icon: 'edit', onSelect: () => acts.edit(row) },
    { label: t('test'), icon: 'right', onSelect: () => acts.test(row) },
    turn,
    { label: t('rotate'), icon: 'key', onSelect: () => acts.rotate(row) },
  ]
  const log: MenuAction = { label: t('log'), icon: 'history', href: logOf(row) }
  const end: MenuAction = { label: t('delete'), icon: 'trash', danger: true, onSelect: () => acts.remove(row) }
  return (
    <Menu
      trigger={<IconButton small kind="ghost" icon="more" label={`${t('more')}: ${row.name}`} />}
      groups={[{ actions: [log, ...(row.mine ? own : isOn ? [turn] : [])] }, { actions: [end] }]}
    />
  )
}
