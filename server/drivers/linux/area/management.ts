import type { NativeBlock, RenderInput, Warning } from '../../driver'
import type { Interface, Observation } from '../../observation'
import { placedPorts, wantedVlans } from '../../port-profiles'
import { systemSettings } from '../../unix/system'
import { fileBlock } from './area'

// The VLAN of the device's own address: that of its bridge, which in Open vSwitch and in the kernel is a port as others are.

const about = { kind: 'system', document: 'system' }

/** Its kernel lets it tell VLANs apart; Open vSwitch always does. */
export const switches = ({ openvswitch, vlanFiltering }: Interface) =>
  openvswitch === true || vlanFiltering !== undefined

/** The bridge that has the device's address, where it can tell VLANs apart. */
const ownBridge = (seen: Observation | undefined): Interface | undefined => {
  const bridges = seen?.interfaces?.filter(one => one.type === 'bridge' && switches(one)) ?? []
  const way = seen?.path?.interface
  return bridges.find(one => (way === undefined ? one.addresses?.length : one.key === way))
}

/** Open vSwitch passes every VLAN where nobody says otherwise; the kernel those that a port has, or gets by its profile. */
function isCarried(vlan: number, bridge: Interface, { facts, observation, documents }: RenderInput): boolean {
  if (bridge.openvswitch || vlan === 1) return true
  const wanted = placedPorts(documents, observation, facts.kind).placed.flatMap(
    one => wantedVlans(one.profile.data) ?? [],
  )
  return (
    wanted.some(one => one.native === vlan || one.tagged.includes(vlan)) ||
    observation?.ports?.some(one => one.nativeVlan === vlan || one.taggedVlans?.includes(vlan)) === true
  )
}

/** Of a switch or an access point; a gateway's addresses are those of its LANs. */
export function managementBlocks(
  input: RenderInput,
  pathOf: (port: string) => string,
): { blocks: NativeBlock[]; warnings: Warning[] } {
  const { facts, observation, documents } = input
  const vlan = systemSettings(documents)?.managementVlan
  if (vlan === undefined) return { blocks: [], warnings: [] }
  const only = (code: Warning['code']) => ({ blocks: [], warnings: [{ ...about, code }] })
  if (facts.kind === 'gateway' || facts.kind === 'firewall') return only('managementGateway')
  // Rule N18.
  if (observation?.managementByDhcp) return only('managementByDhcp')
  const bridge = ownBridge(observation)
  if (!bridge || !['root', 'systemd'].every(one => facts.capabilities.includes(one)))
    return only('systemOption.managementVlan')
  const text = `# Written by Lanward. Changes made here are replaced.\nport=${bridge.name}\nnative=${vlan}\n`
  const values = { vlan, bridge: bridge.name }
  const warnings = isCarried(vlan, bridge, input) ? [] : [{ ...about, code: 'managementUncarried' as const, values }]
  return { blocks: [fileBlock(pathOf(bridge.name), text, about)], warnings }
}
