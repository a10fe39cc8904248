import * as z from 'zod'
import { fleetOf } from '@/server/devices/link/fleet'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { deviceNode } from '@/server/topology/graph'
import { topologyEditCalls } from './edit-calls'
import { placesOf, shownDevices, shownTopology } from './shown'

// How a network is wired: what its devices tell, put together by the worker, with the devices' names and states.

const reading = { tag: 'devices', scope: 'network', authority: 'devices', changes: false } as const

const get = call({
  ...reading,
  path: 'topology/get',
  input: z.strictObject({}),
  /**
   * Nodes: devices, neighbours that tell of themselves without being managed (`stranger`), and `unmanaged` switches that
   * have to be there. Links with both ends, certainty, and the evidence with the time of each reading (Unix ms).
   * `uplinks`: by node the index of its link towards the gateway; nodes without one begin a tree of their own. `places`:
   * where people put nodes in the drawing.
   */
  run: async context => ({ ...(await shownTopology(context)), places: placesOf(context) }),
})

const uplink = call({
  ...reading,
  path: 'topology/uplink',
  input: z.strictObject({ deviceId: z.int().min(1) }),
  /** The way from a device towards the gateway, nearest link first; empty where none is known. */
  async run(context, { deviceId }) {
    if (!shownDevices(context).has(deviceNode(deviceId))) fail('deviceNotFound')
    const { nodes, links, uplinks } = await shownTopology(context)
    const way: (typeof links)[number][] = []
    for (let at = uplinks[deviceNode(deviceId)]; at !== undefined; at = uplinks[way.at(-1)?.upper.node ?? '']) {
      const link = links[at]
      if (!link) break
      way.push(link)
    }
    const passed = new Set([deviceNode(deviceId), ...way.flatMap(one => [one.upper.node, one.lower.node])])
    return { way, nodes: nodes.filter(node => passed.has(node.id)) }
  },
})

const vlanSelect = call({
  ...reading,
  path: 'topology/vlan-select',
  input: z.strictObject({}),
  /** The VLANs that ports of links carry, by their number; `links`: how many of them. */
  async run(context) {
    const { links } = await fleetOf(context.runtime).ask('topology', context.network.id)
    const counts = new Map<number, number>()
    for (const { upper, lower } of links)
      for (const vlan of new Set([...(upper.vlans ?? []), ...(lower.vlans ?? [])]))
        counts.set(vlan, (counts.get(vlan) ?? 0) + 1)
    return { vlans: [...counts].toSorted(([a], [b]) => a - b).map(([id, count]) => ({ id, links: count })) }
  },
})

export const topologyCalls = [get, uplink, vlanSelect, ...topologyEditCalls] as const
