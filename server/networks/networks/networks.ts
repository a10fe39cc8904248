import { and, asc, count, eq, inArray, ne } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { devices, networks, networkTags, tags } from '@/db/schema'
import { limits } from '@/model/limits'
import { belongings, dropRows } from '@/server/kernel/belonging'
import type { Logging, OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { answeringCount } from '@/server/networks/groups/answering'
import { refuseInvited } from '@/server/networks/sharing/invitations'
import { findNetwork, type Network } from '@/server/people/access/access'

type Fields = { networkName: string; country: string; timezone: string; tags?: number[] | undefined }

/** All of the organization's, whoever asks: for what must be unique or counted. */
const allNetworks = (db: Db, organization: number) =>
  db
    .select()
    .from(networks)
    .where(eq(networks.organization, organization))
    .orderBy(asc(networks.position), asc(networks.id))
    .all()

/** Tags by network of one organization. */
export function tagsByNetwork(db: Db, organization: number): Map<number, { tagId: number; tagName: string }[]> {
  const rows = db
    .select({ network: networkTags.network, tagId: tags.id, tagName: tags.name })
    .from(networkTags)
    .innerJoin(tags, eq(tags.id, networkTags.tag))
    .where(eq(tags.organization, organization))
    .orderBy(asc(tags.name))
    .all()
  const map = new Map<number, { tagId: number; tagName: string }[]>()
  for (const { network, ...tag } of rows) map.set(network, [...(map.get(network) ?? []), tag])
  return map
}

/** Devices by network: {all, online}. */
export function deviceCounts(db: Db, of: readonly Pick<Network, 'id'>[]): Map<number, { all: number; online: number }> {
  const rows = db
    .select({ network: devices.network, all: count(), online: answeringCount })
    .from(devices)
    .where(
      inArray(
        devices.network,
        of.map(({ id }) => id),
      ),
    )
    .groupBy(devices.network)
    .all()
  return new Map(rows.map(({ network, ...counts }) => [network, counts]))
}

/** Rule N1: unique in the organization, whatever the case of the letters. */
export function checkName(db: Db, organization: number, name: string, except?: number): void {
  const same = (other: Network) => other.id !== except && other.name.toLowerCase() === name.toLowerCase()
  if (allNetworks(db, organization).some(same)) failFields({ networkName: 'nameExists' }, 'networkNameExists')
}

/** The tags that are meant, or refuses those that are none of the organization's. */
export function checkTags(db: Db, organization: number, wanted: readonly number[] = []): { id: number }[] {
  const unique = [...new Set(wanted)]
  const own = unique.length
    ? db
        .select({ id: tags.id })
        .from(tags)
        .where(and(eq(tags.organization, organization), inArray(tags.id, unique)))
        .all()
    : []
  if (own.length !== unique.length) failFields({ tags: 'notAllowed' }, 'tagNotFound')
  return own
}

function setTags(db: Db, organization: number, network: number, wanted: number[]): void {
  const own = checkTags(db, organization, wanted)
  db.delete(networkTags).where(eq(networkTags.network, network)).run()
  for (const tag of own) db.insert(networkTags).values({ network, tag: tag.id }).run()
}

/** Rule S2: the first network is the default one. */
export function addNetwork(db: Db, organization: number, fields: Fields, now: number): number {
  checkName(db, organization, fields.networkName)
  const own = allNetworks(db, organization)
  if (own.length >= limits.networks) fail('networkLimit', { limit: limits.networks })
  const { id } = db
    .insert(networks)
    .values({
      organization,
      name: fields.networkName,
      country: fields.country,
      timezone: fields.timezone,
      isDefault: own.length === 0,
      position: own.length,
      createdAt: now,
    })
    .returning({ id: networks.id })
    .get()
  setTags(db, organization, id, fields.tags ?? [])
  return id
}

export function editNetwork(context: OrganizationContext & Logging, id: number, fields: Fields): void {
  const { db } = context.runtime
  db.transaction(tx => {
    const before = findNetwork(tx, context.actor, id)
    checkName(tx, context.actor.organization, fields.networkName, id)
    const after = { name: fields.networkName, country: fields.country, timezone: fields.timezone }
    tx.update(networks).set(after).where(eq(networks.id, id)).run()
    if (fields.tags) setTags(tx, context.actor.organization, id, fields.tags)
    const changed = (Object.keys(after) as (keyof typeof after)[]).filter(key => before[key] !== after[key])
    const entry = Object.fromEntries(changed.map(key => [key, [before[key], after[key]] as [unknown, unknown]]))
    context.log({ action: 'edit', object: 'network', name: after.name, network: id, fields: entry })
  })
}

/** Rule S2: exactly one; making another one the default ends the former. */
export function makeDefault(context: OrganizationContext & Logging, id: number): void {
  const { organization } = context.actor
  context.runtime.db.transaction(tx => {
    const network = findNetwork(tx, context.actor, id)
    refuseInvited(tx, network)
    tx.update(networks)
      .set({ isDefault: false })
      .where(and(eq(networks.organization, organization), ne(networks.id, id)))
      .run()
    tx.update(networks).set({ isDefault: true }).where(eq(networks.id, id)).run()
    context.log({ action: 'default', object: 'network', name: network.name, network: id })
  })
}

/** A network without devices, with all that is in it. Call it inside a transaction. */
export function removeNetwork(runtime: Runtime, network: number): void {
  dropRows(belongings.of(runtime), runtime.db, 'network', [network])
  runtime.db.delete(networks).where(eq(networks.id, network)).run()
}

/** Refused for the default network (rule S2), while it is shared (rule S3), and while devices are in it: they are moved or forgotten first. */
export function deleteNetwork(context: OrganizationContext & Logging, id: number): void {
  context.runtime.db.transaction(tx => {
    const network = findNetwork(tx, context.actor, id)
    if (network.isDefault) fail('networkDefault', { name: network.name })
    refuseInvited(tx, network)
    const inside = tx.select({ name: devices.name }).from(devices).where(eq(devices.network, id)).limit(5).all()
    if (inside.length) fail('networkHasDevices', { names: inside.map(device => device.name).join(', ') })
    removeNetwork(context.runtime, id)
    context.log({ action: 'delete', object: 'network', name: network.name, network: id })
  })
}
