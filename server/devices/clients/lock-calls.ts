import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { clients } from '@/db/schema'
import { limits } from '@/model/limits'
import { type Enforced, enforcedOn } from '@/server/devices/change/enforced'
import { enginePart } from '@/server/devices/change/plan/plan'
import { call } from '@/server/kernel/call'
import { listed, listInput } from '@/server/kernel/lists'
import { blockChanging, blockedOf, loadBlocked, takeOff } from './block-calls'

// The block list as a list of clients: who is on it, since when and by whom, and where it is enforced.

const nowhere: Enforced = { here: 0, of: 0, waits: [] }

const list = call({
  tag: 'clients',
  scope: 'network',
  authority: 'settings_firewall',
  changes: false,
  path: 'clients/lock/list',
  input: z.strictObject(listInput),
  /**
   * Clients whose block counts now: {id, mac, name, vendor, note, until, since, by, here, of, waits}. `until` absent:
   * for good. `since`, `by`: when and by whom it was saved last. `of`: how many devices can enforce it, `here`: how many do;
   * `waits`: the others, and why.
   */
  async run(context, input) {
    const { runtime, network } = context
    const blocked = [...(await blockedOf(context)).values()]
    const macs = blocked.map(one => one.mac)
    const own = and(eq(clients.network, network.id), inArray(clients.mac, macs))
    const known = new Map(
      runtime.db
        .select()
        .from(clients)
        .where(own)
        .all()
        .map(row => [row.mac, row]),
    )
    const rows = blocked.map(({ id, mac, note = '', until, changedAt: since, changedBy: by }) => {
      const { name = '', hostname = '', vendor = '' } = known.get(mac) ?? {}
      return { id, mac, name: name || hostname, vendor, note, until, since, by }
    })
    const page = listed(
      rows.toSorted((a, b) => b.since - a.since),
      input,
      {
        text: row => [row.mac, row.name, row.vendor, row.note, row.by],
        sort: {
          mac: row => row.mac,
          name: row => row.name,
          vendor: row => row.vendor,
          note: row => row.note,
          until: row => row.until,
          since: row => row.since,
          by: row => row.by,
        },
      },
    )
    const engine = enginePart.find(runtime)
    const ids = page.result.map(one => one.id)
    const where = engine && (await enforcedOn(engine, network.id, (await loadBlocked()).id, ids))
    return { ...page, result: page.result.map(one => ({ ...one, ...(where?.get(one.id) ?? nowhere) })) }
  },
})

const remove = call({
  ...blockChanging,
  path: 'clients/lock/remove',
  topics: ['clients', 'settings'],
  input: z.strictObject({ ids: z.array(z.uuid('notFound')).min(1, 'required').max(limits.macsPerNetwork, 'tooMany') }),
  /** The same as `clients/unblock`, by the ids of `clients/lock/list`; one that is not on it is passed by. */
  async run(context, { ids }) {
    const wanted = new Set(ids)
    const held = await blockedOf(context, true)
    return takeOff(
      context,
      [...held.values()].filter(one => wanted.has(one.id)),
    )
  },
})

export const lockCalls = [list, remove] as const
