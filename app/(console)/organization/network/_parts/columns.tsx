import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Moment } from '@/app/_ui/clock'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { Link } from '@/app/_ui/link'
import { Badge } from '@/app/_ui/status'
import type { Network } from './rows'

/** The networks' columns; the last one holds a row's menu. */
export function useColumns(actions: (network: Network) => ReactNode): Column<Network>[] {
  const t = useTranslations('networks')
  const countries = new Intl.DisplayNames([useLocale()], { type: 'region' })
  return [
    {
      key: 'networkName',
      label: t('columns.name'),
      sort: true,
      fixed: true,
      phone: 'title',
      cell: network => (
        <span className="row wrapping">
          <Link className="name" href={`/network/${network.id}/dashboard`}>
            {network.networkName}
          </Link>
          {network.isDefault && <Badge tone="accent">{t('default')}</Badge>}
          {network.shareStatus === 1 && <Badge>{t('share.out', { companies: network.companies.join(', ') })}</Badge>}
          {network.shareStatus === 2 && (
            <Badge tone="accent">{t(`share.in.${network.access}`, { company: network.companies[0] ?? '' })}</Badge>
          )}
          {network.transfer && <Badge>{t('share.offered', { companies: network.companies.join(', ') })}</Badge>}
        </span>
      ),
    },
    {
      key: 'devices',
      label: t('columns.devices'),
      sort: true,
      phone: 'state',
      cell: ({ devices, devicesOnline }) => (
        <span className={devices === 0 ? 'muted' : 'number'}>
          {devices === 0 ? t('noDevices') : t('devicesOf', { online: devicesOnline, all: devices })}
        </span>
      ),
    },
    {
      key: 'country',
      label: t('columns.country'),
      sort: true,
      phone: 'extra',
      cell: ({ country }) => <span className="soft">{countries.of(country) ?? country}</span>,
    },
    {
      key: 'timezone',
      label: t('columns.timezone'),
      until: 1180,
      cell: ({ timezone }) => <span className="soft">{timezone.replaceAll('_', ' ')}</span>,
    },
    {
      key: 'tags',
      label: t('columns.tags'),
      cell: ({ tags }) => (
        <span className="row">
          {tags.map(tag => (
            <span className="tag" key={tag.tagId} style={{ paddingInline: 8 }}>
              {tag.tagName}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'createdAt',
      label: t('columns.created'),
      sort: true,
      until: 1320,
      off: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    actionsColumn(t('columns.actions'), actions),
  ]
}
