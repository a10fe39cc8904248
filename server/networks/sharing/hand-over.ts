import { and, count, eq, inArray, max, ne } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { alerts, credentials, deployments, devices, documents, groups, jobs, networks } from '@/db/schema'
import { limits } from '@/model/limits'
import { type Belonging, handOverRows } from '@/server/kernel/belonging'
import { fail } from '@/server/kernel/fail'
import { documentsIn } from '@/server/networks/settings/belongings'
import type { Network } from '@/server/people/access/access'
import { leave } from './invitations'

// A network goes over to another organization with all that is in it.

/** How much goes along. */
export function contents(db: Db, network: number) {
  const of = (n: { n: number } | undefined) => n?.n ?? 0
  const n = { n: count() }
  return {
    devices: of(db.select(n).from(devices).where(eq(devices.network, network)).get()),
    groups: of(db.select(n).from(groups).where(eq(groups.network, network)).get()),
    credentials: of(db.select(n).from(credentials).where(eq(credentials.network, network)).get()),
    settings: of(
      db
        .select(n)
        .from(documents)
        .where(documentsIn(db, [network]))
        .get(),
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

/**
 * Hands a network over in the caller's transaction: what is in it goes along as its owners say, and the measurements, which
 * know networks and devices alone. The changelog stays where it was written. Refuses by `fail()`: networkTransferTorn,
 * networkTransferBusy, networkLimit.
 */
export function handOver(
  all: readonly Belonging[],
  tx: Db,
  network: Network,
  { organization, name }: Pick<Network, 'organization' | 'name'>,
): void {
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
  handOverRows(all, tx, { network: id, from: network.organization, to: organization })
  tx.update(networks)
    // Rule S2: an organization's first network is its default one.
    .set({ organization, name, isDefault: n === 0, position: (held?.last ?? -1) + 1 })
    .where(eq(networks.id, id))
    .run()
}
