'use client'
import { useTranslations } from 'next-intl'
import { Status } from '@/app/_ui/status'
import { Bits, Bytes, Count, Maybe, Speed } from '@/app/_ui/value'
import { NotProvided } from '../../_parts/not-provided'
import type { PlainColumn } from '../../_parts/plain-table'
import type { DeviceInfo, Face } from './device-info'
import { Part } from './part'
import { PortName } from './port-name'

/** What a device did not say of an interface is null here: the reading is there, the value is not. */
const said = (value: number | undefined): number | null => value ?? null

/** A counter of 32 bits may wrap more than once in a minute. */
const tooFast = ({ counters, speed = 0 }: Face) => counters?.bits === 32 && (speed / 8) * 60 >= 2 ** 32

/** A rate needs two polls: until then it is unknown, where the device counts at all, and counts far enough. */
const rate = (value: number | undefined, row: Face) => value ?? (row.counters && !tooFast(row) ? undefined : null)

function State({ row }: { row: Face }) {
  const t = useTranslations('devices.detail.interfaces')
  if (row.adminUp === false) return <Status state="offline">{t('off')}</Status>
  if (row.up === undefined) return <NotProvided />
  return <Status state={row.up ? 'online' : 'offline'}>{row.up ? t('up') : t('down')}</Status>
}

const errorsOf = ({ counters }: Face): number | null =>
  counters?.inErrors === undefined && counters?.outErrors === undefined
    ? null
    : (counters.inErrors ?? 0) + (counters.outErrors ?? 0)

function useColumns(info: DeviceInfo): PlainColumn<Face>[] {
  const t = useTranslations('devices.detail.interfaces')
  return [
    {
      key: 'name',
      title: t('name'),
      cell: row => (
        <>
          <PortName info={info} of={row.key}>
            {row.name}
          </PortName>
          {row.alias && <span className="subline"> {row.alias}</span>}
        </>
      ),
    },
    { key: 'state', title: t('state'), cell: row => <State row={row} /> },
    {
      key: 'type',
      title: t('type'),
      wideOnly: true,
      cell: row => <span className="soft">{t(`types.${row.type}`)}</span>,
    },
    {
      key: 'speed',
      title: t('speed'),
      end: true,
      cell: row =>
        row.up === false ? null : <Maybe value={said(row.speed)}>{speed => <Speed value={speed} />}</Maybe>,
    },
    {
      key: 'addresses',
      title: t('addresses'),
      wideOnly: true,
      cell: row =>
        row.addresses?.map(address => (
          <div key={address} className="ip">
            {address}
          </div>
        )),
    },
    {
      key: 'in',
      title: t('in'),
      end: true,
      cell: row => (
        <Maybe value={rate(row.inBps, row)} why={tooFast(row) ? t('bits32') : undefined}>
          {v => <Bits value={v} />}
        </Maybe>
      ),
    },
    {
      key: 'out',
      title: t('out'),
      end: true,
      cell: row => (
        <Maybe value={rate(row.outBps, row)} why={tooFast(row) ? t('bits32') : undefined}>
          {v => <Bits value={v} />}
        </Maybe>
      ),
    },
    {
      key: 'received',
      title: t('received'),
      end: true,
      wideOnly: true,
      cell: row => <Maybe value={said(row.counters?.inOctets)}>{v => <Bytes value={v} />}</Maybe>,
    },
    {
      key: 'sent',
      title: t('sent'),
      end: true,
      wideOnly: true,
      cell: row => <Maybe value={said(row.counters?.outOctets)}>{v => <Bytes value={v} />}</Maybe>,
    },
    {
      key: 'errors',
      title: t('errors'),
      end: true,
      wideOnly: true,
      cell: row => <Maybe value={errorsOf(row)}>{v => <Count value={v} />}</Maybe>,
    },
  ]
}

const words = ({ name, alias, addresses, mac }: Face) => [name, alias, mac, ...(addresses ?? [])].join(' ')

/** Every interface of a device, as it names them. */
export function Interfaces({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.interfaces')
  const columns = useColumns(info)
  return (
    <Part
      title={t('title')}
      rows={info.reading.interfaces}
      driver={info.driver}
      empty={t('empty')}
      columns={columns}
      rowKey={row => row.key}
      found={words}
    />
  )
}
