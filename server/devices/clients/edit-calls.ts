import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { clientEvents, clients } from '@/db/schema'
import { f } from '@/model/fields'
import { limits } from '@/model/limits'
import { fleetOf } from '@/server/devices/link/fleet'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { deviceName as deviceNameShape, note } from '@/server/kernel/shapes'
import { recordUnknown } from './record'
import { editing, macsInput, tellClients } from './shared'

const save = call({
  ...editing,
  path: 'clients/save',
  topics: ['clients', 'settings'],
  input: z.strictObject({
    mac: f.mac(),
    /** Rule N3; '' gives it back the name that it calls itself by. */
    name: deviceNameShape.max(limits.deviceRenameCharacters, 'tooLong').optional(),
    note: note(limits.clientNoteCharacters).optional(),
  }),
  /** Names a client, or notes something of it. Nothing reaches a device by it. */
  async run(context, { mac, ...change }) {
    const { runtime, network, log } = context
    const { db } = runtime
    await recordUnknown(runtime, network.id, [mac])
    const own = and(eq(clients.network, network.id), eq(clients.mac, mac))
    db.transaction(() => {
      const before = db.select().from(clients).where(own).get() ?? fail('clientNotFound', { mac })
      db.update(clients).set(change).where(own).run()
      const fields = {
        ...(change.name !== undefined &&
          change.name !== before.name && { name: [before.name, change.name] as [unknown, unknown] }),
        ...(change.note !== undefined &&
          change.note !== before.note && { remark: [before.note, change.note] as [unknown, unknown] }),
      }
      log({ action: 'edit', object: 'client', name: change.name || before.name || before.hostname || mac, fields })
    })
    tellClients(context)
    return { mac }
  },
})

const clear = call({
  ...editing,
  path: 'clients/clear',
  topics: ['clients', 'settings'],
  input: z.strictObject({ macs: macsInput }),
  /** Forgets clients that are not connected: name, note, trail and what was measured. Those that are connected stay as they are. */
  run(context, { macs }) {
    const { runtime, network, log } = context
    const { db } = runtime
    const forgotten = db.transaction(() => {
      const own = and(eq(clients.network, network.id), eq(clients.online, false), inArray(clients.mac, macs))
      const rows = db.delete(clients).where(own).returning().all()
      const gone = rows.map(one => one.mac)
      if (gone.length > 0)
        db.delete(clientEvents)
          .where(and(eq(clientEvents.network, network.id), inArray(clientEvents.mac, gone)))
          .run()
      for (const { mac, name, hostname } of rows)
        log({ action: 'delete', object: 'client', name: name || hostname || mac, fields: {} })
      return gone
    })
    const measured = forgotten.map(mac => ({ of: 'client' as const, network: network.id, mac }))
    if (measured.length > 0)
      void fleetOf(runtime)
        .ask('forget', measured)
        .catch(error => console.error('clients:', error))
    tellClients(context)
    return { macs: forgotten }
  },
})

export const editCalls = [save, clear] as const
