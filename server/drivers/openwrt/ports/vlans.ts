import type { NativeBlock, RenderInput } from '../../driver'
import { prefix } from '../uci/package'
import { uciBlock } from '../uci/uci'

// Where a VLAN of the LAN lives on a router. A wireless network can join a bridge, and a VLAN of one that tells VLANs
// apart. It would take the place of any other interface: so a plain VLAN on the LAN bridge gets a bridge of its own.

type Seen = RenderInput['observation']

/** Name of the network of a VLAN, of its pool and its zone. */
export const vlanNetwork = (vlan: number) => `${prefix}lan${vlan}`

/** `filters`: the bridge tells VLANs apart. `under`: what the VLANs hang on, `br-lan`, or a switch's own `eth0`. */
export type LanBridge = { name: string; filters: boolean; under: string }

/** The bridge that the LAN hangs on: `br-lan`, or `br-lan.1` where the bridge tells VLANs apart. */
export function lanBridge(seen: Seen): LanBridge | undefined {
  const lan = seen?.networkRoles?.lan
  const device = lan && seen?.networks?.find(one => one.name === lan)?.device
  const [, name = '', tag] = /^([A-Za-z0-9_-]+)(\.\d+)?$/.exec(device ?? '') ?? []
  if (name === '') return undefined
  if (tag !== undefined) return { name, filters: name.startsWith('br'), under: name }
  // A switch that is set by swconfig gives the bridge `eth0.1`: another VLAN is another of eth0, not one inside that one.
  const tagged = seen?.interfaces?.find(one => one.master === name && /^[a-z]+\d+\.\d+$/.test(one.name))
  return { name, filters: false, under: tagged?.name.split('.')[0] ?? name }
}

/** Layer 3 device of a VLAN's network. */
export const vlanDevice = ({ name, filters }: LanBridge, vlan: number): string => {
  if (vlan === 1 && !filters) return name
  return filters ? `${name}.${vlan}` : `br-lw${vlan}`
}

/** The device's own network that has the VLAN for itself. */
export function vlanHolder(bridge: LanBridge, vlan: number, seen: Seen) {
  const devices = [vlanDevice(bridge, vlan), `${bridge.under}.${vlan}`]
  return seen?.networks?.find(one => one.name !== vlanNetwork(vlan) && devices.includes(one.device ?? ''))
}

/** The bridge of a VLAN, where it needs one of its own; it is there before anything joins it. */
export const vlanBridge = (bridge: LanBridge, vlan: number, about: Partial<NativeBlock>): NativeBlock[] =>
  bridge.filters || vlan === 1
    ? []
    : [
        uciBlock(
          `network.${prefix}br${vlan}`,
          'device',
          [
            ['name', vlanDevice(bridge, vlan)],
            ['type', 'bridge'],
            ['ports', [`${bridge.under}.${vlan}`]],
            ['bridge_empty', '1'],
          ],
          about,
        ),
      ]

/** The device's own network that wireless clients of a VLAN can join: one on a bridge of its own, or of a bridge that filters. */
export function unmanagedNetwork(vlan: number, bridge: LanBridge | undefined, seen: Seen): string | undefined {
  const members = new Set(
    seen?.interfaces?.filter(one => one.name.endsWith(`.${vlan}`)).flatMap(one => one.master ?? []),
  )
  const joins = (device: string) =>
    members.has(device) || (bridge?.filters === true && device === `${bridge.name}.${vlan}`)
  return seen?.networks?.find(one => !one.name.startsWith(prefix) && joins(one.device ?? ''))?.name
}

/** Whether frames of the VLAN come to the bridge at all. */
export const carries = (bridge: LanBridge, vlan: number, seen: Seen): boolean =>
  !bridge.filters || seen?.ports?.some(port => port.nativeVlan === vlan || port.taggedVlans?.includes(vlan)) === true

/** A VLAN that wireless clients join and that is nothing else on this device: no address, no zone. */
export const bareNetwork = (bridge: LanBridge, vlan: number, about: Partial<NativeBlock>): NativeBlock[] => [
  ...vlanBridge(bridge, vlan, about),
  uciBlock(
    `network.${vlanNetwork(vlan)}`,
    'interface',
    [
      ['proto', 'none'],
      ['device', vlanDevice(bridge, vlan)],
    ],
    about,
  ),
]
