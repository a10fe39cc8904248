import type { Interface } from '../../observation'

/** The bridge that holds the VLAN's tagged interface: eth0.20, vlan20 … */
export function vlanBridge(interfaces: Interface[] | undefined, vlan: number): string | undefined {
  const tagged = new RegExp(`(?:\\.|^vlan0*)${vlan}$`)
  return interfaces?.find(one => one.type === 'vlan' && tagged.test(one.name) && one.master)?.master
}
