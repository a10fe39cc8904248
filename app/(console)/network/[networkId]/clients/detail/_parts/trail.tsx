'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { Link } from '@/app/_ui/link'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'

type Event = CallOutput<'clients/roaming'>['result'][number]

/** Where it connected, moved and left, its addresses, and what was done with it, newest first. */
export function Trail({ mac }: { mac: string }) {
  const t = useTranslations('clients.detail')
  const table = useTable()
  const { page, pageSize } = table.input
  const call = useNetworkCall('clients/roaming', { mac, page, pageSize }, { live: true })
  const columns: Column<Event>[] = [
    {
      ...{ key: 'at', label: t('at'), fixed: true, phone: 'state', width: '200px' },
      cell: row => <Moment at={row.at} seconds />,
    },
    { key: 'what', label: t('what'), fixed: true, phone: 'title', cell: row => t(`events.${eventOf(row)}`) },
    {
      ...{ key: 'where', label: t('where'), fixed: true, phone: 'key' },
      cell: row => <Where place={row} address={row.address} />,
    },
    {
      ...{ key: 'before', label: t('before'), fixed: true, phone: 'extra' },
      cell: row => (row.from || row.former) && <Where place={row.from} address={row.former} />,
    },
  ]
  return (
    <DataTable
      id="client-events"
      label={t('trail')}
      columns={columns}
      table={table}
      call={call}
      rowKey={row => String(row.id)}
      tools={<h2 className="medium">{t('trail')}</h2>}
      empty={<EmptyState icon="history" title={t('trailEmpty')} />}
    />
  )
}

/** From one access point to another it roams. */
const eventOf = ({ what, ssid, from }: Event) => (what === 'moved' && ssid !== null && from?.ssid ? 'roamed' : what)

type Place = NonNullable<Event['from']>

/** A place, and the address that it had there. */
function Where({ place, address }: { place: Place | undefined; address: string | null }) {
  return (
    <span className="row">
      {place && <Spot {...place} />}
      {address && <span className="ip soft">{address}</span>}
    </span>
  )
}

const isBand = (band: string | null): band is '2g' | '5g' | '6g' => band === '2g' || band === '5g' || band === '6g'

function Spot({ device, deviceName, port, ssid, band }: Place) {
  const t = useTranslations('clients.detail')
  const { networkId } = useParams<{ networkId: string }>()
  const place = ssid ?? port
  return (
    <>
      {device !== null &&
        (deviceName ? (
          <Link href={`/network/${networkId}/devices/detail?id=${device}`}>{deviceName}</Link>
        ) : (
          <span className="soft">{t('forgottenDevice')}</span>
        ))}
      {place !== null && <span className="soft">{place}</span>}
      {isBand(band) && <span className="soft">{t(`bands.${band}`)}</span>}
    </>
  )
}
