import { and, eq, inArray } from 'drizzle-orm'
import { credentials, devices } from '@/db/schema'
import { openCredential } from '@/server/devices/link/credential-store'
import { endImports } from '@/server/devices/link/import-store'
import { addEvent } from '@/server/devices/link/states'
import { belongings, dropRows, moveRows } from '@/server/kernel/belonging'
import type { Logging, NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { defaultGroup } from '@/server/networks/groups/groups'
import { passOnDeviceSettings } from '@/server/networks/settings/of-device'
import { networkFor } from '@/server/people/access/access'
import { insertCredential } from './adopt'

// Device rows that go, come from elsewhere, or take another's place.

type Row = typeof devices.$inferSelect

/** Forgets devices with what was set for each alone. Call it inside a transaction. */
export function forget({ runtime }: NetworkContext, forgotten: readonly number[]): void {
  dropRows(belongings.of(runtime), runtime.db, 'device', forgotten)
  runtime.db
    .delete(devices)
    .where(inArray(devices.id, [...forgotten]))
    .run()
}

/** `next` gets name, remarks, group and settings of `old`, which is forgotten. */
export function transferDevice(context: NetworkContext & Logging, old: Row, next: Row): void {
  const { db } = context.runtime
  db.transaction(() => {
    endImports(db, next.id)
    passOnDeviceSettings(db, old.id, next.id)
    forget(context, [old.id])
    db.update(devices)
      .set({ name: old.name, remarks: old.remarks, group: old.group })
      .where(eq(devices.id, next.id))
      .run()
    addEvent(context.runtime, next.id, 'deviceReplaced', { device: old.name, address: old.address })
    context.log({
      action: 'replace',
      object: 'device',
      name: old.name,
      fields: { address: [old.address, next.address] },
    })
  })
}

/** Into another network that the person enters, with copies of the logins. One that would stand there twice refuses all. */
export function moveToNetwork(context: NetworkContext & Logging, rows: readonly Row[], wanted: number): void {
  const { runtime, actor } = context
  const { db } = runtime
  const network = networkFor(db, actor, wanted) ?? fail('networkNotFound', { networkId: context.network.id })
  const copies = new Map<number, number>()
  const copyOf = (credential: number) => {
    const row = db.select().from(credentials).where(eq(credentials.id, credential)).get()
    if (!row) return null
    const owner = { organization: actor.organization, network: network.id }
    const made = copies.get(credential) ?? insertCredential(runtime, owner, openCredential(runtime, row), row.name)
    copies.set(credential, made)
    return made
  }
  db.transaction(() => {
    for (const row of rows) {
      if (twinAt(context, network.id, row)) failFields({ ids: 'deviceExists' }, 'deviceExists')
      const credential = row.credential === null ? null : copyOf(row.credential)
      const group = defaultGroup(db, network.id)
      db.update(devices)
        .set({ network: network.id, group, credential, channels: '{}' })
        .where(eq(devices.id, row.id))
        .run()
      addEvent(runtime, row.id, 'movedToNetwork', { network: network.name })
      context.log({
        action: 'move',
        object: 'device',
        name: row.name,
        fields: { network: [context.network.name, network.name] },
      })
    }
    // All at once: what is between them, as an incident, stays.
    moveRows(belongings.of(runtime), db, { devices: rows.map(row => row.id), to: network.id })
  })
  for (const place of [context.network.id, network.id])
    runtime.bus.emit({ topic: 'alerts', organization: actor.organization, network: place })
}

const twinAt = ({ runtime }: NetworkContext, network: number, row: Row) =>
  runtime.db
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.network, network), eq(devices.address, row.address), eq(devices.port, row.port)))
    .get()
