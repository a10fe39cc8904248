import { and, eq } from 'drizzle-orm'
import { deviceParents, devices } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Runtime } from '@/server/kernel/runtime'
import { parentsOf } from './wiring'

/**
 * Keeps through whom each device of a network is reached, while it and that one answer: once they are silent their
 * tables are empty, and the wiring of before is what explains the silence.
 */
export async function learnParents(runtime: Runtime, network: number): Promise<void> {
  const { db } = runtime
  const wiring = await fleetOf(runtime).ask('topology', network)
  const found = parentsOf(wiring, wiring.origin)
  const online = db
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.network, network), eq(devices.status, 1)))
    .all()
  const up = new Set(online.map(({ id }) => id))
  const at = Date.now()
  db.transaction(() => {
    for (const [device, { parent, port = null }] of found) {
      if (!up.has(device) || !up.has(parent)) continue
      const row = { parent, port, at }
      db.insert(deviceParents)
        .values({ device, ...row })
        .onConflictDoUpdate({ target: deviceParents.device, set: row })
        .run()
    }
    // One that is reached directly now has nobody above.
    const top = [...up].filter(id => !found.has(id) && found.size > 0)
    for (const id of top) db.delete(deviceParents).where(eq(deviceParents.device, id)).run()
  })
}

/** Networks with several devices: of one alone nothing can be learned. */
export const learnable = ({ sqlite }: Runtime): number[] =>
  sqlite
    .prepare('SELECT network FROM devices WHERE status = 1 GROUP BY network HAVING count(*) > 1')
    .pluck()
    .all() as number[]
