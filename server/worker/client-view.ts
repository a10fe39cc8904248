import type {
  Bss,
  DeviceRole,
  Host,
  Lease,
  LldpNeighbour,
  Observation,
  Radio,
  Station,
} from '@/server/drivers/observation'
import { wanInterfaces } from '@/server/drivers/wan'
import type { Rate } from '@/server/history/stations'
import { intern } from '@/server/kernel/intern'
import { airOf } from './channel-use'
import { type Macs, packMacs } from './macs'

/** bit/s since the reading before: of its stations in their order, and of ports with one client by interface key. */
export type ViewRates = { stations?: readonly (Rate | undefined)[]; ports?: ReadonlyMap<string, Rate> }

/** What one device sees of others. */
export type View = {
  device: number
  network: number
  kind: DeviceRole
  at: number
  own: Macs
  names: ReadonlyMap<string, string>
  wan: ReadonlySet<string>
  stations?: Station[]
  bss?: Bss[]
  radios?: readonly Radio[]
  /** How busy the air is at each of them (channel-use.ts). */
  air?: Uint8Array
  hosts?: Host[]
  rates?: ViewRates
  leases?: Lease[]
  neighbours?: LldpNeighbour[]
  told?: number
}

const noKeys: ReadonlySet<string> = new Set()

/** Interfaces of a gateway that lead to the internet: their neighbours are no clients. */
function wanKeys(kind: DeviceRole, { interfaces = [] }: Observation): ReadonlySet<string> {
  if (kind !== 'gateway' && kind !== 'firewall') return noKeys
  return new Set(wanInterfaces(interfaces).flatMap(index => interfaces[index]?.key ?? []))
}

/** What of its radios changes by itself, or by a push; thousands of access points have the same. */
const radiosNow = (radios: readonly Radio[]): readonly Radio[] =>
  intern(
    radios.map(({ key, name, band, channel, widthMhz, txPowerDbm, up }) => ({
      ...{ key, name, band, channel, widthMhz, txPowerDbm, up },
    })),
  )

const namesOf = new WeakMap<object, ReadonlyMap<string, string>>()
/** Names of interfaces by key: the same map for devices alike. */
function namesBy(pairs: readonly (readonly [key: string, name: string])[]): ReadonlyMap<string, string> {
  const alike = intern(pairs)
  const names = namesOf.get(alike) ?? new Map(alike)
  namesOf.set(alike, names)
  return names
}

/** The view of a full reading. */
export function viewOf(
  device: { id: number; network: number; kind: DeviceRole },
  observation: Observation,
  rates?: ViewRates,
): View {
  const { facts, interfaces = [], bss = [] } = observation
  const own = [facts?.mac, ...interfaces.map(one => one.mac), ...bss.map(one => one.bssid)]
  const used = new Set(observation.hosts?.map(host => host.port))
  return {
    device: device.id,
    network: device.network,
    kind: device.kind,
    at: observation.takenAt,
    own: packMacs(own.flatMap(mac => (mac ? [mac.toLowerCase()] : []))),
    names: namesBy(interfaces.flatMap(({ key, name }) => (used.has(key) ? [[key, name] as const] : []))),
    wan: wanKeys(device.kind, observation),
    stations: observation.stations,
    bss: observation.bss,
    radios: observation.radios && radiosNow(observation.radios),
    air: airOf(observation.radios),
    hosts: observation.hosts,
    ...(rates && { rates }),
    leases: observation.leases,
    neighbours: observation.neighbours,
    told: observation.wirelessClients,
  }
}
