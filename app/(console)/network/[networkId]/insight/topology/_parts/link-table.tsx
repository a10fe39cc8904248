'use client'
import { useTranslations } from 'next-intl'
import { Age } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { fold } from '@/app/_ui/listbox'
import { EmptyState } from '@/app/_ui/states'
import type { Table } from '@/app/_ui/use-table'
import { Maybe, Speed } from '@/app/_ui/value'
import { LinkSample } from './legend'
import { type Chosen, carries, type LinkEnd, type NamedLink, readAt, speedOf, vlansOf } from './wiring'

type Props = {
  links: readonly NamedLink[]
  nameOf: (id: string) => string
  table: Table
  vlan: number | undefined
  onChoose: (chosen: Chosen) => void
}

const byWord = new Intl.Collator('en', { numeric: true }).compare
const certainties = ['certain', 'manual', 'derived', 'inferred', 'somewhere'] as const

/** Every link as a row: what the drawing shows, for phones, for who reads with the ear, and to sort. */
export function LinkTable({ links, nameOf, table, vlan, onChoose }: Props) {
  const t = useTranslations('topology')
  const columns = useColumns(nameOf, onChoose)
  const word = ({ node, port }: LinkEnd) => `${nameOf(node)} ${port ?? ''}`
  const sorts: Record<string, (a: NamedLink, b: NamedLink) => number> = {
    upper: (a, b) => byWord(word(a.upper), word(b.upper)),
    lower: (a, b) => byWord(word(a.lower), word(b.lower)),
    // What is not known comes last either way.
    speed: (a, b) => (speedOf(a) ?? 0) - (speedOf(b) ?? 0),
    certainty: (a, b) => certainties.indexOf(a.certainty) - certainties.indexOf(b.certainty),
    read: (a, b) => (readAt(a) ?? 0) - (readAt(b) ?? 0),
  }
  const { search, sort, page, pageSize } = table.state
  const words = fold(search).split(/\s+/).filter(Boolean)
  const found = links.filter(link => {
    const text = fold(`${word(link.upper)} ${word(link.lower)} ${link.ssid ?? ''}`)
    return words.every(one => text.includes(one)) && (vlan === undefined || carries(link, vlan))
  })
  const compare = sorts[sort?.field ?? 'upper'] ?? byUpper
  const sorted = found.toSorted((a, b) => (sort?.direction === 'desc' ? compare(b, a) : compare(a, b)))
  const result = sorted.slice((page - 1) * pageSize, page * pageSize)
  return (
    <DataTable
      id="topology"
      label={t('list.label')}
      columns={columns}
      table={{ ...table, filtered: search !== '' || vlan !== undefined }}
      call={{ data: { result, total: found.length }, error: undefined, mutate: () => undefined }}
      rowKey={one => one.key}
      open={one => onChoose({ link: one.key })}
      searchLabel={t('list.search')}
      empty={<EmptyState icon="share" title={t('noLinks')} />}
    />
  )
}

const byUpper = () => 0

function useColumns(nameOf: Props['nameOf'], onChoose: Props['onChoose']): Column<NamedLink>[] {
  const t = useTranslations('topology')
  const end = ({ node, port }: LinkEnd) => (
    <>
      {nameOf(node)} {port !== undefined && <span className="muted">{t('side.port', { port })}</span>}
    </>
  )
  return [
    {
      ...{ key: 'upper', label: t('list.upper'), sort: true, fixed: true, phone: 'title' },
      cell: link => (
        <button type="button" className="topo-open name" onClick={() => onChoose({ link: link.key })}>
          {end(link.upper)}
        </button>
      ),
    },
    { key: 'lower', label: t('list.lower'), sort: true, fixed: true, phone: 'state', cell: link => end(link.lower) },
    {
      ...{ key: 'certainty', label: t('legend.certainty'), sort: true, phone: 'extra' },
      cell: ({ certainty, extra }) => (
        <span className="row">
          <LinkSample certainty={certainty} extra={extra} />
          {t(`certainty.${certainty}.name`)}
          {extra && <span className="muted">{t('extra.name')}</span>}
        </span>
      ),
    },
    {
      ...{ key: 'speed', label: t('legend.speed'), sort: true, numeric: true, phone: 'key' },
      cell: link => <Maybe value={speedOf(link)}>{speed => <Speed value={speed} />}</Maybe>,
    },
    {
      ...{ key: 'vlans', label: t('link.vlans'), until: 1180 },
      cell: link => <Maybe value={vlansOf(link)?.join(', ')}>{list => list || t('link.noVlans')}</Maybe>,
    },
    {
      ...{ key: 'read', label: t('list.read'), sort: true, numeric: true },
      cell: link => {
        const at = readAt(link)
        return at === undefined ? null : <Age at={at} />
      },
    },
  ]
}
