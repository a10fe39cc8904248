import { and, eq, inArray } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Observation } from '@/server/drivers/observation'
import type { Runtime } from '@/server/kernel/runtime'

export type Gateway = {
  id: number
  name: string
  address: string
  status: number
  /** Its last reading; absent while it does not answer. */
  observation: Observation | undefined
}

/** The gateways of a network with what they said last. */
export async function gatewaysOf(runtime: Runtime, network: number): Promise<Gateway[]> {
  const rows = runtime.db
    .select({ id: devices.id, name: devices.name, address: devices.address, status: devices.status })
    .from(devices)
    .where(and(eq(devices.network, network), inArray(devices.kind, ['gateway', 'firewall'])))
    .all()
  return Promise.all(
    rows.map(async row => {
      const reading = row.status === 1 ? await fleetOf(runtime).ask('reading', row.id) : undefined
      return { ...row, observation: reading?.observation }
    }),
  )
}
