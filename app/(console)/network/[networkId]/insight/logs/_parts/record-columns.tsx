import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { Moment } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'

export type TrafficRecord = CallOutput<'records/find'>['records'][number]
export type RecordKind = 'url' | 'nat'

/** An address with its port, an IPv6 one in brackets. */
const place = (address: string, port: number | undefined): string => {
  if (port === undefined) return address
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

export function useRecordColumns(kind: RecordKind): Column<TrafficRecord>[] {
  const t = useTranslations('records')
  const { networkId } = useParams<{ networkId: string }>()
  const client = ({ client: { address, mac, name }, port }: TrafficRecord) => {
    const from = place(address, kind === 'nat' ? port : undefined)
    if (mac === undefined) return <bdi className="ip">{from}</bdi>
    return (
      <span className="record-client">
        <ScreenLink needs="clients" href={`/network/${networkId}/clients/detail?id=${mac}`}>
          <bdi>{name ?? mac}</bdi>
        </ScreenLink>
        <bdi className="ip muted">{from}</bdi>
      </span>
    )
  }
  const at: Column<TrafficRecord> = {
    key: 'at',
    label: t('columns.at'),
    fixed: true,
    phone: 'key',
    width: '180px',
    cell: one => <Moment at={one.at} seconds />,
  }
  const who: Column<TrafficRecord> = {
    ...{ key: 'client', label: t('columns.client'), phone: 'extra', width: '220px', cell: client },
  }
  const gateway: Column<TrafficRecord> = {
    key: 'gateway',
    label: t('columns.gateway'),
    until: 1180,
    width: '150px',
    cell: ({ device }) =>
      device ? (
        <ScreenLink needs="devices" href={`/network/${networkId}/devices/detail?id=${device.id}`}>
          {device.name}
        </ScreenLink>
      ) : (
        <span className="muted">{t('gone')}</span>
      ),
  }
  if (kind === 'url')
    return [
      at,
      who,
      {
        key: 'domain',
        label: t('columns.domain'),
        phone: 'title',
        wrap: true,
        cell: one => <bdi className="log-word">{one.name}</bdi>,
      },
      {
        ...{ key: 'type', label: t('columns.type'), phone: 'state', width: '100px' },
        cell: one => <bdi className="soft">{one.type}</bdi>,
      },
      gateway,
    ]
  return [
    at,
    who,
    {
      key: 'outer',
      label: t('columns.outer'),
      width: '190px',
      cell: one =>
        one.outer === undefined ? (
          <span className="muted">{t('outerUnknown')}</span>
        ) : (
          <bdi className="ip">{place(one.outer, one.outerPort)}</bdi>
        ),
    },
    {
      key: 'target',
      label: t('columns.target'),
      phone: 'title',
      cell: one => <bdi className="ip log-word">{place(one.target ?? '', one.targetPort)}</bdi>,
    },
    {
      ...{ key: 'protocol', label: t('columns.protocol'), phone: 'state', width: '110px' },
      cell: ({ protocol, outer, outerPort }) => (
        <>
          <bdi className="soft">{protocol}</bdi>
          {outer !== undefined && (
            <bdi className="ip muted only-phone">{t('via', { address: place(outer, outerPort) })}</bdi>
          )}
        </>
      ),
    },
    gateway,
  ]
}
