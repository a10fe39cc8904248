import { and, asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { networks, tags } from '@/db/schema'
import { call } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { listInput, paginate } from '@/server/kernel/lists'
import { country, id, networkName, tagName, timezone } from '@/server/kernel/shapes'
import { shareStatuses } from '@/server/networks/sharing/invitations'
import { accessibleNetworks, findAccessible, grantAccess, mayNetwork, ownNetworks } from '@/server/people/access/access'
import { activateNetwork } from '@/server/people/accounts/sessions'
import { cloneNetwork, exportNetwork, fileShape, importNetwork } from './file'
import { addNetwork, deleteNetwork, deviceCounts, editNetwork, makeDefault, tagsByNetwork } from './networks'

const organization = {
  tag: 'networks',
  scope: 'organization',
  authority: 'organization_network',
  changes: false,
} as const
const changing = {
  tag: 'networks',
  scope: 'organization',
  authority: 'organization_network_add',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const
const fields = { networkName, country, timezone, tags: z.array(id).max(64).optional() }

const options = call({
  ...organization,
  authority: 'session',
  path: 'networks/options',
  keys: true,
  input: z.strictObject({}),
  /** `newNetwork`: what a form for another one begins with. */
  run({ runtime: { db }, actor }) {
    const tagged = tagsByNetwork(db, actor.organization)
    const entered = accessibleNetworks(db, actor)
    const counts = deviceCounts(db, entered)
    const statusOf = shareStatuses(db, actor)
    const result = entered.map(network => ({
      value: network.id,
      label: network.name,
      ...statusOf(network),
      isDefault: network.isDefault,
      tags: tagged.get(network.id) ?? [],
      devices: counts.get(network.id)?.all ?? 0,
    }))
    const { country, timezone } = readGeneral(db)
    return { result, total: result.length, newNetwork: { country, timezone } }
  },
})

const active = call({
  ...organization,
  authority: 'session',
  scope: 'network',
  path: 'networks/active',
  input: z.strictObject({}),
  run: ({ network }) => ({
    networkId: network.id,
    networkName: network.name,
    timezone: network.timezone,
    country: network.country,
  }),
})

/** Makes a network the one this browser shows: two tabs on two networks each switch when they open. */
const switchTo = call({
  ...organization,
  authority: 'session',
  changes: true,
  path: 'networks/switch',
  changelog: 'own',
  send: 'each',
  input: z.strictObject({ networkId: id }),
  run({ runtime, actor }, input) {
    const network = findAccessible(runtime.db, actor, input.networkId)
    activateNetwork(runtime, actor.session, network.id)
    return { networkId: network.id, networkName: network.name }
  },
})

const list = call({
  ...organization,
  path: 'networks/list',
  input: z.strictObject({ ...listInput, tags: z.array(id).max(64).optional() }),
  run({ runtime: { db }, actor }, input) {
    const tagged = tagsByNetwork(db, actor.organization)
    const entered = accessibleNetworks(db, actor)
    const counts = deviceCounts(db, entered)
    const statusOf = shareStatuses(db, actor)
    const wanted = input.search?.trim().toLowerCase() ?? ''
    const rows = entered
      .map(network => ({
        id: network.id,
        networkName: network.name,
        country: network.country,
        timezone: network.timezone,
        isDefault: network.isDefault,
        ...statusOf(network),
        tags: tagged.get(network.id) ?? [],
        devices: counts.get(network.id)?.all ?? 0,
        devicesOnline: counts.get(network.id)?.online ?? 0,
        createdAt: network.createdAt,
      }))
      .filter(
        row =>
          row.networkName.toLowerCase().includes(wanted) ||
          row.tags.some(tag => tag.tagName.toLowerCase().includes(wanted)),
      )
      .filter(row => !input.tags?.length || row.tags.some(tag => input.tags?.includes(tag.tagId)))
    const { field, direction } = input.sort ?? {}
    const key = (['networkName', 'devices', 'country', 'createdAt'] as const).find(name => name === field)
    if (field && !key) failFields({ 'sort.field': 'notAllowed' })
    if (key)
      rows.sort(
        (a, b) =>
          (direction === 'desc' ? -1 : 1) * String(a[key]).localeCompare(String(b[key]), undefined, { numeric: true }),
      )
    return paginate(rows, input.page, input.pageSize)
  },
})

const add = call({
  ...changing,
  path: 'networks/add',
  send: 'once',
  seconds: 300,
  input: z.strictObject(fields),
  run(context, input) {
    const { runtime, actor, now } = context
    const made = runtime.db.transaction(tx => {
      const networkId = addNetwork(tx, actor.organization, input, now)
      grantAccess(tx, actor, networkId)
      context.log({ action: 'add', object: 'network', name: input.networkName, network: networkId })
      return networkId
    })
    runtime.bus.emit({ topic: 'networks', organization: actor.organization })
    return { id: made }
  },
})

const edit = call({
  ...changing,
  path: 'networks/edit',
  input: z.strictObject({ id, ...fields }),
  run(context, input) {
    editNetwork(context, input.id, input)
    // With its number: those hear of it, too, with whom it is shared.
    context.runtime.bus.emit({ topic: 'networks', organization: context.actor.organization, network: input.id })
    return { id: input.id }
  },
})

const remove = call({
  ...changing,
  path: 'networks/delete',
  send: 'once',
  input: z.strictObject({ id }),
  run(context, input) {
    deleteNetwork(context, input.id)
    context.runtime.bus.emit({ topic: 'networks', organization: context.actor.organization })
    return {}
  },
})

const setDefault = call({
  ...changing,
  path: 'networks/default',
  input: z.strictObject({ id }),
  run(context, input) {
    makeDefault(context, input.id)
    return {}
  },
})

const sort = call({
  ...changing,
  path: 'networks/sort',
  send: 'keepalive',
  seconds: 300,
  input: z.strictObject({ ids: z.array(id).min(1).max(500) }),
  run({ runtime: { db }, actor, log }, input) {
    const own = ownNetworks(db, actor)
    const given = new Set(input.ids)
    if (given.size !== own.length || !own.every(one => given.has(one.id))) failFields({ ids: 'notAllowed' })
    // What this person does not see keeps its place.
    const next = given.values()
    const order = ownNetworks(db, { ...actor, networks: 'all' }).map(({ id: one }) =>
      mayNetwork(actor, one) ? (next.next().value ?? one) : one,
    )
    db.transaction(tx => {
      for (const [position, one] of order.entries())
        tx.update(networks).set({ position }).where(eq(networks.id, one)).run()
      log({ action: 'sort', object: 'network', name: '' })
    })
    return {}
  },
})

const tagList = call({
  ...organization,
  path: 'networks/tags/list',
  input: z.strictObject({}),
  run({ runtime: { db }, actor }) {
    const result = db
      .select({ tagId: tags.id, tagName: tags.name })
      .from(tags)
      .where(eq(tags.organization, actor.organization))
      .orderBy(asc(tags.name))
      .all()
    return { result, total: result.length }
  },
})

/** Rule N23: tag labels are unique. */
function checkTag(rows: { id: number; name: string }[], name: string, except?: number): void {
  if (rows.some(row => row.id !== except && row.name.toLowerCase() === name.toLowerCase()))
    failFields({ tagName: 'nameExists' }, 'tagExists')
}

const tagAdd = call({
  ...changing,
  path: 'networks/tags/add',
  send: 'once',
  input: z.strictObject({ tagName }),
  run: ({ runtime: { db }, actor, log }, input) =>
    db.transaction(tx => {
      checkTag(tx.select().from(tags).where(eq(tags.organization, actor.organization)).all(), input.tagName)
      const made = tx
        .insert(tags)
        .values({ organization: actor.organization, name: input.tagName })
        .returning({ tagId: tags.id })
        .get()
      log({ action: 'add', object: 'tag', name: input.tagName })
      return { tagId: made.tagId }
    }),
})

const tagEdit = call({
  ...changing,
  path: 'networks/tags/edit',
  input: z.strictObject({ tagId: id, tagName }),
  run: ({ runtime: { db }, actor, log }, input) =>
    db.transaction(tx => {
      const rows = tx.select().from(tags).where(eq(tags.organization, actor.organization)).all()
      checkTag(rows, input.tagName, input.tagId)
      const before = rows.find(row => row.id === input.tagId) ?? fail('tagNotFound')
      tx.update(tags).set({ name: input.tagName }).where(eq(tags.id, before.id)).run()
      log({ action: 'edit', object: 'tag', name: input.tagName, fields: { name: [before.name, input.tagName] } })
      return {}
    }),
})

const tagDelete = call({
  ...changing,
  path: 'networks/tags/delete',
  send: 'once',
  input: z.strictObject({ tagId: id }),
  run: ({ runtime: { db }, actor, log }, input) =>
    db.transaction(tx => {
      const own = and(eq(tags.organization, actor.organization), eq(tags.id, input.tagId))
      const gone = tx.delete(tags).where(own).returning({ name: tags.name }).get() ?? fail('tagNotFound')
      log({ action: 'delete', object: 'tag', name: gone.name })
      return {}
    }),
})

const passphrase = z.string().min(8, 'tooShort').max(128, 'tooLong').optional()

/** Copies groups and settings into a new network; devices stay where they are. */
const clone = call({
  ...changing,
  path: 'networks/clone',
  input: z.strictObject({ id, networkName }),
  async run(context, input) {
    const made = await cloneNetwork(context, input.id, input.networkName)
    context.runtime.bus.emit({ topic: 'networks', organization: context.actor.organization })
    return made
  },
})

/** A network's settings as one file. Secrets are in it only under a passphrase. */
const exportFile = call({
  ...organization,
  path: 'networks/export',
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id, passphrase }),
  run: async (context, input) => ({ file: await exportNetwork(context, input.id, input.passphrase) }),
})

/** Makes a new network of such a file; what could not be taken over is named in `leftOut`. */
const importFile = call({
  ...changing,
  path: 'networks/import',
  input: z.strictObject({ file: fileShape, networkName: networkName.optional(), passphrase }),
  async run(context, input) {
    const made = await importNetwork(context, input.file, input.networkName ?? input.file.name, input.passphrase)
    context.runtime.bus.emit({ topic: 'networks', organization: context.actor.organization })
    return made
  },
})

export const networkCalls = [
  clone,
  exportFile,
  importFile,

  options,
  active,
  switchTo,
  list,
  add,
  edit,
  remove,
  setDefault,
  sort,
  tagList,
  tagAdd,
  tagEdit,
  tagDelete,
] as const
