import type { PortProfileFields } from '@/model/profiles/port'
import { changedFields } from '../../changed-fields'
import type { Adopted, Cut, Interrupts, NativeBlock, NativeConfig, Rendered, Renderer, RenderInput } from '../../driver'
import type { Observation } from '../../observation'
import { cannot, type NamedPort, type Placed, placedPorts, wantedVlans } from '../../port-profiles'
import type { PortTrait } from '../../words'
import { blockId, parseVlans, partsOf, type Variable, vlansText } from './port-state'

// Port profiles as the variables of the ports they name.

/** What a profile wants of a port, by variable; what is left as the device has it is absent. */
function wanted(data: PortProfileFields) {
  const { enabled, description, poe } = data
  const values: Partial<Record<Variable, string>> = { ifAdminStatus: enabled ? 'up' : 'down' }
  if (description !== undefined) values.ifAlias = description
  if (poe !== 'keep') values.pethPsePortAdminEnable = poe
  const vlans = wantedVlans(data)
  if (vlans) values.vlans = vlansText({ pvid: vlans.native, untagged: [vlans.native], tagged: vlans.tagged })
  return values
}

/** Whether the device told of that variable at its last reading. */
const has: Record<Variable, (named: NamedPort) => boolean> = {
  ifAdminStatus: ({ face }) => face.adminUp !== undefined,
  ifAlias: () => true,
  pethPsePortAdminEnable: ({ port }) => port.poe?.enabled !== undefined,
  vlans: ({ port }) => port.nativeVlan !== undefined,
}

/** What no standard MIB lets a manager write. */
const unwritable: readonly [what: PortTrait, asked: (data: PortProfileFields) => boolean][] = [
  ['speed', ({ speed }) => speed !== 'keep'],
  ['isolation', ({ isolation }) => isolation !== 'keep'],
  ['stormLimit', ({ stormLimit }) => stormLimit !== undefined],
  ['lag', ({ lag }) => lag !== undefined],
  ['mirror', ({ mirrorTo }) => mirrorTo !== undefined],
]

function portBlocks(placed: Placed): Rendered {
  const { profile, named } = placed
  const texts = Object.entries(wanted(profile.data)) as [Variable, string][]
  const lacking = unwritable.filter(([, asked]) => asked(profile.data)).map(([what]) => what)
  return {
    blocks: texts
      .filter(([variable]) => has[variable](named))
      .map(([variable, text]) => ({
        id: blockId(named.face.name, variable),
        text,
        kind: 'portProfile',
        document: profile.id,
      })),
    warnings: [...texts.map(([variable]) => variable).filter(variable => !has[variable](named)), ...lacking].map(what =>
      cannot(what, placed),
    ),
  }
}

function render({ documents, observation }: RenderInput): Rendered {
  const { placed, warnings } = placedPorts(documents, observation)
  const made = placed.map(portBlocks)
  return {
    blocks: made.flatMap(one => one.blocks),
    warnings: [...made.flatMap(one => one.warnings), ...warnings],
  }
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

/** What a profile says for its ports to be so; VLANs as it can say them: one untagged, which is the port's own. */
const said: Record<Variable, (text: string) => Partial<PortProfileFields> | undefined> = {
  ifAdminStatus: text => (text === 'testing' ? undefined : { enabled: text === 'up' }),
  ifAlias: text => ({ description: text }),
  pethPsePortAdminEnable: text => (text === 'on' || text === 'off' ? { poe: text } : undefined),
  vlans: text => {
    const { pvid, untagged, tagged } = parseVlans(text)
    if (untagged.join() !== String(pvid)) return undefined
    return { nativeVlan: pvid, allowedVlans: tagged.length ? tagged.join(',') : undefined }
  },
}

function adopt({ id, text }: NativeBlock, planned: NativeBlock): Adopted[] | undefined {
  const variable = partsOf(id)?.variable
  const [before, after] = [planned.text, text].map(one => (variable ? said[variable](one) : undefined))
  const { document } = planned
  return after && document ? [{ document, fields: changedFields(before ?? {}, after) }] : undefined
}

export const portsRenderer: Renderer = {
  kinds: ['portProfile'],
  render,
  fits: ({ kind }) => kind === 'switch',
  interrupts,
  cuts,
  adopt,
}
