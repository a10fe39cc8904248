import { and, eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import { loadKind } from '@/model/registry'
import type { Runtime } from '@/server/kernel/runtime'
import { viewSingle } from '@/server/networks/settings/singles'

/** IANA name of the zone a network's devices keep their clocks by: the one set under System, else that of its place. */
export async function networkZone(runtime: Runtime, organization: number, id: number): Promise<string | undefined> {
  const own = and(eq(networks.organization, organization), eq(networks.id, id))
  const network = runtime.db.select().from(networks).where(own).get()
  if (!network) return undefined
  const { timeZone } = viewSingle({ runtime, network }, await loadKind('system'), {}).own
  return typeof timeZone === 'string' ? timeZone : network.timezone
}
