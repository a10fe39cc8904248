'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { BlockDialog, UnblockDialog } from '@/app/_shared/clients/block'
import type { Client } from '@/app/_shared/clients/client'
import { useClientColumns } from '@/app/_shared/clients/columns'
import { DataTable } from '@/app/_ui/data-table'
import { DownloadButton } from '@/app/_ui/download-button'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'

/** No client, or none that is told of: what the page knows already, and keeps up to date. */
function useNobody(id: number): string {
  const t = useTranslations('devices.detail.clients')
  const { data } = useNetworkCall('devices/info', { id })
  if (!data || data.clients !== undefined) return t('empty')
  return data.clientsCounted ? t('none') : t('uncounted')
}

const exportPath = (networkId: string, device: number, search: string) =>
  `/app/exports/clients?${new URLSearchParams({ networkId, deviceId: String(device), ...(search && { search }) })}`

/** End devices that hang on this device. */
export function Clients({ id, mayBlock }: { id: number; mayBlock: boolean }) {
  const t = useTranslations('clients')
  const table = useTable()
  const call = useNetworkCall('clients/list', { ...table.input, deviceId: id }, { live: true })
  const [asked, setAsked] = useState<Client>()
  const columns = useClientColumns({ ...(mayBlock && { onBlock: setAsked }) })
  const nobody = useNobody(id)
  const { networkId } = useParams<{ networkId: string }>()
  const router = useRouter()
  const mayExport = useMay('exports')
  const close = () => setAsked(undefined)
  return (
    <>
      <DataTable
        id="device-clients"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={one => one.mac}
        open={one => router.push(`/network/${networkId}/clients/detail?id=${one.mac}`)}
        searchLabel={t('search')}
        {...(mayExport && {
          tools: (
            <DownloadButton small address={exportPath(networkId, id, table.state.search)}>
              {t('export')}
            </DownloadButton>
          ),
        })}
        empty={<EmptyState icon="clients" title={nobody} />}
      />
      {asked?.blocked && <UnblockDialog client={asked} onClose={close} />}
      {asked && !asked.blocked && <BlockDialog clients={[asked]} onClose={close} />}
    </>
  )
}
