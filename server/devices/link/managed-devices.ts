import { eq } from 'drizzle-orm'
import { credentials, devices } from '@/db/schema'
import type { Credential } from '@/server/drivers/driver'
import type { Runtime } from '@/server/kernel/runtime'
import { isHostOrganization } from '@/server/people/accounts/actor'
import type { DeviceStatus, ManagedDevice } from '@/server/worker/protocol'
import { openCredential } from './credential-store'

/** What the worker needs of a row: facts and the rest are large, and there are thousands. */
const columns = {
  id: devices.id,
  organization: devices.organization,
  network: devices.network,
  name: devices.name,
  mac: devices.mac,
  address: devices.address,
  port: devices.port,
  hostKey: devices.hostKey,
  driver: devices.driver,
  kind: devices.kind,
  status: devices.status,
  credential: devices.credential,
}
type DeviceRow = Pick<typeof devices.$inferSelect, keyof typeof columns>
/** A device's row in the live table, by its id. */
type RowOf = (id: number) => number

/** Whose people do not run this machine, to whom it is no device. */
export const notSelf = ({ db }: Runtime, organization: number): { notSelf?: true } =>
  isHostOrganization(db, organization) ? {} : { notSelf: true }

function targetOf(runtime: Runtime, row: DeviceRow, credential: Credential) {
  return {
    ...notSelf(runtime, row.organization),
    address: row.address,
    port: row.port,
    credential,
    ...(row.hostKey && { hostKey: row.hostKey }),
  }
}

/** Opens each login once, so that devices which share it share it in the worker as well. */
function logins(runtime: Runtime): (id: number | null) => Credential | undefined {
  const opened = new Map<number, Credential>()
  return id => {
    if (id === null) return undefined
    const held = opened.get(id)
    if (held) return held
    const stored = runtime.db.select().from(credentials).where(eq(credentials.id, id)).get()
    const login = stored && openCredential(runtime, stored)
    if (login) opened.set(id, login)
    return login
  }
}

/** A device as the worker needs it; undefined while it has no login, or is not adopted. */
function managed(
  runtime: Runtime,
  row: DeviceRow,
  credential: Credential | undefined,
  rowOf: RowOf,
): ManagedDevice | undefined {
  if (!credential || row.status === 2) return undefined
  return {
    id: row.id,
    row: rowOf(row.id),
    network: row.network,
    driver: row.driver,
    kind: row.kind,
    name: row.name,
    ...(row.mac && { mac: row.mac }),
    status: row.status as DeviceStatus,
    target: targetOf(runtime, row, credential),
  }
}

/** How many rows there are, and those of them that the worker speaks to. */
export function managedDevices(runtime: Runtime, rowOf: RowOf): { rows: number; devices: ManagedDevice[] } {
  const rows = runtime.db.select(columns).from(devices).all()
  const loginOf = logins(runtime)
  return {
    rows: rows.length,
    devices: rows.flatMap(row => managed(runtime, row, loginOf(row.credential), rowOf) ?? []),
  }
}

/** One of them; undefined where it is gone or nobody speaks to it. */
export function managedDevice(runtime: Runtime, id: number, rowOf: RowOf): ManagedDevice | undefined {
  const row = runtime.db.select(columns).from(devices).where(eq(devices.id, id)).get()
  return row && managed(runtime, row, logins(runtime)(row.credential), rowOf)
}
