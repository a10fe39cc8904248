'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from '@/app/_ui/button'
import { Age } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Icon } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { Badge, Status } from '@/app/_ui/status'
import { Bits, Bytes, Maybe, Value } from '@/app/_ui/value'
import { type Client, clientIcon, shownName } from './client'

type Options = {
  /** A button in each row that blocks the client, or ends that. */
  onBlock?: (client: Client) => void
  /** What else can be done with a row, at its end. */
  actions?: (client: Client) => ReactNode
  /** Of all devices: which one it is connected to, and whose client it is. */
  whole?: boolean
  /** Of clients that are not connected: when and where they were last. */
  left?: boolean
}

type Words = ReturnType<typeof useTranslations<'clients'>>

/** Columns of a list of clients. */
export function useClientColumns({ onBlock, actions, whole = false, left = false }: Options): Column<Client>[] {
  const t = useTranslations('clients')
  const none: Column<Client>[] = []
  return [
    {
      ...{ key: 'name', label: t('name'), sort: true, fixed: true, phone: 'title' },
      cell: row => <Name client={row} whole={whole} />,
    },
    {
      ...{ key: 'address', label: t('address'), sort: true, phone: whole ? 'state' : 'key' },
      cell: row => <Addresses client={row} />,
    },
    {
      ...{ key: 'mac', label: t('mac'), sort: true, ...(whole && { until: 1180 as const }) },
      cell: row => <span className="mac soft">{row.mac.toUpperCase()}</span>,
    },
    ...(whole ? [deviceColumn(t(left ? 'lastOn' : 'device'))] : none),
    {
      ...{ key: 'ssid', label: t('on'), sort: true, ...(!whole && { phone: 'state' as const }) },
      cell: one => <span className="soft">{one.ssid ?? <Wired {...one} />}</span>,
    },
    ...(whole
      ? [{ key: 'vlan', label: t('vlan'), numeric: true, until: 1320, cell: one => one.vlan } as Column<Client>]
      : none),
    ...(left ? none : [signalColumn(t), rateColumn(t), trafficColumn(t, !onBlock && !actions)]),
    {
      ...{ key: 'since', label: t(left ? 'lastSeen' : 'since'), numeric: true, sort: true },
      ...(whole && { phone: 'extra' as const }),
      cell: one => <Age at={one.since} />,
    },
    ...(onBlock ? [blockColumn(t, onBlock)] : none),
    ...(actions
      ? [
          {
            key: 'more',
            label: t('acts'),
            fixed: false,
            phone: 'key',
            width: '44px',
            cell: actions,
          } as Column<Client>,
        ]
      : none),
  ]
}

const signalColumn = (t: Words): Column<Client> => ({
  ...{ key: 'signal', label: t('signal'), numeric: true, sort: true },
  cell: one =>
    one.wifi && <Maybe value={one.signalDbm ?? null}>{value => <Value value={String(value)} unit="dBm" />}</Maybe>,
})

const trafficColumn = (t: Words, onPhone: boolean): Column<Client> => ({
  ...{ key: 'traffic', label: t('traffic'), numeric: true, sort: true },
  // Its place on a phone is the button's where there is one.
  ...(onPhone && { phone: 'extra' as const }),
  cell: one => <Maybe value={both(one.day?.down, one.day?.up)}>{value => <Bytes value={value} />}</Maybe>,
})

/** Both directions; null: nobody tells either. */
const both = (down: number | undefined, up: number | undefined) =>
  down === undefined && up === undefined ? null : (down ?? 0) + (up ?? 0)

const rateColumn = (t: Words): Column<Client> => ({
  ...{ key: 'rate', label: t('now'), numeric: true, sort: true, until: 1320 },
  cell: one => <Maybe value={both(one.downBps, one.upBps)}>{value => <Bits value={value} />}</Maybe>,
})

const deviceColumn = (label: string): Column<Client> => ({
  ...{ key: 'device', label, until: 1180 },
  cell: one => <OnDevice client={one} />,
})

const blockColumn = (t: Words, onBlock: (client: Client) => void): Column<Client> => ({
  ...{ key: 'block', label: t('block.label'), phone: 'extra' },
  cell: row => (
    <Button
      small
      kind="ghost"
      aria-label={t(row.blocked ? 'block.openUndo' : 'block.open', { name: shownName(row) })}
      onClick={() => onBlock(row)}
    >
      {t(row.blocked ? 'block.undo' : 'block.action')}
    </Button>
  ),
})

/** The address that it is known by; below it one more, and how many there are besides. */
function Addresses({ client: { address, addresses = [] } }: { client: Pick<Client, 'address' | 'addresses'> }) {
  const t = useTranslations('clients')
  const [, second, ...others] = addresses
  return (
    <Maybe value={address}>
      {value => (
        <span className="client-name" title={addresses.join('\n') || undefined}>
          <span className="ip">{value}</span>
          {second !== undefined && (
            <span className="fine-print">
              <span className="ip">{second}</span> {others.length > 0 && t('moreAddresses', { count: others.length })}
            </span>
          )}
        </span>
      )}
    </Maybe>
  )
}

/** Its name, and where the list is of a whole network its vendor below. */
function Name({ client, whole }: { client: Client; whole: boolean }) {
  const t = useTranslations('clients')
  const { networkId } = useParams<{ networkId: string }>()
  const { name, mac, blocked, vendor } = client
  const shown = name ?? <span className="mac">{mac.toUpperCase()}</span>
  const under = vendor ?? (client.private ? t('privateMac') : undefined)
  return (
    <span className="row">
      <Icon name={clientIcon(client)} size="sm" className="kind-mark" />
      <span className="client-name">
        <Link className="name" href={`/network/${networkId}/clients/detail?id=${mac}`}>
          {shown}
        </Link>
        {whole && under && <span className="fine-print">{under}</span>}
      </span>
      {blocked && <Badge tone="bad">{t('blocked')}</Badge>}
    </span>
  )
}

/** The device that it is connected to, or was. */
export function OnDevice({
  client: { device, deviceName, silent },
}: {
  client: Pick<Client, 'device' | 'deviceName' | 'silent'>
}) {
  const t = useTranslations('clients')
  const { networkId } = useParams<{ networkId: string }>()
  if (device === undefined || !deviceName) return <Maybe value={null}>{() => null}</Maybe>
  const link = <Link href={`/network/${networkId}/devices/detail?id=${device}`}>{deviceName}</Link>
  return silent ? (
    <Status state="stale" label={t('detail.silent')}>
      {link}
    </Status>
  ) : (
    link
  )
}

/** The port that a client's cable is in, where its device says which. */
export function Wired({ device, port }: Pick<Client, 'device' | 'port'>) {
  const t = useTranslations('clients')
  const { networkId } = useParams<{ networkId: string }>()
  if (port === undefined) return t('wired')
  if (device === undefined) return port
  const query = new URLSearchParams({ id: String(device), port })
  return <Link href={`/network/${networkId}/devices/detail?${query}`}>{port}</Link>
}
