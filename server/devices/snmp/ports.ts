import type { PortProfileFields } from '@/model/profiles/port'
import { numberRanges } from '@/model/rules'
import type {
  Cut,
  DesiredDocument,
  Interrupts,
  NativeBlock,
  NativeConfig,
  Rendered,
  Renderer,
  RenderInput,
  Warning,
} from '../driver'
import type { Interface, Observation, Port } from '../observation'
import { blockId, partsOf, type Variable, vlansText } from './port-state'

// Port profiles as the variables of the ports they name.

type Named = { port: Port; face: Interface }
type Profile = { id: string; name: string; data: PortProfileFields }

const namedPorts = ({ ports, interfaces }: Observation): Named[] =>
  (ports ?? []).flatMap(port => {
    const face = interfaces?.find(one => one.key === port.interface)
    return face ? [{ port, face }] : []
  })

const profileOf = ({ id, name, data }: DesiredDocument): Profile => ({ id, name, data: data as PortProfileFields })

const tell = (code: string, { id }: Profile, values: Record<string, string>, blocks = false): Warning => ({
  code,
  values,
  kind: 'portProfile',
  document: id,
  ...(blocks && { blocks }),
})

const listed = (ranges: string | undefined): number[] =>
  (numberRanges(ranges ?? '') ?? []).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  )

/** What a profile wants of a port, by variable; what is left as the device has it is absent. */
function wanted({ enabled, description, nativeVlan, allowedVlans, poe }: PortProfileFields) {
  const values: Partial<Record<Variable, string>> = { ifAdminStatus: enabled ? 'up' : 'down' }
  if (description !== undefined) values.ifAlias = description
  if (poe !== 'keep') values.pethPsePortAdminEnable = poe
  if (nativeVlan !== undefined) {
    const tagged = listed(allowedVlans).filter(vlan => vlan !== nativeVlan)
    values.vlans = vlansText({ pvid: nativeVlan, untagged: [nativeVlan], tagged })
  }
  return values
}

/** Whether the device told of that variable at its last reading. */
const has: Record<Variable, (named: Named) => boolean> = {
  ifAdminStatus: ({ face }) => face.adminUp !== undefined,
  ifAlias: () => true,
  pethPsePortAdminEnable: ({ port }) => port.poe?.enabled !== undefined,
  vlans: ({ port }) => port.nativeVlan !== undefined,
}

function portBlocks(profile: Profile, named: Named): Rendered {
  const made: Rendered = { blocks: [], warnings: [] }
  for (const [variable, text] of Object.entries(wanted(profile.data)) as [Variable, string][])
    if (has[variable](named))
      made.blocks.push({ id: blockId(named.face.name, variable), text, kind: 'portProfile', document: profile.id })
    else made.warnings.push(tell(`portCannot.${variable}`, profile, { profile: profile.name, port: named.face.name }))
  return made
}

/** The ports of a profile; a name may be the interface's or the label on the front. */
function found(profile: Profile, ports: readonly Named[]): { ports: Named[]; missing: string[] } {
  const of = (name: string) =>
    ports.find(({ face }) => face.name === name) ?? ports.find(({ port }) => port.label === name)
  return {
    ports: [...new Set(profile.data.ports.flatMap(name => of(name) ?? []))],
    missing: profile.data.ports.filter(name => !of(name)),
  }
}

function render({ documents, observation }: RenderInput): Rendered {
  const ports = namedPorts(observation ?? { takenAt: 0, depth: 'full' })
  const taken = new Map<string, Profile>()
  const made: Rendered = { blocks: [], warnings: [] }
  for (const profile of documents.map(profileOf)) {
    const own = found(profile, ports)
    if (own.missing.length)
      made.warnings.push(tell('portMissing', profile, { profile: profile.name, ports: own.missing.join(', ') }))
    for (const named of own.ports) {
      const { name } = named.face
      const other = taken.get(name)
      taken.set(name, profile)
      if (other)
        made.warnings.push(tell('portTwice', profile, { port: name, one: other.name, other: profile.name }, true))
      const { blocks, warnings } = other ? { blocks: [], warnings: [] } : portBlocks(profile, named)
      made.blocks.push(...blocks)
      made.warnings.push(...warnings)
    }
  }
  return { blocks: made.blocks, warnings: [...made.warnings, ...allDisabled(taken, ports)] }
}

/** Rule N17. */
function allDisabled(taken: ReadonlyMap<string, Profile>, ports: readonly Named[]): Warning[] {
  const [last] = [...taken.values()]
  const off = ({ face }: Named) => (taken.get(face.name)?.data.enabled ?? face.adminUp) === false
  return last && ports.every(off) ? [tell('portsAllDisabled', last, {}, true)] : []
}

const keyOf = (name: string, observation: Observation) => observation.interfaces?.find(one => one.name === name)?.key

/** A port that goes down, or leaves a VLAN; a text or power takes nobody's link. */
function interrupts({ id, text }: NativeBlock, observation: Observation): Interrupts | undefined {
  const parts = partsOf(id)
  const key = parts && keyOf(parts.port, observation)
  const stops = parts?.variable === 'vlans' || (parts?.variable === 'ifAdminStatus' && text === 'down')
  return key !== undefined && stops ? { interfaces: [key] } : undefined
}

/** Where it is not known which port leads to the manager, every port with a link may be it. */
function cuts(before: NativeConfig, next: NativeConfig, observation: Observation): Cut[] {
  if (observation.path) return []
  return next.blocks.flatMap(block => {
    const { port = '' } = partsOf(block.id) ?? {}
    const old = before.blocks.find(one => one.id === block.id)
    const up = observation.interfaces?.find(one => one.name === port)?.up !== false
    if (!up || !interrupts(block, observation) || old?.text === block.text) return []
    const { id, kind, document } = block
    return [{ block: id, code: 'wayUnknown', values: { port }, kind, document }]
  })
}

export const portsRenderer: Renderer = {
  kinds: ['portProfile'],
  render,
  fits: ({ kind }) => kind === 'switch',
  interrupts,
  cuts,
}
