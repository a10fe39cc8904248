import type { LldpNeighbour } from '@/server/drivers/observation'
import type { Sight, SightPort } from './sight'

// Whom devices hear by LLDP, CDP and FDP: the neighbour says itself who it is and by which port. Frames of these protocols
// pass no bridge that keeps the standard; what does not keep it lets several be heard on one port.

export type Heard = {
  device: number
  /** Keys of ports; absent where the device does not tell. */
  port?: string
  protocol: 'lldp' | 'cdp' | 'fdp'
  at: number
} & ({ other: number; otherPort?: string } | { stranger: Stranger })

/** Somebody who tells of itself and is not managed. */
export type Stranger = {
  id: string
  name?: string
  port?: string
  capabilities?: string[]
  description?: string
  address?: string
  mac?: string
}

const macLike = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/

const fits = (port: SightPort, id: string | undefined) =>
  id !== undefined &&
  id !== '' &&
  [port.key, port.label, port.mac].includes(macLike.test(id.toLowerCase()) ? id.toLowerCase() : id)

/** The port of a managed device by what a neighbour heard of it; undefined where that is none or several. */
function portHeard({ ports }: Sight, { portId, portDescription }: LldpNeighbour): string | undefined {
  for (const id of [portId, portDescription]) {
    const found = ports.filter(port => fits(port, id))
    if (found.length === 1) return found[0]?.lag ?? found[0]?.key
  }
  return undefined
}

type Index = { byMac: ReadonlyMap<string, number>; byAddress: Map<string, number>; byName: Map<string, number> }

function onlyOnce(pairs: readonly (readonly [string, number])[]): Map<string, number> {
  const found = new Map<string, number>()
  const twice = new Set<string>()
  for (const [key, device] of pairs) {
    if (found.has(key) && found.get(key) !== device) twice.add(key)
    found.set(key, device)
  }
  for (const key of twice) found.delete(key)
  return found
}

const deviceHeard = ({ byMac, byAddress, byName }: Index, seen: LldpNeighbour): number | undefined =>
  byMac.get(seen.chassisId?.toLowerCase() ?? '') ??
  byAddress.get(seen.managementAddress ?? '') ??
  byName.get(seen.systemName ?? '')

function strangerOf(seen: LldpNeighbour): Stranger | undefined {
  const mac = seen.chassisId?.toLowerCase()
  const id = mac ?? seen.managementAddress ?? seen.systemName
  if (!id) return undefined
  return {
    id,
    ...(seen.systemName && { name: seen.systemName }),
    ...(seen.portDescription || seen.portId ? { port: seen.portDescription || seen.portId } : {}),
    ...(seen.capabilities && { capabilities: seen.capabilities }),
    ...(seen.systemDescription && { description: seen.systemDescription }),
    ...(seen.managementAddress && { address: seen.managementAddress }),
    ...(mac && macLike.test(mac) && { mac }),
  }
}

/** Everything that the devices hear of each other and of strangers. */
export function heardBy(sights: readonly Sight[], owners: ReadonlyMap<string, number>): Heard[] {
  const byDevice = new Map(sights.map(one => [one.device, one]))
  const index: Index = {
    byMac: owners,
    byAddress: onlyOnce(sights.map(one => [one.address, one.device])),
    byName: onlyOnce(sights.map(one => [one.name, one.device])),
  }
  return sights.flatMap(({ device, at, neighbours }) =>
    neighbours.flatMap((seen): Heard[] => {
      const base = {
        device,
        at,
        protocol: seen.protocol ?? ('lldp' as const),
        ...(seen.localPort && { port: seen.localPort }),
      }
      const other = deviceHeard(index, seen)
      if (other === device) return []
      if (other === undefined) {
        const stranger = strangerOf(seen)
        return stranger ? [{ ...base, stranger }] : []
      }
      const sight = byDevice.get(other)
      const otherPort = sight && portHeard(sight, seen)
      return [{ ...base, other, ...(otherPort && { otherPort }) }]
    }),
  )
}
