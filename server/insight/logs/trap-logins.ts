import { eq, isNotNull } from 'drizzle-orm'
import { credentials, devices } from '@/db/schema'
import { openCredential } from '@/server/devices/link/credential-store'
import type { Runtime } from '@/server/kernel/runtime'
import type { TrapLogins } from '@/server/worker/intake/protocol'

/** What the manager reads each device with over SNMP: its notifications may come with the same. */
export function trapLogins(runtime: Runtime): TrapLogins {
  const opened = new Map<number, TrapLogins[number] | undefined>()
  const loginOf = (row: typeof credentials.$inferSelect) => {
    if (opened.has(row.id)) return opened.get(row.id)
    const login = openCredential(runtime, row)
    const known = login.type === 'ssh' ? undefined : login.type === 'snmp3' ? login : { community: login.community }
    opened.set(row.id, known)
    return known
  }
  const rows = runtime.db
    .select({ device: devices.id, login: credentials })
    .from(devices)
    .innerJoin(credentials, eq(devices.credential, credentials.id))
    .where(isNotNull(devices.credential))
    .all()
  return Object.fromEntries(
    rows.flatMap(({ device, login }) => {
      const known = loginOf(login)
      return known ? [[device, known]] : []
    }),
  )
}
