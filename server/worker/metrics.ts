import type { Interface, Observation } from '@/server/drivers/observation'
import { wanKey } from '@/server/drivers/wan'
import type { Columns, DeviceMetrics } from './metrics-table'
import { type PolledDevice, readingOf } from './polled-device'

// What an outside collector is told of devices, as the last polls had it: totals as the devices counted them, gauges as
// they told them. In columns: a switch has thirty interfaces, and an object for each value would weigh more than all.

type Sources<T> = Record<string, (one: T) => number | undefined>

/** Two rows with the same labels would be two truths of one series: the later one is told apart by its key. */
function distinct(labels: string[][], keys: readonly string[]): string[][] {
  const seen = new Set<string>()
  return labels.map((row, index) => {
    const [first = '', ...rest] = row
    const own = seen.has(row.join('\0')) ? [`${first} (${keys[index]})`, ...rest] : row
    seen.add(own.join('\0'))
    return own
  })
}

/** `key` is unique among the rows. */
function columnsOf<T>(
  rows: readonly T[],
  label: (one: T) => string[],
  key: (one: T) => string,
  sources: Sources<T>,
): Columns {
  const labels = distinct(rows.map(label), rows.map(key))
  const values = Object.fromEntries(
    Object.entries(sources).map(([name, of]) => [name, Float64Array.from(rows, one => of(one) ?? Number.NaN)]),
  )
  return { labels, values }
}

const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value))
const share = (percent: number | undefined) => (percent === undefined ? undefined : percent / 100)

const ofInterface: Sources<Interface> = {
  up: one => flag(one.up),
  // The unit of the collectors' world is the byte, also for speeds.
  speed: one => (one.speed === undefined ? undefined : one.speed / 8),
  inBytes: one => one.counters?.inOctets,
  outBytes: one => one.counters?.outOctets,
  inPackets: one => one.counters?.inPackets,
  outPackets: one => one.counters?.outPackets,
  inErrors: one => one.counters?.inErrors,
  outErrors: one => one.counters?.outErrors,
  inDiscards: one => one.counters?.inDiscards,
  outDiscards: one => one.counters?.outDiscards,
}

function interfacesOf({ interfaces = [], ports = [] }: Observation): Columns {
  const powers = new Map(ports.map(port => [port.interface, port.poe?.watts]))
  return columnsOf(
    interfaces,
    one => [one.name],
    one => one.key,
    { ...ofInterface, poe: one => powers.get(one.key) },
  )
}

const radiosOf = ({ radios = [] }: Observation): Columns =>
  columnsOf(
    radios,
    one => [one.name, one.band ?? ''],
    one => one.key,
    {
      up: one => flag(one.up),
      channel: one => one.channel,
      width: one => (one.widthMhz === undefined ? undefined : one.widthMhz * 1e6),
      power: one => one.txPowerDbm,
      noise: one => one.noiseDbm,
      busy: one => share(one.utilizationPercent),
    },
  )

function bssOf({ bss = [], radios = [], stations }: Observation): Columns {
  const bands = new Map(radios.map(one => [one.key, one.band]))
  const counts = new Map<string, number>()
  for (const { bss: key } of stations ?? []) if (key) counts.set(key, (counts.get(key) ?? 0) + 1)
  return columnsOf(
    bss.filter(one => one.up),
    one => [one.ssid, one.bssid ?? '', (one.radio && bands.get(one.radio)) ?? ''],
    one => one.key,
    { clients: one => (stations ? (counts.get(one.key) ?? 0) : one.clients) },
  )
}

const waysOf = ({ wans = [] }: Observation): Columns =>
  columnsOf(
    wans,
    one => [one.interface ?? wanKey(one)],
    one => wanKey(one),
    {
      up: one => Number(one.up),
      loss: one => share(one.lossPercent),
      latency: one => (one.latencyMs === undefined ? undefined : one.latencyMs / 1000),
      jitter: one => (one.jitterMs === undefined ? undefined : one.jitterMs / 1000),
    },
  )

/** Of devices that answer: what was read of others says nothing of now. */
export function metricsOf(entries: Iterable<PolledDevice>): DeviceMetrics[] {
  const found: DeviceMetrics[] = []
  for (const entry of entries) {
    const seen = entry.status === 1 ? readingOf(entry) : undefined
    if (!seen) continue
    found.push({
      device: entry.device.id,
      interfaces: interfacesOf(seen),
      radios: radiosOf(seen),
      bss: bssOf(seen),
      ways: waysOf(seen),
    })
  }
  return found
}
