import type { Interrupts, NativeBlock, RenderInput, Warning } from '../../driver'
import type { Port } from '../../hardware'
import type { Observation } from '../../observation'
import { type Placed, placedPorts, portWarning, wantedVlans } from '../../port-profiles'
import { present } from '../../unix/text'
import { prefix } from '../uci/package'
import { uciBlock } from '../uci/uci'

// VLANs of ports, as `bridge-vlan` sections of ours on a bridge that tells VLANs apart already. netifd keeps one section
// for each VLAN of a bridge, the last one: so one of ours never stands beside one of the system's.

type Bridge = NonNullable<Observation['vlanBridges']>[number]
type Member = { bridge: string; port: string; document: string; native?: number; tagged: readonly number[] }

const section = (bridge: string, vlan: number) => `network.${prefix}vlan_${bridge.replaceAll(/\W/g, '_')}_${vlan}`

/** VLANs of which the system's own sections say otherwise than a profile. */
function contradicted(wanted: { native: number; tagged: number[] }, port: string, { vlans, ports }: Bridge): number[] {
  const own = ports[port] ?? {}
  const has = [...(own.nativeVlan === undefined ? [] : [own.nativeVlan]), ...(own.taggedVlans ?? [])]
  const same = (vlan: number) =>
    vlan === wanted.native
      ? own.nativeVlan === vlan && !own.taggedVlans?.includes(vlan)
      : own.taggedVlans?.includes(vlan) === true && own.nativeVlan !== vlan
  const asked = [wanted.native, ...wanted.tagged]
  const wrong = [
    ...has.filter(vlan => !asked.includes(vlan)),
    ...asked.filter(vlan => vlans.includes(vlan) && !same(vlan)),
  ]
  return [...new Set(wrong)].sort((a, b) => a - b)
}

/** What sections of ours have to say of a port; the warning where they cannot, and its VLANs stay as they are. */
function memberOf({ profile, named }: Placed, observation: Observation | undefined): Member | Warning | undefined {
  const wanted = wantedVlans(profile.data)
  const { name, master } = named.face
  if (!wanted) return undefined
  const values = { profile: profile.name, port: name }
  // Without it sections of ours would be taken away, and what hangs on them.
  if (!observation?.vlanBridges) return portWarning('portVlansUnread', profile, values, true)
  const bridge = observation.vlanBridges.find(one => one.name === master)
  if (!bridge) return portWarning('portCannot.bridgeVlans', profile, values)
  const wrong = contradicted(wanted, name, bridge)
  if (wrong.length > 0) return portWarning('portCannot.systemVlans', profile, { ...values, vlans: wrong.join(', ') })
  const ours = (vlan: number) => !bridge.vlans.includes(vlan)
  return {
    ...{ bridge: bridge.name, port: name, document: profile.id, tagged: wanted.tagged.filter(ours) },
    ...(ours(wanted.native) && { native: wanted.native }),
  }
}

/** `lan1:u*`: untagged, and where untagged frames belong; `lan1:t`: tagged. */
const words = (members: readonly Member[], vlan: number): string[] =>
  members
    .filter(one => one.native === vlan || one.tagged.includes(vlan))
    .map(one => `${one.port}:${one.native === vlan ? 'u*' : 't'}`)
    .sort()

function bridgeBlocks(bridge: string, members: readonly Member[]): NativeBlock[] {
  const vlans = members.flatMap(one => [...(one.native === undefined ? [] : [one.native]), ...one.tagged])
  return [...new Set(vlans)]
    .sort((a, b) => a - b)
    .map(vlan => {
      const first = members.find(one => one.native === vlan || one.tagged.includes(vlan))
      const options = [
        ['device', bridge] as const,
        ['vlan', String(vlan)] as const,
        ['ports', words(members, vlan)] as const,
      ]
      const about = { kind: 'portProfile', ...(first && { document: first.document }) }
      return uciBlock(section(bridge, vlan), 'bridge-vlan', options, about)
    })
}

const isMember = (one: Member | Warning): one is Member => 'port' in one

/** The VLANs of ports that have a profile. */
export function portVlans(placed: readonly Placed[], observation: Observation | undefined) {
  const all = placed.flatMap(one => memberOf(one, observation) ?? [])
  const members = all.filter(isMember)
  const bridges = [...new Set(members.map(one => one.bridge))]
  const blocks = bridges.flatMap(bridge =>
    bridgeBlocks(
      bridge,
      members.filter(one => one.bridge === bridge),
    ),
  )
  return { blocks, warnings: all.filter((one): one is Warning => !isMember(one)), members }
}

/** The same with the ports in those VLANs that the plan gives them: a wireless network joins what reaches the device then. */
export function withPlannedVlans<T extends RenderInput>(input: T): T {
  const { observation, documents, facts } = input
  if (!observation?.vlanBridges) return input
  const { members } = portVlans(placedPorts(documents, observation, facts.kind).placed, observation)
  const own = new Map(observation.vlanBridges.flatMap(one => Object.entries(one.ports)))
  const ports = observation.ports?.map(port => {
    const { native, tagged = [] } = members.find(one => one.port === port.interface) ?? {}
    const { nativeVlan = native, taggedVlans = [] } = own.get(port.interface) ?? {}
    return present<Port>({ ...port, nativeVlan, taggedVlans: [...taggedVlans, ...tagged] })
  })
  return { ...input, observation: { ...observation, ...(ports && { ports }) } }
}

/** Tagged frames of others pass on; who is in a VLAN without a tag, or manages the device in it, is cut for a moment. */
export function vlanInterrupts({ id, text }: NativeBlock, { path }: Observation): Interrupts | undefined {
  if (!id.startsWith(`uci:network.${prefix}vlan_`)) return undefined
  const [, bridge] = /\.device='([^']*)'/.exec(text) ?? []
  const [, vlan] = /\.vlan='(\d+)'/.exec(text) ?? []
  const ports = [...text.matchAll(/'([^':]+):(u\*|t)'/g)]
  const touched = ports.filter(([, , how]) => how === 'u*' || path?.interface === `${bridge}.${vlan}`)
  return touched.length > 0 ? { interfaces: touched.flatMap(([, port = '']) => port) } : undefined
}
