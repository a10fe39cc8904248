import { useTranslations } from 'next-intl'
import { Moment } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Link } from '@/app/_ui/link'
import type { Group } from './rows'
import { Left, secondsOf, useLasting, useTerms } from './words'

export function useColumns(place: string): Column<Group>[] {
  const t = useTranslations('vouchers')
  const lasting = useLasting()
  const terms = useTerms()
  const label = (key: string) => t(`columns.${key as 'name'}`)
  return [
    {
      key: 'name',
      sort: true,
      label: label('name'),
      fixed: true,
      phone: 'title',
      cell: group => (
        <Link className="name" href={`${place}/detail?id=${group.id}`}>
          {group.name}
        </Link>
      ),
    },
    { key: 'left', label: label('left'), phone: 'key', cell: group => <Left counts={group.counts} /> },
    {
      key: 'lasting',
      sort: true,
      label: label('lasting'),
      phone: 'extra',
      cell: group => <span className="number">{lasting(secondsOf(group))}</span>,
    },
    {
      key: 'validityDays',
      sort: true,
      label: label('validityDays'),
      until: 1180,
      cell: group => t('validityDays', { count: group.validityDays }),
    },
    { key: 'maxDevices', sort: true, label: label('maxDevices'), cell: group => terms(group).devices },
    { key: 'data', label: label('data'), until: 1320, cell: group => terms(group).data },
    { key: 'rates', label: label('rates'), until: 1320, cell: group => terms(group).rates },
    { key: 'notes', label: label('notes'), off: true, wrap: true, cell: group => group.notes },
    { key: 'createdBy', label: label('createdBy'), off: true, cell: group => group.createdBy },
    {
      key: 'createdAt',
      sort: true,
      label: label('createdAt'),
      until: 1180,
      cell: group => <Moment at={group.createdAt} />,
    },
  ]
}
