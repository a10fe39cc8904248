import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { clients } from '@/db/schema'
import { f } from '@/model/fields'
import { likelyKinds } from '@/model/found-host'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { recordUnknown } from './record'
import { editing, macsInput, tellClients } from './shared'

// What a person chooses for one client or many: its icon, and whether people are told when it comes and goes.

const icons = call({
  tag: 'clients',
  scope: 'network',
  authority: 'clients',
  changes: false,
  path: 'clients/icons/list',
  input: z.strictObject(wholeListInput),
  /** Rows {icon}: those that a client can be given; each is a kind of device. */
  run: (_, input) =>
    listed(
      likelyKinds.map(icon => ({ icon })),
      input,
      { text: row => [row.icon], sort: { icon: row => row.icon } },
    ),
})

/** '' lets it follow what the client likely is. */
const icon = z.enum(['', ...likelyKinds])
type Change = Partial<Pick<typeof clients.$inferInsert, 'icon' | 'watched'>>

/** Changes those of these clients that are known; refused where none is. */
async function change(
  context: NetworkContext & Logging,
  macs: readonly string[],
  field: keyof Change,
  value: string | boolean,
) {
  const { runtime, network, log } = context
  const { db } = runtime
  await recordUnknown(runtime, network.id, macs)
  const own = and(eq(clients.network, network.id), inArray(clients.mac, [...macs]))
  const changed = db.transaction(() => {
    const rows = db.select().from(clients).where(own).all()
    if (rows.length === 0) fail('clientNotFound', { mac: macs[0] ?? '' })
    db.update(clients)
      .set({ [field]: value } as Change)
      .where(own)
      .run()
    for (const { mac, name, hostname, [field]: before } of rows)
      if (before !== value)
        log({ action: 'edit', object: 'client', name: name || hostname || mac, fields: { [field]: [before, value] } })
    return rows.map(row => row.mac)
  })
  tellClients(context)
  return { macs: changed }
}

const saveIcon = call({
  ...editing,
  path: 'clients/icons/save',
  topics: ['clients'],
  input: z.strictObject({ mac: f.mac(), icon }),
  /** Gives a client an icon; '' gives it back the one of its likely kind. */
  run: (context, { mac, icon }) => change(context, [mac], 'icon', icon),
})

const saveIcons = call({
  ...editing,
  path: 'clients/icons/batch-save',
  topics: ['clients'],
  input: z.strictObject({ macs: macsInput, icon }),
  /** The same for several; answers those that are known. */
  run: (context, { macs, icon }) => change(context, macs, 'icon', icon),
})

const subscribe = call({
  ...editing,
  path: 'clients/subscribe',
  topics: ['clients', 'settings'],
  input: z.strictObject({ macs: macsInput, on: z.boolean() }),
  /** Whether there is an alert each time one of these clients connects or disconnects; answers those that are known. */
  run: (context, { macs, on }) => change(context, macs, 'watched', on),
})

export const iconCalls = [icons, saveIcon, saveIcons, subscribe] as const
