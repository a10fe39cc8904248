'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { Crumb } from '@/app/_ui/crumb'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { Link } from '@/app/_ui/link'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import { Maybe } from '@/app/_ui/value'
import type { ShownLease } from '@/server/devices/gateways/lease-calls'

function useColumns(onRelease: (lease: ShownLease) => void): Column<ShownLease>[] {
  const edits = useMay('settings_lan_edit')
  const t = useTranslations('lan.dhcpLeases')
  const { networkId } = useParams<{ networkId: string }>()
  return useMemo(
    (): Column<ShownLease>[] => [
      {
        key: 'hostname',
        label: t('hostname'),
        sort: true,
        phone: 'title',
        cell: row => <Maybe value={row.hostname ?? null}>{name => <bdi className="medium">{name}</bdi>}</Maybe>,
      },
      {
        key: 'address',
        label: t('address'),
        sort: true,
        fixed: true,
        phone: edits ? 'state' : 'key',
        cell: row => <span className="ip">{row.address}</span>,
      },
      {
        key: 'mac',
        label: t('mac'),
        sort: true,
        phone: 'extra',
        cell: row => <span className="mac soft">{row.mac.toUpperCase()}</span>,
      },
      {
        key: 'deviceName',
        label: t('device'),
        sort: true,
        cell: row => (
          <Link className="truncated" href={`/network/${networkId}/devices/detail?id=${row.deviceId}`}>
            {row.deviceName}
          </Link>
        ),
      },
      {
        key: 'expiresAt',
        label: t('expires'),
        sort: true,
        // Its place on a phone is the address's where a button has that one's.
        ...(!edits && { phone: 'state' as const }),
        cell: row =>
          row.static ? t('static') : row.expiresAt === undefined ? t('never') : <Moment at={row.expiresAt} />,
      },
      ...(edits
        ? [
            {
              key: 'actions',
              label: t('actions'),
              phone: 'key' as const,
              numeric: true,
              width: '70px',
              cell: (row: ShownLease) => (
                <Button small onClick={() => onRelease(row)} aria-label={t('release.of', { address: row.address })}>
                  {t('release.action')}
                </Button>
              ),
            },
          ]
        : []),
    ],
    [t, networkId, edits, onRelease],
  )
}

/** Who was given which address, by any gateway of the network. */
export function LeasesPage() {
  const t = useTranslations('lan.dhcpLeases')
  const table = useTable()
  const call = useNetworkCall('dhcp/leases', table.input, { live: true })
  const consequencesOf = (lease: ShownLease) => [
    t('release.free', { device: lease.deviceName }),
    t('release.goesOn', { name: lease.hostname ?? lease.mac.toUpperCase() }),
    t('release.pause'),
    ...(lease.static ? [t('release.static')] : []),
  ]
  const [releasing, setReleasing] = useState<ShownLease>()
  const columns = useColumns(setReleasing)
  return (
    <>
      <Crumb name={t('title')} />
      <PageHead title={t('title')} sub={t('sub')} />
      <DataTable
        id="leases"
        label={t('title')}
        columns={columns}
        table={table}
        call={call as unknown as Parameters<typeof DataTable<ShownLease>>[0]['call']}
        rowKey={row => `${row.deviceId} ${row.mac} ${row.address}`}
        searchLabel={t('search')}
        empty={<EmptyState icon="settings" title={t('empty')} />}
      />
      {releasing && (
        <ActDialog
          call="clients/release"
          input={withNetwork({ deviceId: releasing.deviceId, mac: releasing.mac, address: releasing.address })}
          done={t('release.done', { address: releasing.address })}
          onClose={() => setReleasing(undefined)}
          title={t('release.title', { address: releasing.address })}
          action={t('release.action')}
          danger
          consequences={consequencesOf(releasing)}
        />
      )}
    </>
  )
}
