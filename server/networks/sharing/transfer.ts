import { and, count, eq, inArray, max, ne } from 'drizzle-orm'
import type { Db } from '@/db/client'
import {
  alerts,
  credentials,
  deployments,
  devices,
  documents,
  groups,
  guestAccounts,
  guests,
  jobs,
  networkOffers,
  networks,
  networkTags,
  tags,
  takeovers,
  voucherGroups,
  vouchers,
  voucherTemplates,
} from '@/db/schema'
import { limits } from '@/model/limits'
import { fail } from '@/server/kernel/fail'
import type { Network } from '@/server/people/access/access'
import { leave } from './invitations'

// A network goes over to another organization with all that is in it.

const groupsIn = (db: Db, network: number) =>
  db.select({ id: groups.id }).from(groups).where(eq(groups.network, network))
const devicesIn = (db: Db, network: number) =>
  db.select({ id: devices.id }).from(devices).where(eq(devices.network, network))

/** Settings of the network, its groups and its devices: documents name their scope by a number. */
const documentsIn = (db: Db, network: number) =>
  [
    and(eq(documents.scope, 'network'), eq(documents.scopeId, network)),
    and(eq(documents.scope, 'group'), inArray(documents.scopeId, groupsIn(db, network))),
    and(eq(documents.scope, 'device'), inArray(documents.scopeId, devicesIn(db, network))),
  ] as const

/** How much goes along. */
export function contents(db: Db, network: number) {
  const of = (n: { n: number } | undefined) => n?.n ?? 0
  const n = { n: count() }
  return {
    devices: of(db.select(n).from(devices).where(eq(devices.network, network)).get()),
    groups: of(db.select(n).from(groups).where(eq(groups.network, network)).get()),
    credentials: of(db.select(n).from(credentials).where(eq(credentials.network, network)).get()),
    settings: documentsIn(db, network).reduce(
      (sum, where) => sum + of(db.select(n).from(documents).where(where).get()),
      0,
    ),
    alerts: of(db.select(n).from(alerts).where(eq(alerts.network, network)).get()),
  }
}

/** A device is managed once in an organization: those that the other one has already, by their addresses. */
function refuseTwins(db: Db, network: number, organization: number): void {
  const macs = db
    .select({ mac: devices.mac })
    .from(devices)
    .where(and(eq(devices.organization, organization), ne(devices.mac, '')))
  const twins = db
    .select({ name: devices.name })
    .from(devices)
    .where(and(eq(devices.network, network), inArray(devices.mac, macs)))
    .limit(5)
    .all()
  if (twins.length) fail('networkTransferTorn', { names: twins.map(device => device.name).join(', ') })
}

const runningStates = ['queued', 'pushing', 'confirming'] as const

/** What is being done in the network would end in the wrong hands. */
function refuseBusy(db: Db, network: number): void {
  const pushed = db
    .select({ name: devices.name })
    .from(deployments)
    .innerJoin(devices, eq(devices.id, deployments.device))
    .where(and(eq(devices.network, network), inArray(deployments.state, [...runningStates])))
    .limit(5)
    .all()
  // A search changes nothing; it ends when the network goes over.
  const job = and(eq(jobs.network, network), eq(jobs.state, 'running'), ne(jobs.type, 'discover'))
  const running = db.select({ type: jobs.type }).from(jobs).where(job).get()
  if (pushed.length || running)
    fail('networkTransferBusy', { names: pushed.map(device => device.name).join(', ') || (running?.type ?? '') })
}

/** Tags are an organization's own: the network gets those of the same name there, made where there is none. */
function moveTags(tx: Db, network: number, organization: number): void {
  const names = tx
    .select({ name: tags.name })
    .from(networkTags)
    .innerJoin(tags, eq(tags.id, networkTags.tag))
    .where(eq(networkTags.network, network))
    .all()
  const there = tx.select().from(tags).where(eq(tags.organization, organization)).all()
  tx.delete(networkTags).where(eq(networkTags.network, network)).run()
  for (const { name } of names) {
    const same = there.find(tag => tag.name.toLowerCase() === name.toLowerCase())
    const tag = same ?? tx.insert(tags).values({ organization, name }).returning().get()
    tx.insert(networkTags).values({ network, tag: tag.id }).run()
  }
}

/**
 * Hands a network over in the caller's transaction: groups, logins, devices, settings, guests, vouchers, pushes, alerts and jobs go along, and
 * the measurements, which know networks and devices alone. The changelog stays where it was written. Refuses by `fail()`:
 * networkTransferTorn, networkTransferBusy, networkLimit.
 */
export function handOver(tx: Db, network: Network, organization: number, name: string): void {
  const { id } = network
  refuseBusy(tx, id)
  refuseTwins(tx, id, organization)
  const there = eq(networks.organization, organization)
  const held = tx
    .select({ n: count(), last: max(networks.position) })
    .from(networks)
    .where(there)
    .get()
  const n = held?.n ?? 0
  if (n >= limits.networks) fail('networkLimit', { limit: limits.networks })
  leave(tx, network.organization, id)
  moveTags(tx, id, organization)
  const own = { organization }
  for (const where of documentsIn(tx, id)) tx.update(documents).set(own).where(where).run()
  tx.update(deployments)
    .set(own)
    .where(inArray(deployments.device, devicesIn(tx, id)))
    .run()
  tx.update(takeovers)
    .set(own)
    .where(inArray(takeovers.device, devicesIn(tx, id)))
    .run()
  tx.update(alerts).set(own).where(eq(alerts.network, id)).run()
  tx.update(jobs).set(own).where(eq(jobs.network, id)).run()
  tx.update(devices).set(own).where(eq(devices.network, id)).run()
  tx.update(credentials).set(own).where(eq(credentials.network, id)).run()
  tx.update(groups).set(own).where(eq(groups.network, id)).run()
  tx.update(voucherGroups).set(own).where(eq(voucherGroups.network, id)).run()
  tx.update(guests).set(own).where(eq(guests.network, id)).run()
  tx.update(guestAccounts).set(own).where(eq(guestAccounts.network, id)).run()
  tx.update(vouchers).set(own).where(eq(vouchers.network, id)).run()
  tx.update(voucherTemplates).set(own).where(eq(voucherTemplates.network, id)).run()
  tx.update(networks)
    // Rule S2: an organization's first network is its default one.
    .set({ organization, name, isDefault: n === 0, position: (held?.last ?? -1) + 1 })
    .where(eq(networks.id, id))
    .run()
  tx.delete(networkOffers).where(eq(networkOffers.network, id)).run()
}
