import { and, count, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { credentials, devices } from '@/db/schema'
import { limits } from '@/model/limits'
import { sealCredential } from '@/server/devices/link/credential-store'
import { factsColumns } from '@/server/devices/link/rows'
import { addEvent } from '@/server/devices/link/states'
import type { Credential } from '@/server/drivers/driver'
import type { Runtime } from '@/server/kernel/runtime'
import { mayNetwork, type NetworkReach } from '@/server/people/access/access'
import type { AdoptFailure, Examined } from './examine'

// The second half of an adoption: writes rows and speaks to nobody, so that it can stand in a transaction. What lies between
// it and `examine` is JSON: the wizard keeps it sealed.

export type Owner = {
  organization: number
  network: number
  group?: number
  /** Networks that whoever adopts enters; absent: all. */
  networks?: NetworkReach['networks']
}

const words: Record<Credential['type'], string> = {
  ssh: 'SSH',
  snmp1: 'SNMP v1',
  snmp2c: 'SNMP v2c',
  snmp3: 'SNMP v3',
}

/** A name that no login of the network has yet. */
function freeName(runtime: Runtime, network: number, wanted: string): string {
  const taken = new Set(
    runtime.db
      .select({ name: credentials.name })
      .from(credentials)
      .where(eq(credentials.network, network))
      .all()
      .map(row => row.name.toLowerCase()),
  )
  let name = wanted
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted} ${n}`
  return name
}

export const userOf = (credential: Credential): string => ('user' in credential ? credential.user : '')

/** What a login is called that nobody named: "SSH root". */
export const loginName = (credential: Credential): string =>
  `${words[credential.type]}${userOf(credential) && ` ${userOf(credential)}`}`

/** Stores a login and returns its number. Call it inside the transaction of whatever uses it. */
export function insertCredential(
  runtime: Runtime,
  owner: Owner,
  credential: Credential,
  name = loginName(credential),
  now = Date.now(),
): number {
  const { db } = runtime
  const { id } = db
    .insert(credentials)
    .values({
      organization: owner.organization,
      network: owner.network,
      group: owner.group ?? null,
      name: freeName(runtime, owner.network, name.slice(0, 64)),
      type: credential.type,
      user: userOf(credential),
      secret: '',
      createdAt: now,
      changedAt: now,
    })
    .returning({ id: credentials.id })
    .get()
  db.update(credentials)
    .set({ secret: sealCredential(runtime, id, credential) })
    .where(eq(credentials.id, id))
    .run()
  return id
}

type Changed = { name?: string; group?: number | null; credential?: Credential }

/** Changes a stored login: what it is called, which group it is for, what it says. */
export function changeCredential(
  runtime: Runtime,
  id: number,
  { credential, ...fields }: Changed,
  now = Date.now(),
): void {
  const said = credential && {
    ...{ type: credential.type, user: userOf(credential) },
    ...{ secret: sealCredential(runtime, id, credential), changedAt: now },
  }
  runtime.db
    .update(credentials)
    .set({ ...fields, ...said })
    .where(eq(credentials.id, id))
    .run()
}

export const deleteCredential = (db: Db, id: number): void =>
  void db.delete(credentials).where(eq(credentials.id, id)).run()

/** A managed device that this one would be a second copy of: the same address, or the same MAC. */
export function twinOf(
  runtime: Runtime,
  owner: Owner,
  one: { address: string; port: number; mac?: string },
): { id: number; name: string; network: number } | undefined {
  const { db } = runtime
  const columns = { id: devices.id, name: devices.name, network: devices.network }
  const byAddress = and(
    eq(devices.network, owner.network),
    eq(devices.address, one.address),
    eq(devices.port, one.port),
  )
  const found = db.select(columns).from(devices).where(byAddress).get()
  if (found || !one.mac) return found
  return db
    .select(columns)
    .from(devices)
    .where(and(eq(devices.organization, owner.organization), eq(devices.mac, one.mac.toLowerCase())))
    .get()
}

/**
 * Writes one examined device with its login. `credential`: the number of a stored login, else a new one is stored.
 * Synchronous, for a transaction; call `fleet.upsert(id)` after it. A second copy, or one too many, is refused.
 */
export function saveAdopted(
  runtime: Runtime,
  owner: Owner,
  one: Examined,
  credential?: number,
  now = Date.now(),
): { id: number; credential: number } | { failure: AdoptFailure } {
  const twin = twinOf(runtime, owner, { address: one.address, port: one.port, mac: one.facts.mac })
  // Of networks that one does not enter no name is told.
  const told = twin && mayNetwork({ organization: owner.organization, networks: owner.networks ?? 'all' }, twin.network)
  if (twin) return { failure: { step: 'saved', reason: 'exists', detail: told ? twin.name : '' } }
  const held = runtime.db.select({ n: count() }).from(devices).get()?.n ?? 0
  if (held >= limits.devices) return { failure: { step: 'saved', reason: 'limit', detail: '' } }
  const login = credential ?? insertCredential(runtime, owner, one.credential, undefined, now)
  const { id } = runtime.db
    .insert(devices)
    .values({
      organization: owner.organization,
      network: owner.network,
      group: owner.group ?? null,
      name: one.name,
      address: one.address,
      port: one.port,
      driver: one.driver,
      credential: login,
      hostKey: one.hostKey,
      kind: one.facts.kind,
      ...factsColumns(one.facts),
      status: 3,
      statusAt: now,
      openLogin: one.openLogin,
      createdAt: now,
    })
    .returning({ id: devices.id })
    .get()
  addEvent(runtime, id, 'deviceAdopted', { address: one.address }, now)
  if (one.openLogin) addEvent(runtime, id, 'openLogin', {}, now)
  return { id, credential: login }
}
