'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { Button, IconButton, LinkButton } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { Menu } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import { useColumns } from './columns'
import { CloneDialog, DeleteDialog, ExportDialog, ImportDialog } from './dialogs'
import { GlobalSsidDialog } from './global-ssid'
import { ImportDevicesDialog } from './import-devices'
import { useRowActions } from './row-actions'
import type { Asking } from './rows'
import { GiveBackDialog, HandOverDialog, ShareDialog } from './share-dialogs'

const form = '/organization/overview/form'

/** Every network of the organization: open, edit, order, make default, clone, carry as a file, delete. */
export function NetworksPage() {
  const t = useTranslations('networks')
  const router = useRouter()
  const [asking, setAsking] = useState<Asking>()
  const mayEdit = useMay('organization_network_add')
  const mayAdopt = useMay('devices_edit')
  const table = useTable()
  const tag = Number(table.state.filters.tag)
  const call = useCall('networks/list', { ...table.input, ...(tag > 0 && { tags: [tag] }) }, { live: true })
  const actionsOf = useRowActions(setAsking)
  const columns = useColumns(network => (
    <Menu
      groups={actionsOf(network)}
      trigger={<IconButton small kind="ghost" icon="more" label={t('actions', { name: network.networkName })} />}
    />
  ))
  return (
    <>
      <PageHead title={t('title')} sub={call.data && t('sub', { count: call.data.total })}>
        {mayAdopt && (
          <Button icon="devices" onClick={() => setAsking({ what: 'importDevices' })}>
            {t('importDevices')}
          </Button>
        )}
        {mayEdit && (
          <>
            <Button icon="upload" onClick={() => setAsking({ what: 'import' })}>
              {t('importFile')}
            </Button>
            <LinkButton kind="primary" icon="plus" href={form}>
              {t('create')}
            </LinkButton>
          </>
        )}
      </PageHead>
      <DataTable
        id="networks"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={network => String(network.id)}
        open={network => router.push(`/network/${network.id}/dashboard`)}
        searchLabel={t('search')}
        tools={
          <TagFilter value={table.state.filters.tag} onChange={value => table.change({ filters: { tag: value } })} />
        }
        empty={
          <EmptyState icon="networks" title={mayEdit ? t('empty') : t('noneGiven')}>
            {mayEdit ? <LinkButton href={form}>{t('emptyAction')}</LinkButton> : t('noneGivenMore')}
          </EmptyState>
        }
      />
      <Dialogs asking={asking} onClose={() => setAsking(undefined)} />
    </>
  )
}

function Dialogs({ asking, onClose }: { asking: Asking; onClose: () => void }) {
  if (asking?.what === 'delete') return <DeleteDialog network={asking.network} onClose={onClose} />
  if (asking?.what === 'clone') return <CloneDialog network={asking.network} onClose={onClose} />
  if (asking?.what === 'share') return <ShareDialog network={asking.network} onClose={onClose} />
  if (asking?.what === 'handOver') return <HandOverDialog network={asking.network} onClose={onClose} />
  if (asking?.what === 'giveBack') return <GiveBackDialog network={asking.network} onClose={onClose} />
  if (asking?.what === 'export') return <ExportDialog network={asking.network} onClose={onClose} />
  if (asking?.what === 'globalSsid') return <GlobalSsidDialog network={asking.network} onClose={onClose} />
  if (asking?.what === 'importDevices') return <ImportDevicesDialog onClose={onClose} />
  return asking && <ImportDialog onClose={onClose} />
}

function TagFilter({ value, onChange }: { value: string | undefined; onChange: (value: string) => void }) {
  const t = useTranslations('networks')
  const tags = useCall('networks/tags/list', {})
  const chosen = tags.data?.result.find(tag => String(tag.tagId) === value)
  if (!tags.data?.result.length) return null
  return (
    <Menu
      align="start"
      trigger={<Button>{chosen?.tagName ?? t('tags')}</Button>}
      groups={[
        { actions: [{ label: t('anyTag'), checked: !chosen, onSelect: () => onChange('') }] },
        {
          actions: tags.data.result.map(tag => ({
            label: tag.tagName,
            checked: tag === chosen,
            onSelect: () => onChange(String(tag.tagId)),
          })),
        },
      ]}
    />
  )
}
