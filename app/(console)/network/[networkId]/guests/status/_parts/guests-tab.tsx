import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { download } from '@/app/_api/download'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button, LinkButton } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { type Table, useTable } from '@/app/_ui/use-table'
import { BlockDialog } from './block-dialog'
import { useColumns } from './columns'
import { ForgetDialog, RemoveDialog } from './dialogs'
import { ExtendDialog } from './extend-dialog'
import { MethodFilter, StateChips } from './filters'
import { filterOf, type Guest, isIn } from './rows'
import './guests.css'

const exportPath = (networkId: string, { state: { search, filters } }: Table) =>
  `/app/exports/guests?${new URLSearchParams({
    networkId,
    ...(search && { search }),
    ...Object.fromEntries(Object.entries(filterOf(filters)).map(([key, value]) => [key, String(value)])),
  })}`

/** Who is in, by what and for how long, who was and who was refused; whoever is in can be given more time, or removed. */
export function GuestsTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations('guests')
  const { networkId } = useParams<{ networkId: string }>()
  const table = useTable()
  const [selection, setSelection] = useState<string[]>([])
  const input = { ...table.input, filter: filterOf(table.state.filters) }
  const call = useNetworkCall('guests/list', input, { live: true })
  const mayRemove = useMay('guests_remove')
  const mayExport = useMay('exports')
  const columns = useColumns()
  const chosen = call.data?.result.filter(guest => selection.includes(String(guest.id))) ?? []
  return (
    <>
      <PageHead title={t('title')} sub={call.data && t('now', { count: call.data.counts.in })}>
        {mayExport && (
          <Button icon="download" onClick={() => void download(exportPath(networkId, table))}>
            {t('export')}
          </Button>
        )}
      </PageHead>
      <Tabs tabs={tabs} active="guests" label={t('title')} />
      <StateChips table={table} counts={call.data?.counts} />
      <DataTable
        id="guests"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={guest => String(guest.id)}
        {...(mayRemove && { selection, onSelection: setSelection })}
        searchLabel={t('search')}
        tools={<MethodFilter table={table} />}
        empty={<NoGuests networkId={networkId} />}
      />
      <Chosen guests={chosen} onClear={() => setSelection([])} />
    </>
  )
}

/** What makes a network one of guests, for whoever has none. */
function NoGuests({ networkId }: { networkId: string }) {
  const t = useTranslations('guests')
  const maySet = useMay('settings_lan_edit')
  return (
    <EmptyState icon="guests" title={t('empty.title')}>
      <span>{t('empty.help')}</span>
      {maySet && <LinkButton href={`/network/${networkId}/settings/lan`}>{t('empty.lan')}</LinkButton>}
    </EmptyState>
  )
}

const asking = { remove: RemoveDialog, forget: ForgetDialog, extend: ExtendDialog, block: BlockDialog }
type Asked = { what: keyof typeof asking; guests: readonly Guest[] }

/** What can be done with the chosen rows, and the question before it. */
function Chosen({ guests, onClear }: { guests: readonly Guest[]; onClear: () => void }) {
  const t = useTranslations('guests')
  // As chosen then: who leaves meanwhile is still asked about.
  const [asked, setAsked] = useState<Asked>()
  const inside = guests.filter(isIn)
  const close = (changed: boolean) => {
    setAsked(undefined)
    if (changed) onClear()
  }
  const Dialog = asked && asking[asked.what]
  return (
    <>
      <BulkBar count={guests.length} label={t('title')} onClear={onClear}>
        {inside.length > 0 && (
          <>
            <Button icon="clock" onClick={() => setAsked({ what: 'extend', guests: inside })}>
              {t('extend.action')}
            </Button>
            <Button icon="power" onClick={() => setAsked({ what: 'remove', guests: inside })}>
              {t('remove')}
            </Button>
          </>
        )}
        <Button icon="block" onClick={() => setAsked({ what: 'block', guests })}>
          {t('block.action')}
        </Button>
        <Button icon="trash" onClick={() => setAsked({ what: 'forget', guests })}>
          {t('forget')}
        </Button>
      </BulkBar>
      {Dialog && asked && <Dialog guests={asked.guests} onClose={close} />}
    </>
  )
}
