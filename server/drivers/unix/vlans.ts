/** VLAN membership of one port; absent means that the bridge does not tell frames apart. */
export type Vlans = { nativeVlan?: number; taggedVlans?: number[] }
