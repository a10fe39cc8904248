import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { kindIds } from '@/model/registry'
import { call } from '@/server/kernel/call'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { ownDevice } from './calls'
import { changesOf, standings } from './overview/overview'
import { lastAppliedTo } from './plan/deployments'
import { networkDocuments } from './plan/desired'
import { isMissed, missedOf } from './plan/left-out'
import { engineOf, listedColumns, syncStatusOf } from './plan/plan'
import { named } from './preview'

// Saved settings that are not where they were given to, as pages ask for them.

const reading = { tag: 'changes', scope: 'network', authority: 'devices', changes: false } as const
const deviceId = z.int().positive()

/** Settings that are not on every device they were given to and that could have them, and why; all kinds, or one. */
const leftOutList = call({
  ...reading,
  path: 'changes/left-out/list',
  input: z.strictObject({ ...wholeListInput, kind: z.enum(kindIds).optional() }),
  async run({ runtime, network }, { kind, ...input }) {
    const { leftOut } = await changesOf(engineOf(runtime), network.id)
    const rows = leftOut.filter(one => kind === undefined || one.kind === kind)
    return listed(rows, input, {
      text: one => [one.name],
      sort: { name: one => one.name, kind: one => one.kind, on: one => one.on, of: one => one.of },
    })
  },
})

/** What one device does not have of the settings given to it, and why. */
const leftOutOnDevice = call({
  ...reading,
  path: 'devices/left-out/list',
  input: z.strictObject({ ...wholeListInput, deviceId }),
  async run(context, { deviceId, ...input }) {
    const { runtime } = context
    const { leftOut } = await syncStatusOf(engineOf(runtime), ownDevice(context, deviceId))
    const rows = named(runtime, leftOut.filter(isMissed))
    return listed(rows, input, {
      text: one => [one.name],
      sort: { name: one => one.name, kind: one => one.kind, code: one => one.code },
    })
  },
})

/** How many of the settings given to each of these devices it does not have; null: it was never read, so nobody knows. */
const leftOutCounts = call({
  ...reading,
  path: 'devices/left-out/count',
  input: z.strictObject({ ids: z.array(deviceId).max(200) }),
  async run({ runtime, network }, { ids }) {
    const { db } = runtime
    const engine = engineOf(runtime)
    const turn = engine.syncCache.turn()
    const own = and(eq(devices.network, network.id), inArray(devices.id, ids))
    const rows = db.select(listedColumns).from(devices).where(own).all()
    const documents = networkDocuments(db, network.id)
    const found = await standings(engine, rows, { turn, documents, appliedTo: id => lastAppliedTo(db, id) })
    const result = found.map(({ device, standing }) => ({
      id: device.id,
      count: standing.modified === undefined ? null : missedOf(standing.leftOut),
    }))
    return { result }
  },
})

export const leftOutCalls = [leftOutList, leftOutOnDevice, leftOutCounts] as const
