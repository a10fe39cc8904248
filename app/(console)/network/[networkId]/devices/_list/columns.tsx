import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { Age } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Icon } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { Spark } from '@/app/_ui/spark'
import { Bits, Count, Duration, Maybe, Percent, Value } from '@/app/_ui/value'
import { DeviceStatus, kindIcon, staleness } from '../_parts/device-state'
import { NotProvided } from '../detail/_parts/not-provided'
import { Configuration, useChanged } from './configuration'

export type Device = CallOutput<'devices/list'>['result'][number]

/** The traffic of the last two hours, by device. */
export type TrafficLines = ReadonlyMap<number, (number | null)[]>

/** Whether anything of this device was read since the manager started. */
const heard = ({ uptimeSeconds, cpuPercent, memoryPercent, portsTotal, clients }: Device) =>
  [uptimeSeconds, cpuPercent, memoryPercent, portsTotal, clients].some(value => value !== undefined)

/** A reading in a row: with an answer behind it what is missing is not provided, without one it is unknown. */
function Reading({
  device,
  value,
  answered = heard,
  children,
}: {
  device: Device
  value: number | undefined
  answered?: (device: Device) => boolean
  children: (value: number) => ReactNode
}) {
  const t = useTranslations('devices')
  const told = value ?? (device.status === 1 && answered(device) ? null : undefined)
  return (
    <Maybe
      value={told}
      state={staleness(device.status)}
      why={t('notProvided', { driver: t(`driver.${device.driver}`) })}
    >
      {children}
    </Maybe>
  )
}

function Name({ device }: { device: Device }) {
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <span className="row">
      <Icon name={kindIcon(device.kind)} size="sm" className="kd" />
      <Link className="name" href={`/network/${networkId}/devices/detail?id=${device.id}`}>
        {device.name}
      </Link>
    </span>
  )
}

const soft = (text: string) => text && <span className="soft">{text}</span>

/** What a device says of itself; one that answered and did not say it is marked so. */
function Said({ device, text }: { device: Device; text: string }) {
  if (text || device.status !== 1) return soft(text)
  return <NotProvided driver={device.driver} />
}

/** Every column of the devices list, in its first order. */
export function useColumns(lines: TrafficLines): Column<Device>[] {
  const t = useTranslations('devices')
  const label = (key: string) => t(`columns.${key}` as 'columns.name')
  const changed = useChanged()
  const text = (key: 'model' | 'vendor' | 'firmware' | 'serial', more: Partial<Column<Device>> = {}) => ({
    key,
    label: label(key),
    sort: true,
    cell: (device: Device) => <Said device={device} text={device[key]} />,
    ...more,
  })
  const reading = (
    key: string,
    readingOf: (device: Device) => number | undefined,
    draw: (value: number) => ReactNode,
    more: Partial<Column<Device>> = {},
    answered?: (device: Device) => boolean,
  ): Column<Device> => ({
    key,
    label: label(key),
    numeric: true,
    sort: true,
    cell: device => (
      <Reading device={device} value={readingOf(device)} answered={answered}>
        {draw}
      </Reading>
    ),
    ...more,
  })
  return [
    {
      key: 'status',
      label: label('status'),
      sort: true,
      fixed: true,
      phone: 'state',
      width: '150px',
      cell: device => <DeviceStatus device={device} />,
    },
    {
      key: 'name',
      label: label('name'),
      sort: true,
      fixed: true,
      phone: 'title',
      cell: device => <Name device={device} />,
    },
    text('model', { until: 1180 }),
    {
      key: 'address',
      label: label('address'),
      sort: true,
      phone: 'extra',
      cell: device => <span className="ip">{device.address}</span>,
    },
    { key: 'groupName', label: label('groupName'), sort: true, cell: device => soft(device.groupName) },
    reading(
      'clients',
      device => device.clients,
      value => <Count value={value} />,
      {
        phone: 'key',
        phoneUnit: t('clientsUnit'),
      },
      device => device.clientsCounted,
    ),
    reading(
      'cpuPercent',
      device => device.cpuPercent,
      value => <Percent value={value} />,
    ),
    reading(
      'memoryPercent',
      device => device.memoryPercent,
      value => <Percent value={value} />,
      { off: true },
    ),
    {
      key: 'inBps',
      label: label('inBps'),
      numeric: true,
      sort: true,
      cell: device => <Traffic device={device} line={lines.get(device.id)} />,
    },
    reading(
      'portsUp',
      device => device.portsUp,
      value => <Count value={value} />,
      { off: true },
    ),
    reading(
      'poeWatts',
      device => device.poeWatts,
      value => <Value value={value.toFixed(1)} unit="W" />,
      { off: true },
    ),
    reading(
      'temperature',
      device => device.temperature,
      value => <Value value={value.toFixed(0)} unit="°C" />,
      {
        off: true,
      },
    ),
    text('firmware', { until: 1320 }),
    {
      key: 'kind',
      label: label('kind'),
      sort: true,
      off: true,
      cell: device => soft(t(`kind.${device.kind}`)),
    },
    {
      key: 'driver',
      label: label('driver'),
      sort: true,
      off: true,
      cell: device => soft(t(`driver.${device.driver}`)),
    },
    text('vendor', { off: true }),
    {
      key: 'mac',
      label: label('mac'),
      sort: true,
      off: true,
      cell: device => <span className="mac soft">{device.mac.toUpperCase()}</span>,
    },
    reading(
      'uptimeSeconds',
      device => device.uptimeSeconds,
      value => <Duration seconds={value} />,
      { off: true },
    ),
    text('serial', { off: true }),
    {
      key: 'seenAt',
      label: label('seenAt'),
      sort: true,
      off: true,
      numeric: true,
      cell: device => (device.seenAt ? <Age at={device.seenAt} /> : <Maybe value={undefined}>{() => null}</Maybe>),
    },
    { key: 'remarks', label: label('remarks'), sort: true, off: true, cell: device => soft(device.remarks) },
    {
      key: 'configuration',
      label: label('configuration'),
      cell: device => <Configuration device={device} changed={changed} />,
    },
  ]
}

function Traffic({ device, line }: { device: Device; line: (number | null)[] | undefined }) {
  const both =
    device.inBps === undefined && device.outBps === undefined ? undefined : (device.inBps ?? 0) + (device.outBps ?? 0)
  return (
    // Every driver counts octets; a rate needs two polls.
    <>
      {device.status === 1 && line && <Spark values={line} />}
      <Maybe value={both} state={staleness(device.status)}>
        {value => <Bits value={value} />}
      </Maybe>
    </>
  )
}
