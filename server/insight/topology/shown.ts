import { eq } from 'drizzle-orm'
import { topologyLinks, topologyPlaces } from '@/db/schema'
import { type StoredDevice, storedDevices } from '@/server/devices/inventory/stored-devices'
import { fleetOf } from '@/server/devices/link/fleet'
import type { NetworkContext } from '@/server/kernel/call'
import { type HandLink, withHand } from '@/server/topology/by-hand'
import { deviceNode, type TopologyNode } from '@/server/topology/graph'

// The wiring as the worker puts it together, with the devices' names and states, and with what people know of it.

export type ShownDevice = Pick<
  StoredDevice,
  'id' | 'name' | 'kind' | 'model' | 'status' | 'statusAt' | 'reason' | 'openLogin'
> & {
  /** Absent: the device tells none, or was not read yet. */
  clients?: number
}
export type ShownNode =
  | (Extract<TopologyNode, { kind: 'device' }> & { shown: ShownDevice })
  | Exclude<TopologyNode, { kind: 'device' }>

export function shownDevices({ runtime, network }: NetworkContext): Map<string, ShownDevice> {
  const fleet = fleetOf(runtime)
  const rows = storedDevices(runtime, network.id).map(
    ({ id, name, kind, model, status, statusAt, reason, openLogin }): [string, ShownDevice] => {
      const clients = fleet.live.get(fleet.rowOf(id), 'clients')
      const told = clients === undefined ? {} : { clients }
      return [deviceNode(id), { id, name, kind, model, status, statusAt, reason, openLogin, ...told }]
    },
  )
  return new Map(rows)
}

/** What people said of the network's links, in the order in which they did. */
export const handLinks = ({ runtime, network }: NetworkContext): HandLink[] =>
  runtime.db.select().from(topologyLinks).where(eq(topologyLinks.network, network.id)).orderBy(topologyLinks.id).all()

/** The wiring with the devices as they are stored: those that nobody has read yet stand alone. */
export async function shownTopology(context: NetworkContext) {
  const { nodes, links, uplinks } = await fleetOf(context.runtime).ask('topology', context.network.id)
  const devices = shownDevices(context)
  const told = nodes.flatMap((node): ShownNode[] => {
    if (node.kind !== 'device') return [node]
    const shown = devices.get(node.id)
    return shown ? [{ ...node, shown }] : []
  })
  const known = new Set(told.map(node => node.id))
  const unread = [...devices].flatMap(([id, shown]): ShownNode[] =>
    known.has(id) ? [] : [{ id, kind: 'device', device: shown.id, shown }],
  )
  const shown = [...told, ...unread]
  const ways = withHand(new Set(shown.map(node => node.id)), { links, uplinks }, handLinks(context))
  return { nodes: shown, ...ways }
}

/** Where people put nodes: {node: {x, y}}. */
export function placesOf({ runtime, network }: NetworkContext): Record<string, { x: number; y: number }> {
  const rows = runtime.db.select().from(topologyPlaces).where(eq(topologyPlaces.network, network.id)).all()
  return Object.fromEntries(rows.map(({ node, x, y }) => [node, { x, y }]))
}
