import type { PortProfileFields } from '@/model/profiles/port'
import { numberRanges } from '@/model/rules'
import type { DesiredDocument, Warning } from './driver'
import type { Port } from './hardware'
import type { DeviceRole, Interface, Observation } from './observation'
import type { PortTrait, WarningCode } from './words'

// Which port gets which profile, the same for every driver.

export type NamedPort = { port: Port; face: Interface }
export type PortProfile = { id: string; name: string; data: PortProfileFields }
export type Placed = { profile: PortProfile; named: NamedPort }

export const portWarning = (
  code: WarningCode,
  { id }: PortProfile,
  values: Record<string, string>,
  blocks = false,
): Warning => ({ code, values, kind: 'portProfile', document: id, ...(blocks && { blocks }) })

/** A profile asks of a port what the device cannot do: it is left out. */
export const cannot = (what: PortTrait, { profile, named }: Placed): Warning =>
  portWarning(`portCannot.${what}`, profile, { profile: profile.name, port: named.face.name })

export const namedPorts = ({ ports, interfaces }: Pick<Observation, 'ports' | 'interfaces'>): NamedPort[] => {
  const faces = new Map(interfaces?.map(face => [face.key, face]))
  return (ports ?? []).flatMap(port => {
    const face = faces.get(port.interface)
    return face ? [{ port, face }] : []
  })
}

/** A name may be the interface's or the label on the front; the former goes first. */
export const portCalled = (name: string, ports: readonly NamedPort[]): NamedPort | undefined =>
  ports.find(({ face }) => face.name === name) ?? ports.find(({ port }) => port.label === name)

/** `20,30-32` as numbers. */
export const listedVlans = (ranges: string | undefined): number[] =>
  (numberRanges(ranges ?? '') ?? []).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  )

/** Rule N14. */
const untaggedLan = 1

/** VLANs of a port as a profile wants them; undefined: as the device has them. */
export function wantedVlans({ nativeVlan, allowedVlans }: PortProfileFields) {
  if (nativeVlan === undefined) return undefined
  const native = nativeVlan === 0 ? untaggedLan : nativeVlan
  // A frame whose tag says 0 belongs to the native VLAN on every port (IEEE 802.1Q section 6.9): nothing is set for it.
  const tagged = [...new Set(listedVlans(allowedVlans))].filter(vlan => vlan !== native && vlan !== 0)
  return { native, tagged: tagged.sort((a, b) => a - b) }
}

/** Rule N17. */
function allDisabled(taken: ReadonlyMap<string, PortProfile>, ports: readonly NamedPort[]): Warning[] {
  const [last] = [...taken.values()]
  const off = ({ face }: NamedPort) => (taken.get(face.name)?.data.enabled ?? face.adminUp) === false
  return last && ports.every(off) ? [portWarning('portsAllDisabled', last, {}, true)] : []
}

/** Each port with its profile. A name that no port has is told; a port of two profiles, and no port left on, stop the push. */
export function placedPorts(
  documents: readonly DesiredDocument[],
  observation: Observation | undefined,
  kind: DeviceRole = 'switch',
): { placed: Placed[]; warnings: Warning[] } {
  const ports = namedPorts(observation ?? {})
  const taken = new Map<string, PortProfile>()
  const placed: Placed[] = []
  const warnings: Warning[] = []
  for (const { id, name, data } of documents.filter(one => one.kind === 'portProfile')) {
    const profile = { id, name, data: data as PortProfileFields }
    const missing = profile.data.ports.filter(one => !portCalled(one, ports))
    // Given to all devices, a profile means those that have such ports.
    const meant = kind === 'switch' || missing.length < profile.data.ports.length
    if (missing.length && meant)
      warnings.push(portWarning('portMissing', profile, { profile: name, ports: missing.join(', ') }))
    for (const named of new Set(profile.data.ports.flatMap(one => portCalled(one, ports) ?? []))) {
      const other = taken.get(named.face.name)
      taken.set(named.face.name, profile)
      if (other)
        warnings.push(portWarning('portTwice', profile, { port: named.face.name, one: other.name, other: name }, true))
      else placed.push({ profile, named })
    }
  }
  return { placed, warnings: [...warnings, ...allDisabled(taken, ports)] }
}
