import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { dashboards } from '@/db/schema'
import { defaultTiles, mayTile, readTiles, sizesOf, type Tile, tileIds, tiles } from '@/model/dashboard/tiles'
import { tallyOf } from '@/server/devices/inventory/device-index'
import { recordsPart } from '@/server/insight/records/start'
import { type Actor, call } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { reading } from './reading'

// Each person's own dashboard of each network: which tiles, in which order and size.

const ofPerson = (account: number, network: number) =>
  and(eq(dashboards.account, account), eq(dashboards.network, network))

function storedTiles({ db }: Runtime, account: number, network: number): Tile[] | undefined {
  const row = db.select({ tiles: dashboards.tiles }).from(dashboards).where(ofPerson(account, network)).get()
  return row && readTiles(JSON.parse(row.tiles))
}

function standardTiles(runtime: Runtime, network: number): Tile[] {
  const kinds = new Set(tallyOf(runtime, network).map(one => one.kind))
  const websites = recordsPart.find(runtime)?.logs(network)?.urlLog === true
  return defaultTiles({ gateways: kinds.has('gateway') || kinds.has('firewall'), wifi: kinds.has('ap'), websites })
}

type Viewer = Pick<Actor, 'id' | 'authorities'>

function layoutOf(runtime: Runtime, { id, authorities }: Viewer, network: number) {
  const may = (one: Pick<Tile, 'id'>) => mayTile(one.id, authorities)
  const own = storedTiles(runtime, id, network)
  const standard = standardTiles(runtime, network).filter(may)
  return { tiles: own?.filter(may) ?? standard, own: own !== undefined, standard }
}

/** What a person's dashboard of a network shows. */
export const tilesOf = (runtime: Runtime, viewer: Viewer, network: number): Tile[] =>
  layoutOf(runtime, viewer, network).tiles

export const dashboardLayout = call({
  ...reading,
  path: 'dashboard/layout',
  input: z.strictObject({}),
  /**
   * The tiles of the caller's dashboard of the network, in order; `own`: the caller put them there. `standard`: without that.
   * `offered`: all tiles that there are for the caller.
   */
  run({ runtime, actor, network }) {
    const offered = tileIds.filter(id => mayTile(id, actor.authorities))
    return { ...layoutOf(runtime, actor, network.id), offered }
  },
})

export const saveDashboard = call({
  ...reading,
  path: 'dashboard/save',
  topics: ['dashboards'],
  changes: true,
  changelog: 'own',
  send: 'once',
  input: z.strictObject({ tiles: tiles.nullable() }),
  /** Keeps the caller's own tiles of the network, in this order, each once; null: as it comes. */
  run({ runtime, actor, network }, input) {
    const { db } = runtime
    if (input.tiles === null) {
      db.delete(dashboards).where(ofPerson(actor.id, network.id)).run()
      return
    }
    input.tiles.forEach(({ id, size }, at) => {
      const before = input.tiles?.findIndex(one => one.id === id)
      if (before !== at) failFields({ [`tiles.${at}.id`]: 'duplicate' })
      if (!sizesOf(id).includes(size)) failFields({ [`tiles.${at}.size`]: 'invalid' })
    })
    const row = { account: actor.id, network: network.id, tiles: JSON.stringify(input.tiles) }
    db.insert(dashboards)
      .values(row)
      .onConflictDoUpdate({ target: [dashboards.account, dashboards.network], set: { tiles: row.tiles } })
      .run()
  },
})
