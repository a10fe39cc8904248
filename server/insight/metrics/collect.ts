import { and, count, eq } from 'drizzle-orm'
import { alerts } from '@/db/schema'
import packageJson from '@/package.json'
import { type StoredDevice, storedDevices } from '@/server/devices/inventory/stored-devices'
import { type Fleet, fleetOf } from '@/server/devices/link/fleet'
import type { Runtime } from '@/server/kernel/runtime'
import type { Columns, DeviceMetrics } from '@/server/worker/metrics-table'
import type { FamilyName, Group } from './families'
import { metricsSources } from './sources'

export type Wanted = {
  networks: readonly { id: number; name: string }[]
  /** The manager's own figures. */
  manager: boolean
  interfaces: boolean
  clients: boolean
}

/** So many devices are asked of the worker at a time: its polls go on between. */
const batch = 200

const one = (family: FamilyName, value: number | undefined, names: string[] = [], row: string[] = []): Group => ({
  family,
  names,
  rows: [row],
  values: [value ?? Number.NaN],
})

async function* ofManager(runtime: Runtime, fleet: Fleet): AsyncGenerator<Group> {
  const { rounds, answered, late } = await fleet.ask('stats', undefined)
  const { user, system } = process.cpuUsage()
  const verifiedAt = await metricsSources.find(runtime)?.verifiedAt()
  yield one('lanward_manager_info', 1, ['version'], [packageJson.version])
  yield one('lanward_manager_polls_total', rounds)
  yield one('lanward_manager_polls_answered_total', answered)
  yield one('lanward_manager_polls_late_total', late)
  yield one('lanward_manager_backup_verified_timestamp_seconds', seconds(verifiedAt))
  yield one('process_resident_memory_bytes', process.memoryUsage.rss())
  yield one('process_cpu_seconds_total', (user + system) / 1e6)
  yield one('process_start_time_seconds', Math.round((Date.now() - process.uptime() * 1000) / 1000))
}

const alertLevels = { 5: 'emergency', 10: 'warning', 15: 'notice' } as const

async function* ofNetwork(runtime: Runtime, fleet: Fleet, network: Wanted['networks'][number]): AsyncGenerator<Group> {
  const number = [String(network.id)]
  yield one('lanward_network_info', 1, ['network', 'name'], [...number, network.name])
  const { total, wifi } = await fleet.ask('clientCounts', network.id)
  yield one('lanward_network_clients', total, ['network'], number)
  yield one('lanward_network_wifi_clients', wifi, ['network'], number)
  const unread = runtime.db
    .select({ level: alerts.level, count: count() })
    .from(alerts)
    .where(and(eq(alerts.network, network.id), eq(alerts.read, false)))
    .groupBy(alerts.level)
    .all()
  const levels = Object.entries(alertLevels)
  yield {
    family: 'lanward_alerts_unread',
    names: ['network', 'level'],
    rows: levels.map(([, word]) => [...number, word]),
    values: levels.map(([level]) => unread.find(row => row.level === Number(level))?.count ?? 0),
  }
}

const described = ['name', 'kind', 'vendor', 'model', 'serial', 'firmware', 'mac', 'address'] as const
const online = 1
const offline = 0

type Live = ReturnType<Fleet['live']['row']>
const seconds = (ms: number | undefined) => (ms === undefined ? undefined : Math.round(ms / 1000))
const share = (percent: number | undefined) => (percent === undefined ? undefined : percent / 100)
const ofDevice: [FamilyName, (live: Live, device: StoredDevice) => number | undefined][] = [
  // Not yet adopted or not yet asked is neither up nor down.
  ['lanward_device_up', (_, { status }) => (status === online || status === offline ? status : undefined)],
  ['lanward_device_last_seen_timestamp_seconds', (live, device) => seconds(live.seenAt ?? device.seenAt)],
  ['lanward_device_boot_time_seconds', live => seconds(live.bootAt)],
  ['lanward_device_cpu_ratio', live => share(live.cpuPercent)],
  ['lanward_device_memory_ratio', live => share(live.memoryPercent)],
  ['lanward_device_temperature_celsius', live => live.temperature],
  ['lanward_device_poe_watts', live => live.poeWatts],
  ['lanward_device_clients', live => live.clients],
  ['lanward_device_wifi_clients', live => live.wifiClients],
]

function* ofDevices(fleet: Fleet, devices: readonly StoredDevice[]): Generator<Group> {
  yield {
    family: 'lanward_device_info',
    names: ['device', 'network', ...described.map(name => (name === 'kind' ? 'role' : name))],
    rows: devices.map(row => [String(row.id), String(row.network), ...described.map(name => row[name])]),
    values: devices.map(() => 1),
  }
  const lives = devices.map(row => fleet.live.row(fleet.rowOf(row.id)))
  const rows = devices.map(row => [String(row.id)])
  for (const [family, of] of ofDevice) {
    const values = devices.map((row, at) => of(lives[at] ?? {}, row) ?? Number.NaN)
    yield { family, names: ['device'], rows, values }
  }
}

type Part = { part: Exclude<keyof DeviceMetrics, 'device'>; names: string[]; families: Record<string, FamilyName> }
const parts: Part[] = [
  {
    part: 'interfaces',
    names: ['device', 'interface'],
    families: {
      up: 'lanward_interface_up',
      speed: 'lanward_interface_speed_bytes_per_second',
      inBytes: 'lanward_interface_receive_bytes_total',
      outBytes: 'lanward_interface_transmit_bytes_total',
      inPackets: 'lanward_interface_receive_packets_total',
      outPackets: 'lanward_interface_transmit_packets_total',
      inErrors: 'lanward_interface_receive_errors_total',
      outErrors: 'lanward_interface_transmit_errors_total',
      inDiscards: 'lanward_interface_receive_discards_total',
      outDiscards: 'lanward_interface_transmit_discards_total',
      poe: 'lanward_interface_poe_watts',
    },
  },
  {
    part: 'radios',
    names: ['device', 'radio', 'band'],
    families: {
      up: 'lanward_radio_up',
      channel: 'lanward_radio_channel',
      width: 'lanward_radio_width_hertz',
      power: 'lanward_radio_transmit_power_dbm',
      noise: 'lanward_radio_noise_dbm',
      busy: 'lanward_radio_busy_ratio',
    },
  },
  { part: 'bss', names: ['device', 'ssid', 'bssid', 'band'], families: { clients: 'lanward_bss_clients' } },
  {
    part: 'ways',
    names: ['device', 'wan'],
    families: {
      up: 'lanward_wan_up',
      loss: 'lanward_wan_loss_ratio',
      latency: 'lanward_wan_latency_seconds',
      jitter: 'lanward_wan_jitter_seconds',
    },
  },
]

function* ofColumns(device: number, { labels, values }: Columns, { names, families }: Part): Generator<Group> {
  const rows = labels.map(row => [String(device), ...row])
  for (const [column, family] of Object.entries(families)) {
    const found = values[column]
    if (found) yield { family, names, rows, values: found }
  }
}

async function* ofReadings(fleet: Fleet, devices: readonly StoredDevice[], interfaces: boolean): AsyncGenerator<Group> {
  for (let from = 0; from < devices.length; from += batch) {
    const asked = devices.slice(from, from + batch).map(row => row.id)
    for (const reading of await fleet.ask('metrics', asked))
      for (const part of parts)
        if (interfaces || part.part !== 'interfaces') yield* ofColumns(reading.device, reading[part.part], part)
  }
}

async function* ofClients(fleet: Fleet, network: number): AsyncGenerator<Group> {
  const clients = await fleet.ask('wifiClients', network)
  const where = clients.map(one => [one.mac, one.device === undefined ? '' : String(one.device)])
  yield {
    family: 'lanward_client_info',
    names: ['client', 'device', 'network', 'name', 'address', 'ssid'],
    rows: clients.map((one, at) => [
      ...(where[at] ?? []),
      ...[String(network), one.name ?? '', one.address ?? '', one.ssid ?? ''],
    ]),
    values: clients.map(() => 1),
  }
  const names = ['client', 'device']
  const columns = [
    ['lanward_client_signal_dbm', clients.map(one => one.signalDbm)],
    ['lanward_client_download_bytes_total', clients.map(one => one.downOctets)],
    ['lanward_client_upload_bytes_total', clients.map(one => one.upOctets)],
  ] as const
  for (const [family, values] of columns)
    yield { family, names, rows: where, values: values.map(value => value ?? Number.NaN) }
}

/** Everything asked for, as the last polls had it. */
export async function* collect(runtime: Runtime, wanted: Wanted): AsyncGenerator<Group> {
  const fleet = fleetOf(runtime)
  if (wanted.manager) yield* ofManager(runtime, fleet)
  for (const network of wanted.networks) {
    const devices = storedDevices(runtime, network.id)
    yield* ofNetwork(runtime, fleet, network)
    yield* ofDevices(fleet, devices)
    yield* ofReadings(fleet, devices, wanted.interfaces)
    if (wanted.clients) yield* ofClients(fleet, network.id)
  }
}
