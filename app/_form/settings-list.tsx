'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useMemo, useState } from 'react'
import { callApi, whenRenewed } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { type Reach, ReachLine, useLeftOut } from '@/app/_shared/left-out'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button, LinkButton } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { DownloadButton } from '@/app/_ui/download-button'
import { Link } from '@/app/_ui/link'
import { EmptyState } from '@/app/_ui/states'
import { Badge, Status } from '@/app/_ui/status'
import { useTable } from '@/app/_ui/use-table'
import type { Assign } from '@/model/assign'
import { type Data, referredIds } from '@/model/kind'
import type { ListKindId } from '@/model/registry'
import { assignText } from './changes-aside'
import { ReadOnlyMark } from './form-parts'
import { NextChange, timesOf } from './next-change'
import { ReferenceName, ReferenceNames } from './references'
import { SettingsHead, type SettingsPage } from './settings-tabs'
import type { FormSpec } from './spec'
import { useWords, type Words } from './use-words'

export type SettingsRow = Data & { id: string; assign?: Assign; damaged?: object }
type Row = SettingsRow
export type SettingsListProps = {
  spec: FormSpec<ListKindId>
  networkId: number
  mayEdit: boolean
  page: SettingsPage
  /** Columns beside those that the kind declares; one of the same key takes its place. */
  more?: readonly Column<SettingsRow>[]
  /** Between the page's head and the list. */
  above?: ReactNode
}

type Cells = {
  spec: FormSpec
  words: Words
  href: (row: Row) => string
  damaged: string
  left: ReadonlyMap<string, Reach>
}

function cellOf({ spec, words, href, damaged, left }: Cells, key: string) {
  const field = spec.fields[key]
  if (!field) return () => null
  if (key === spec.title)
    return (row: Row) => (
      <span className="grid py-1.5">
        <span className="row">
          <Link className="medium truncated" href={href(row)}>
            {String(row[key] ?? '')}
          </Link>
          {row.damaged && <Badge tone="bad">{damaged}</Badge>}
        </span>
        <Reached reach={left.get(row.id)} />
      </span>
    )
  if (key === 'enabled')
    return (row: Row) => {
      const fine = left.get(row.id)?.on === 0 ? 'warning' : 'fine'
      return <Status state={row[key] ? fine : 'offline'}>{words.shown(field, row[key] === true)}</Status>
    }
  if (field.widget === 'ref' && field.kind) {
    const { kind } = field
    return (row: Row) => row[key] !== undefined && <ReferenceName kind={kind} id={String(row[key])} />
  }
  if (field.widget === 'weekSlots')
    return (row: Row) => (
      <span className="grid py-1.5 max-[720px]:whitespace-normal">
        <span>{words.shown(field, row[key]) || words.maybe(`fields.${key}.empty`)}</span>
        {!row.damaged && <NextChange times={timesOf(row)} />}
      </span>
    )
  if (field.widget === 'refs' && field.kind) {
    const { kind } = field
    return (row: Row) => <ReferenceNames kind={kind} ids={referredIds(row[key])} />
  }
  // Off, none and any are an empty cell: what is set stands out.
  if (field.widget === 'switch') return (row: Row) => row[key] === true && words.shown(field, true)
  return (row: Row) => words.shown(field, row[key])
}

const Reached = ({ reach }: { reach: Reach | undefined }) => reach && <ReachLine reach={reach} />

function useColumns({ spec, words, href }: Pick<Cells, 'spec' | 'words' | 'href'>): Column<Row>[] {
  const t = useTranslations('form')
  const left = useLeftOut(spec.id)
  return useMemo(() => {
    const cells = { spec, words, href, left, damaged: t('damaged') }
    const own = spec.columns.map((key, at): Column<Row> => {
      const number = spec.fields[key]?.widget === 'number'
      return {
        key,
        label: words.label(key),
        cell: cellOf(cells, key),
        sort: !spec.ordered,
        numeric: number,
        fixed: key === spec.title || key === 'enabled',
        ...(key === spec.title && { phone: 'title' as const }),
        ...(key === 'enabled' && { phone: 'state' as const }),
        ...(at === 2 && { phone: 'key' as const }),
        // Such a kind is never on or off as a whole.
        ...(at === 1 && key !== spec.title && !spec.assigned && { phone: 'state' as const }),
        ...(at > 4 && { until: 1180 as const }),
      }
    })
    if (!spec.assigned) return own
    const assigned: Column<Row> = {
      key: 'assign',
      label: words.word('assign'),
      cell: row => row.assign && assignText({ values: { fields: {}, assign: row.assign } }, t),
      phone: 'extra',
    }
    return [...own, assigned]
  }, [spec, words, href, left, t])
}

/** Further columns: in the place of the one that they replace, figures beside the name, the others at the end. */
function withMore(own: Column<Row>[], more: readonly Column<Row>[] = []): Column<Row>[] {
  const kept = own.map(column => more.find(one => one.key === column.key) ?? column)
  const added = more.filter(one => !own.some(({ key }) => key === one.key))
  const [first, last] = [added.filter(one => one.numeric), added.filter(one => !one.numeric)]
  return [...kept.filter(one => one.fixed), ...first, ...kept.filter(one => !one.fixed), ...last]
}

/** Kinds whose list is given out as a file, and by which call. */
const exports: Partial<Record<ListKindId, string>> = {
  ppsk: 'exports/ppsk',
  radiusUser: 'exports/radius-users',
}

/** The list of any kind. */
export function SettingsList({ spec, networkId, mayEdit, page, more, above }: SettingsListProps) {
  const t = useTranslations('form')
  const words = useWords(spec)
  const router = useRouter()
  const table = useTable()
  const call = useNetworkCall(`settings/${spec.id}/list`, table.input, { live: true })
  const [chosen, setChosen] = useState<string[]>([])
  const form = `/network/${networkId}/${spec.paths.form}`
  const href = useMemo(() => (row: Row) => `${form}?id=${row.id}`, [form])
  const own = useColumns({ spec, words, href })
  const columns = useMemo(() => withMore(own, more), [own, more])
  const total = call.data?.total ?? 0
  const order = useSorting(spec, total)
  const exported = exports[spec.id]
  const mayExport = useMay('exports')
  const full = !table.filtered && total >= spec.max
  // Where there is nothing yet, the list itself offers to add the first.
  const nothing = call.data?.total === 0 && !table.filtered
  const add = mayEdit && !full && (
    <LinkButton kind="primary" icon="plus" href={form}>
      {words.word('add')}
    </LinkButton>
  )
  return (
    <>
      <SettingsHead
        {...{ ...page, networkId }}
        active={spec.id}
        sub={full ? words.word('full', { max: spec.max }) : undefined}
      >
        {exported && mayExport && (
          <DownloadButton
            address={`/app/${exported}?${new URLSearchParams({ networkId: String(networkId), search: table.state.search })}`}
          >
            {t('export')}
          </DownloadButton>
        )}
        {mayEdit ? !nothing && add : <ReadOnlyMark />}
      </SettingsHead>
      {above}
      <DataTable
        id={`settings.${spec.id}`}
        label={words.word('title')}
        columns={columns}
        table={table}
        call={call as unknown as Parameters<typeof DataTable<Row>>[0]['call']}
        rowKey={row => row.id}
        open={row => router.push(href(row))}
        searchLabel={words.word('search')}
        {...(spec.ordered && mayEdit && !table.filtered && { onOrder: order })}
        {...(mayEdit && { selection: chosen, onSelection: setChosen })}
        empty={
          <EmptyState icon="settings" title={words.word('empty')}>
            {add}
          </EmptyState>
        }
      />
      <DeleteChosen {...{ spec, chosen }} onDone={() => setChosen([])} label={t('actions')} />
    </>
  )
}

/** All of them in a new order: the rows of a page take each other's places. */
async function reordered(spec: FormSpec<ListKindId>, keys: readonly string[]): Promise<string[]> {
  const { result } = await callApi(`settings/${spec.id}/options`, withNetwork({}))
  const next = keys.values()
  return result.map(({ id }) => (keys.includes(id) ? (next.next().value as string) : id))
}

/** Saves the order of the rows on a page. Where they are all there are nothing is asked first: the page may be left at once. */
function useSorting(spec: FormSpec<ListKindId>, total: number) {
  return async (keys: string[]) => {
    const ids = keys.length === total ? keys : await reordered(spec, keys)
    await callApi(`settings/${spec.id}/sort`, withNetwork({ ids }), { done: 'moved' })
    await whenRenewed()
  }
}

type DeleteProps = { spec: FormSpec<ListKindId>; chosen: string[]; onDone: () => void; label: string }

function DeleteChosen({ spec, chosen, onDone, label }: DeleteProps) {
  const t = useTranslations('form')
  const [open, setOpen] = useState(false)
  const remove = async () => {
    await callApi(`settings/${spec.id}/delete`, withNetwork({ ids: chosen }), { done: 'deleted' })
    await whenRenewed()
    onDone()
  }
  return (
    <BulkBar count={chosen.length} onClear={onDone} label={label}>
      <Button icon="trash" onClick={() => setOpen(true)}>
        {t('delete')}
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('deleteMany', { count: chosen.length })}
        consequences={[t(spec.managers ? 'deleteHere' : 'deleteText')]}
        action={t('delete')}
        danger
        onConfirm={remove}
      />
    </BulkBar>
  )
}
