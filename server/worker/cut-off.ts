import { isNeighbour } from '@/server/drivers/assess'
import type { LldpNeighbour } from '@/server/drivers/observation'
import { hasMac, type Macs } from './macs'
import { closeSession, type PolledDevice, readingOf } from './polled-device'
import type { Lost } from './record'

/** MACs that a device said to be its own. */
type OwnMacs = (device: number) => Macs

/** Which devices may be one of these neighbours or hosts, told without their readings: to unpack thousands takes seconds. */
function candidate(neighbours: readonly LldpNeighbour[], hosts: ReadonlyMap<string, string>, ownOf: OwnMacs) {
  const told = (field: 'managementAddress' | 'systemName') => new Set(neighbours.flatMap(one => one[field] ?? []))
  const [addresses, names] = [told('managementAddress'), told('systemName')]
  const macs = [...neighbours.flatMap(one => one.chassisId?.toLowerCase() ?? []), ...hosts.keys()]
  return ({ device, hostname }: PolledDevice): boolean =>
    addresses.has(device.target.address) ||
    names.has(device.name) ||
    (hostname !== undefined && names.has(hostname)) ||
    macs.some(mac => hasMac(ownOf(device.id), mac))
}

/** Devices of the same network that were behind these ports of a switch, by their neighbours and their MACs. */
export function devicesBehind(
  entry: PolledDevice,
  { ports, before }: Lost,
  entries: Iterable<PolledDevice>,
  ownOf: OwnMacs,
): { entry: PolledDevice; port: string }[] {
  const neighbours = before.neighbours?.filter(({ localPort = '' }) => ports.has(localPort)) ?? []
  const hosts = new Map(before.hosts?.flatMap(({ mac, port }) => (port && ports.has(port) ? [[mac, port]] : [])))
  const labelOf = (key: string) => before.ports?.find(port => port.interface === key)?.label ?? key
  const mayBe = candidate(neighbours, hosts, ownOf)
  const others = [...entries].filter(one => one !== entry && one.device.network === entry.device.network && mayBe(one))
  return others.flatMap(one => {
    const observation = readingOf(one)
    if (!observation) return []
    const reading = { id: one.device.id, name: one.device.name, address: one.device.target.address, observation }
    const port =
      neighbours.find(seen => isNeighbour(reading, seen))?.localPort ?? hosts.get(observation.facts?.mac ?? '')
    return port === undefined ? [] : [{ entry: one, port: labelOf(port) }]
  })
}

/** What hangs behind a port that went down is looked for at once, over a new connection; `look` polls it. */
export function lookBehind(
  from: PolledDevice,
  lost: Lost,
  { entries, ownOf }: { entries: Iterable<PolledDevice>; ownOf: OwnMacs },
  look: (entry: PolledDevice) => void,
): void {
  for (const { entry, port } of devicesBehind(from, lost, entries, ownOf)) {
    if (entry.status !== 1) continue
    entry.cutOff = { switch: from.device.name, port }
    closeSession(entry)
    look(entry)
  }
}
