import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { wordOr } from '@/app/_i18n/word'
import { Age } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Icon } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { Spark } from '@/app/_ui/spark'
import { Status } from '@/app/_ui/status'
import { Bits, Count, Duration, Maybe, Percent, Value } from '@/app/_ui/value'
import { deviceState } from '@/model/device-state'
import { Configuration, type useChanged, type useMissed } from './configuration'
import { DeviceStatus, kindIcon, staleness } from './device-state'
import { NotProvided } from './not-provided'
import type { Device } from './rows'

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
      state={staleness(device)}
      why={t('notProvided', { driver: wordOr(t, `driver.${device.driver}`, device.driver) })}
    >
      {children}
    </Maybe>
  )
}

function Name({ device }: { device: Device }) {
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <span className="row">
      <Icon name={kindIcon(device.kind)} size="sm" className="kind-mark" />
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

type Text = 'model' | 'vendor' | 'firmware' | 'serial' | 'partNumber' | 'hardware' | 'boot'
type Number = 'clients' | 'cpuPercent' | 'memoryPercent' | 'portsUp' | 'poeWatts' | 'temperature' | 'uptimeSeconds'

/** Empty is told: it has IPv6, and no address that others reach. */
const Ipv6 = ({ device }: { device: Device }) =>
  device.ipv6 === '' ? null : device.ipv6 ? <span className="ip">{device.ipv6}</span> : <Said device={device} text="" />

const bandName = { '2g': '2.4 GHz', '5g': '5 GHz', '6g': '6 GHz' } as const

/** One value a radio, lowest band first; what has no radio is left empty. */
function Air({ device, of, unit }: { device: Device; of: 'channel' | 'txPowerDbm'; unit?: string }) {
  const t = useTranslations('common.noNumber')
  const { radios, kind } = device
  if (!radios)
    return kind === 'ap' ? (
      <Reading device={device} value={undefined}>
        {() => null}
      </Reading>
    ) : null
  const bands = radios.map(one => `${one.band ? bandName[one.band] : '?'}: ${one[of] ?? t('unknown')}`)
  return (
    <span title={bands.join(', ')}>
      <Value value={radios.map(one => one[of] ?? '–').join(' · ')} unit={unit} />
    </span>
  )
}

const busyPercent = 90

/** From 90 % on it is a trouble in sight, told by its shape, too. */
function Load({ percent }: { percent: number }) {
  const t = useTranslations('devices')
  if (percent < busyPercent) return <Percent value={percent} />
  return (
    <Status state="warning" label={t('busy')}>
      <Percent value={percent} />
    </Status>
  )
}

/** How each reading of a device is drawn. */
const drawn: Record<Number, (value: number) => ReactNode> = {
  clients: value => <Count value={value} />,
  cpuPercent: value => <Load percent={value} />,
  memoryPercent: value => <Load percent={value} />,
  portsUp: value => <Count value={value} />,
  poeWatts: value => <Value value={value.toFixed(1)} unit="W" />,
  temperature: value => <Value value={value.toFixed(0)} unit="°C" />,
  uptimeSeconds: value => <Duration seconds={value} />,
}

/** Columns by what they hold: what the device says of itself, what was read of it, and all others. */
function useMakers() {
  const t = useTranslations('devices.columns')
  const plain = (key: string, more: Omit<Column<Device>, 'key' | 'label'>): Column<Device> => ({
    key,
    label: t(key as 'name'),
    sort: true,
    ...more,
  })
  const text = (key: Text, more: Partial<Column<Device>>) =>
    plain(key, { cell: device => <Said device={device} text={device[key]} />, ...more })
  const reading = (key: Number, more: Partial<Column<Device>> = {}, answered?: (device: Device) => boolean) =>
    plain(key, {
      numeric: true,
      cell: device => (
        <Reading device={device} value={device[key]} answered={answered}>
          {drawn[key]}
        </Reading>
      ),
      ...more,
    })
  return { plain, text, reading }
}

/** Every column of the devices list, in its first order. */
export function useColumns(
  lines: TrafficLines,
  changed: ReturnType<typeof useChanged>,
  missed: ReturnType<typeof useMissed>,
): Column<Device>[] {
  const t = useTranslations('devices')
  const { plain, text, reading } = useMakers()
  const off = true
  return [
    plain('status', {
      fixed: true,
      phone: 'state',
      width: '150px',
      cell: device => <DeviceStatus device={device} />,
    }),
    plain('name', { fixed: true, phone: 'title', cell: device => <Name device={device} /> }),
    text('model', { until: 1180 }),
    plain('address', { cell: device => <span className="ip">{device.address}</span> }),
    plain('groupName', { cell: device => soft(device.groupName) }),
    reading('clients', { phone: 'key', phoneUnit: t('clientsUnit') }, device => device.clientsCounted),
    reading('cpuPercent'),
    reading('memoryPercent', { off }),
    plain('inBps', { numeric: true, cell: device => <Traffic device={device} line={lines.get(device.id)} /> }),
    reading('portsUp', { off }),
    reading('poeWatts', { off }),
    reading('temperature', { off }),
    text('firmware', { until: 1320 }),
    plain('kind', { off, cell: device => soft(t(`kind.${device.kind}`)) }),
    plain('driver', { off, cell: device => soft(wordOr(t, `driver.${device.driver}`, device.driver)) }),
    text('vendor', { off }),
    plain('mac', { off, cell: device => <span className="mac soft">{device.mac.toUpperCase()}</span> }),
    reading('uptimeSeconds', { off }),
    text('serial', { off }),
    text('partNumber', { off }),
    text('hardware', { off }),
    text('boot', { off }),
    plain('ipv6', { off, cell: device => <Ipv6 device={device} /> }),
    plain('channel', { off, numeric: true, cell: device => <Air device={device} of="channel" /> }),
    plain('txPower', { off, numeric: true, cell: device => <Air device={device} of="txPowerDbm" unit="dBm" /> }),
    plain('seenAt', {
      off,
      numeric: true,
      cell: device => (device.seenAt ? <Age at={device.seenAt} /> : <Maybe value={undefined}>{() => null}</Maybe>),
    }),
    plain('remarks', { off, cell: device => soft(device.remarks) }),
    plain('configuration', {
      sort: false,
      phone: 'extra',
      cell: device => <Configuration {...{ device, changed, missed }} />,
    }),
  ]
}

function Traffic({ device, line }: { device: Device; line: (number | null)[] | undefined }) {
  const both =
    device.inBps === undefined && device.outBps === undefined ? undefined : (device.inBps ?? 0) + (device.outBps ?? 0)
  return (
    // Every driver counts octets; a rate needs two polls.
    <>
      {deviceState(device) === 'online' && line && <Spark values={line} />}
      <Maybe value={both} state={staleness(device)}>
        {value => <Bits value={value} />}
      </Maybe>
    </>
  )
}
