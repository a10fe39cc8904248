import type { DeviceRole, Interface, LldpNeighbour, Observation } from '@/server/drivers/observation'

// What the wiring is told by: of each managed device what it says of its ports and of who is behind them.

export type SightPort = {
  key: string
  label: string
  /** Key of the LAG that it is a part of, or of the port that its VLAN is on. */
  lag?: string
  mac?: string
  /** bit/s; absent when unknown. */
  speed?: number
  up?: boolean
  /** Of its configuration; absent where the device tells no VLANs. */
  vlans?: number[]
}

export type Sight = {
  device: number
  kind: DeviceRole
  name: string
  address: string
  /** Unix ms of the reading. */
  at: number
  /** Lower case with colons. */
  macs: string[]
  ports: SightPort[]
  /** Its forwarding table: which MAC it learnt behind which port. Absent: it tells none. */
  fdb?: { mac: string; port: string }[]
  neighbours: LldpNeighbour[]
  /** MACs of its wireless stations, with the SSID. */
  stations: { mac: string; ssid?: string }[]
  /** A default route leads out of it. */
  gateway: boolean
}

const subInterface = /^(.+)\.\d{1,4}$/

/** The port that frames really pass: of a VLAN on an interface that one, of a part of a LAG the LAG. */
function carrier(one: Interface, byName: ReadonlyMap<string, Interface>): Interface {
  const base = one.type === 'vlan' ? byName.get(subInterface.exec(one.name)?.[1] ?? '') : undefined
  if (base) return carrier(base, byName)
  const master = one.master === undefined ? undefined : byName.get(one.master)
  return master?.type === 'lag' ? master : one
}

function vlansOf(port: NonNullable<Observation['ports']>[number]): number[] | undefined {
  const { nativeVlan, taggedVlans } = port
  if (nativeVlan === undefined && taggedVlans === undefined) return undefined
  return [...new Set([...(nativeVlan ? [nativeVlan] : []), ...(taggedVlans ?? [])])].toSorted((a, b) => a - b)
}

const lower = (macs: readonly (string | undefined)[]) => [...new Set(macs.flatMap(mac => mac?.toLowerCase() ?? []))]

function portsOf(observation: Observation, real: (key: string) => string): SightPort[] {
  const front = new Map(observation.ports?.map(port => [port.interface, port]))
  return (observation.interfaces ?? []).map(({ key, name, mac, speed, up }) => {
    const port = front.get(key)
    const vlans = port && vlansOf(port)
    const whole = real(key)
    return {
      key,
      label: port?.label ?? name,
      mac,
      speed,
      up,
      ...(whole !== key && { lag: whole }),
      ...(vlans && { vlans }),
    }
  })
}

type Managed = { id: number; kind: DeviceRole; name: string; address: string }

/** What one reading tells of the wiring. */
export function sightOf({ id, kind, name, address }: Managed, observation: Observation): Sight {
  const { facts, interfaces = [], bss = [], hosts, neighbours = [], stations = [] } = observation
  const byName = new Map(interfaces.map(one => [one.name, one]))
  const byKey = new Map(interfaces.map(one => [one.key, one]))
  const real = (key: string) => {
    const one = byKey.get(key)
    return one ? carrier(one, byName).key : key
  }
  const learnt = hosts?.flatMap(({ mac, port, source }) =>
    source === 'arp' || port === undefined ? [] : [{ mac: mac.toLowerCase(), port: real(port) }],
  )
  const ssids = new Map(bss.map(one => [one.key, one.ssid]))
  return {
    ...{ device: id, kind, name, address, at: observation.takenAt },
    macs: lower([facts?.mac, ...interfaces.map(one => one.mac), ...bss.map(one => one.bssid)]),
    ports: portsOf(observation, real),
    ...(learnt?.length && { fdb: learnt }),
    neighbours: neighbours.map(one => ({ ...one, ...(one.localPort && { localPort: real(one.localPort) }) })),
    stations: stations.map(one => ({ mac: one.mac.toLowerCase(), ssid: one.ssid ?? ssids.get(one.bss ?? '') })),
    gateway: (kind === 'gateway' || kind === 'firewall') && interfaces.some(one => one.defaultRoute),
  }
}
