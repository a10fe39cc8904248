import { and, count, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { topologyLinks, topologyPlaces } from '@/db/schema'
import { limits } from '@/model/limits'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { id, note } from '@/server/kernel/shapes'
import { isAbove } from '@/server/topology/by-hand'
import { deviceNode } from '@/server/topology/graph'
import { shownDevices, shownTopology } from './shown'

// What people say of the wiring: links that no device tells of, the way up, and where nodes stand in the drawing. Nothing
// of it reaches a device.

const editing = {
  tag: 'devices',
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  topics: ['topology'],
  changelog: 'entry',
  send: 'each',
} as const

const tell = ({ runtime, actor, network }: NetworkContext) =>
  runtime.bus.emit({ topic: 'topology', organization: actor.organization, network: network.id })

/** Both devices by their names; one that is not of this network refuses the call. */
function namesOf(context: NetworkContext, ids: readonly number[]): string[] {
  const devices = shownDevices(context)
  return ids.map(one => devices.get(deviceNode(one))?.name ?? fail('deviceNotFound'))
}

const failFull = (field: string, max: number) =>
  fail('invalidInput', { fields: { [field]: 'tooMany' }, values: { [field]: { max } } })

const linkSave = call({
  ...editing,
  path: 'topology/links/save',
  input: z.strictObject({ upper: id, lower: id, uplink: z.boolean() }),
  /**
   * Says that two devices are linked; with `uplink` that it is the way of `lower` towards the gateway. Saved once more for
   * the same two, the last one counts. An uplink that is below its own device is refused at `upper`.
   */
  async run(context, { upper, lower, uplink }) {
    const { runtime, network, actor, now, log } = context
    const { db } = runtime
    const [above = '', below = ''] = namesOf(context, [upper, lower])
    if (upper === lower) failFields({ upper: 'sameDevice' })
    if (uplink && isAbove(await shownTopology(context), deviceNode(lower), deviceNode(upper)))
      failFields({ upper: 'belowDevice' })
    const said = { uplink, account: actor.account, at: now }
    const saved = db.transaction(() => {
      const own = eq(topologyLinks.network, network.id)
      const turned = and(own, eq(topologyLinks.upper, lower), eq(topologyLinks.lower, upper))
      db.delete(topologyLinks).where(turned).run()
      // A device has one way up.
      if (uplink)
        db.update(topologyLinks)
          .set({ uplink: false })
          .where(and(own, eq(topologyLinks.lower, lower)))
          .run()
      const held = db.select({ all: count() }).from(topologyLinks).where(own).get()?.all ?? 0
      if (held >= limits.topologyLinks) failFull('upper', limits.topologyLinks)
      const row = db
        .insert(topologyLinks)
        .values({ network: network.id, upper, lower, ...said })
        .onConflictDoUpdate({ target: [topologyLinks.network, topologyLinks.upper, topologyLinks.lower], set: said })
        .returning({ id: topologyLinks.id })
        .get()
      log({ action: 'edit', object: 'topologyLink', name: `${above} – ${below}`, fields: {} })
      return row
    })
    tell(context)
    return saved
  },
})

const linkDelete = call({
  ...editing,
  path: 'topology/links/delete',
  input: z.strictObject({ ids: z.array(id).min(1, 'required').max(limits.topologyLinks) }),
  /** Takes back what was said of links; what devices tell stays. One that is gone already is not there afterwards either. */
  run(context, { ids }) {
    const { runtime, network, log } = context
    const { db } = runtime
    const devices = shownDevices(context)
    const nameOf = (device: number) => devices.get(deviceNode(device))?.name ?? String(device)
    const gone = db.transaction(() => {
      const own = and(eq(topologyLinks.network, network.id), inArray(topologyLinks.id, ids))
      const rows = db.delete(topologyLinks).where(own).returning().all()
      for (const { upper, lower } of rows)
        log({ action: 'delete', object: 'topologyLink', name: `${nameOf(upper)} – ${nameOf(lower)}`, fields: {} })
      return rows.map(row => row.id)
    })
    tell(context)
    return { ids: gone }
  },
})

/** As the topology names nodes. */
const node = note(200).min(2, 'required')
/** Points of the drawing; a network of thousands is some ten thousand wide. */
const point = z.int().min(-1_000_000).max(1_000_000)

const placeSave = call({
  ...editing,
  path: 'topology/places/save',
  input: z.strictObject({
    places: z
      .array(z.strictObject({ node, x: point, y: point }))
      .min(1, 'required')
      .max(limits.topologyPlaces),
  }),
  /** Puts nodes of the drawing where somebody wants them, for all who look at it. */
  run(context, { places }) {
    const { runtime, network, log } = context
    const { db } = runtime
    db.transaction(() => {
      for (const { node, x, y } of places)
        db.insert(topologyPlaces)
          .values({ network: network.id, node, x, y })
          .onConflictDoUpdate({ target: [topologyPlaces.network, topologyPlaces.node], set: { x, y } })
          .run()
      const own = eq(topologyPlaces.network, network.id)
      const held = db.select({ all: count() }).from(topologyPlaces).where(own).get()?.all ?? 0
      if (held > limits.topologyPlaces) failFull('places', limits.topologyPlaces)
      log({ action: 'move', object: 'topologyPlaces', name: network.name, fields: {} })
    })
    tell(context)
    return { nodes: places.map(one => one.node) }
  },
})

const placeDelete = call({
  ...editing,
  path: 'topology/places/delete',
  input: z.strictObject({ nodes: z.array(node).min(1, 'required').max(limits.topologyPlaces).optional() }),
  /** Lets nodes stand again where the drawing puts them; without `nodes` all of them. */
  run(context, { nodes }) {
    const { runtime, network, log } = context
    const { db } = runtime
    const gone = db.transaction(() => {
      const own = eq(topologyPlaces.network, network.id)
      const which = nodes ? and(own, inArray(topologyPlaces.node, nodes)) : own
      const rows = db.delete(topologyPlaces).where(which).returning().all()
      if (rows.length > 0) log({ action: 'delete', object: 'topologyPlaces', name: network.name, fields: {} })
      return rows.map(row => row.node)
    })
    tell(context)
    return { nodes: gone }
  },
})

export const topologyEditCalls = [linkSave, linkDelete, placeSave, placeDelete] as const
