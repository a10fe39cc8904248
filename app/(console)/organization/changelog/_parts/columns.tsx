import { useTranslations } from 'next-intl'
import { useLogWords } from '@/app/_shared/log-words'
import { useClock } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import type { Entry } from './rows'

const mostFields = 4

export function useColumns(open: (entry: Entry) => void): Column<Entry>[] {
  const t = useTranslations('changelog')
  const words = useLogWords()
  const clock = useClock()
  return [
    {
      key: 'what',
      sort: true,
      label: t('columns.what'),
      fixed: true,
      wrap: true,
      width: '32%',
      phone: 'title',
      cell: entry => (
        <button type="button" className="link log-open" onClick={() => open(entry)}>
          {words.action(entry.action)}: {words.object(entry.object)} <bdi>{entry.name}</bdi>
        </button>
      ),
    },
    {
      key: 'fields',
      label: t('columns.fields'),
      until: 1180,
      wrap: true,
      // Why something ended as it did is told at once; of a change the names of its fields.
      cell: entry => (
        <span className="soft">
          {entry.fields.reason?.[1] ? <bdi>{String(entry.fields.reason[1])}</bdi> : words.fieldNames(entry, mostFields)}
        </span>
      ),
    },
    { key: 'who', sort: true, label: t('columns.who'), phone: 'extra', cell: entry => <bdi>{words.who(entry)}</bdi> },
    {
      key: 'address',
      sort: true,
      label: t('columns.address'),
      until: 1320,
      cell: entry => <bdi className="soft">{entry.account ? entry.address : ''}</bdi>,
    },
    {
      key: 'network',
      sort: true,
      label: t('columns.network'),
      until: 1180,
      cell: entry => entry.network && (entry.network.name ?? t('goneNetwork', { id: entry.network.id })),
    },
    {
      key: 'at',
      sort: true,
      label: t('columns.at'),
      numeric: true,
      phone: 'key',
      cell: entry => clock.dateTime(entry.at, true),
    },
  ]
}
