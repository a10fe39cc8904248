'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { download } from '@/app/_api/download'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import type { KindSpec } from '@/app/_form/spec'
import { Button } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { Menu } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import './changelog.css'
import { useColumns } from './columns'
import { EntryDialog } from './entry-dialog'
import { Filters, useFilter } from './filters'
import type { Entry, Specs } from './rows'
import { SyslogDialog } from './syslog-dialog'

/** Who changed what, newest first; each entry with its values before and after, and its way back. */
type Props = { specs: Specs; mayRevert: boolean; mayManage: boolean }

export function ChangelogPage({ specs, mayRevert, mayManage }: Props) {
  const t = useTranslations('changelog')
  const table = useTable()
  const [open, setOpen] = useState<Entry>()
  const [asking, setAsking] = useState(false)
  const { input } = table
  const mayExport = useMay('exports')
  const filter = useFilter(table)
  const call = useCall('changelog/list', { ...input, filter }, { live: true })
  const columns = useColumns(setOpen)
  const give = (format: string) => {
    const { search } = input
    const wanted = Object.entries({ format, search, ...filter }).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(wanted.map(([key, value]) => [key, String(value)]))
    void download(`/app/exports/log?${query}`)
  }
  return (
    <>
      <PageHead title={t('title')}>
        {mayManage && (
          <Button icon="manager" onClick={() => setAsking(true)}>
            {t('syslog.title')}
          </Button>
        )}
        {mayExport && (
          <Menu
            trigger={
              <Button icon="download" disabled={!call.data?.total}>
                {t('export')}
              </Button>
            }
            groups={[
              {
                actions: [
                  { label: t('exportCsv'), onSelect: () => give('csv') },
                  { label: t('exportJson'), onSelect: () => give('json') },
                ],
              },
            ]}
          />
        )}
      </PageHead>
      <DataTable
        id="changelog"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={entry => String(entry.id)}
        open={setOpen}
        searchLabel={t('search')}
        tools={<Filters table={table} />}
        empty={<EmptyState icon="history" title={t('empty')} />}
      />
      {asking && <SyslogDialog spec={specs.syslog as KindSpec<'syslog'>} onClose={() => setAsking(false)} />}
      {open && <EntryDialog entry={open} specs={specs} mayRevert={mayRevert} onClose={() => setOpen(undefined)} />}
    </>
  )
}
