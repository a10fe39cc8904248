import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { networks } from '@/db/schema'
import { call, type Logging, type OrganizationContext } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { listInput, paginate } from '@/server/kernel/lists'
import { country, id, networkName, timezone } from '@/server/kernel/shapes'
import { changing, reading } from '@/server/networks/sharing/call-terms'
import { shareStatuses } from '@/server/networks/sharing/invitations'
import {
  accessibleNetworks,
  findAccessible,
  findNetwork,
  grantAccess,
  mayNetwork,
  ownNetworks,
} from '@/server/people/access/access'
import { activateNetwork } from '@/server/people/accounts/sessions'
import { administratorsOf, checkAdministrators, setAdministrators } from './administrators'
import { cloneNetwork } from './file'
import { addNetwork, checkTags, deleteNetwork, deviceCounts, editNetwork, makeDefault, tagsByNetwork } from './networks'

const fields = {
  networkName,
  country,
  timezone,
  tags: z.array(id).max(64).optional(),
  /** It becomes the default network (rule S2); only another one ends that. */
  isDefault: z.boolean().optional(),
  /** Who works here beside those who enter all networks: account ids. */
  administrators: z.array(id).max(1000).optional(),
}
type Given = { isDefault?: boolean | undefined; administrators?: number[] | undefined }

/** What is said of a network beside its own fields. */
function settle(context: OrganizationContext & Logging, network: number, { isDefault, administrators }: Given): void {
  if (administrators) {
    const { runtime, log } = context
    runtime.db.transaction(tx => {
      const [before, after] = setAdministrators(context, tx, network, administrators)
      const { name } = findNetwork(tx, context.actor, network)
      if (before !== after)
        log({ action: 'edit', object: 'network', name, network, fields: { administrators: [before, after] } })
    })
  }
  if (isDefault) makeDefault(context, network)
}

const options = call({
  ...reading,
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
  ...reading,
  authority: 'session',
  scope: 'network',
  path: 'networks/active',
  input: z.strictObject({}),
  /** `administrators`: to those who may know of people. */
  run: ({ runtime, actor, network }) => ({
    networkId: network.id,
    networkName: network.name,
    timezone: network.timezone,
    country: network.country,
    ...(actor.authorities.has('organization_users') && {
      administrators: administratorsOf({ runtime, actor }, network.id),
    }),
  }),
})

/** Makes a network the one this browser shows: two tabs on two networks each switch when they open. */
const switchTo = call({
  ...reading,
  authority: 'session',
  changes: true,
  path: 'networks/switch',
  topics: ['networks'],
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
  ...reading,
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

type Fields = { networkName: string; country: string; timezone: string; tags?: number[] | undefined }

/** A network without anything in it, and what is said of it beside, in one transaction. */
function added(context: OrganizationContext & Logging, input: Fields, given: Given): number {
  const { runtime, actor, now } = context
  return runtime.db.transaction(tx => {
    const networkId = addNetwork(tx, actor.organization, input, now)
    grantAccess(tx, actor, networkId)
    context.log({ action: 'add', object: 'network', name: input.networkName, network: networkId })
    settle(context, networkId, given)
    return networkId
  })
}

const add = call({
  ...changing,
  path: 'networks/add',
  topics: ['networks'],
  send: 'once',
  seconds: 300,
  /** `cloneFrom`: groups and settings are those of another network, as `networks/clone` copies them. */
  input: z.strictObject({ ...fields, cloneFrom: id.optional() }),
  /** All or nothing. `leftOut`: settings of the other network that could not be copied, as `networks/import` names them. */
  async run(context, { cloneFrom, isDefault, administrators, ...input }) {
    const { runtime, actor } = context
    const given = { isDefault, administrators }
    if (administrators) checkAdministrators(context, administrators)
    checkTags(runtime.db, actor.organization, input.tags)
    const made =
      cloneFrom === undefined
        ? { networkId: added(context, input, given), leftOut: [] }
        : await cloneNetwork(context, cloneFrom, input, network => settle(context, network, given))
    runtime.bus.emit({ topic: 'networks', organization: actor.organization })
    return { id: made.networkId, leftOut: made.leftOut }
  },
})

const edit = call({
  ...changing,
  path: 'networks/edit',
  topics: ['networks'],
  input: z.strictObject({ id, ...fields }),
  run(context, { isDefault, administrators, ...input }) {
    if (administrators) checkAdministrators(context, administrators)
    editNetwork(context, input.id, input)
    settle(context, input.id, { isDefault, administrators })
    // With its number: those hear of it, too, with whom it is shared.
    context.runtime.bus.emit({ topic: 'networks', organization: context.actor.organization, network: input.id })
    return { id: input.id }
  },
})

const remove = call({
  ...changing,
  path: 'networks/delete',
  topics: ['networks'],
  send: 'once',
  input: z.strictObject({ id }),
  run(context, input) {
    deleteNetwork(context, input.id)
    context.runtime.bus.emit({ topic: 'networkGone', network: input.id })
    context.runtime.bus.emit({ topic: 'networks', organization: context.actor.organization })
    return {}
  },
})

const setDefault = call({
  ...changing,
  path: 'networks/default',
  topics: ['networks'],
  input: z.strictObject({ id }),
  run(context, input) {
    makeDefault(context, input.id)
    return {}
  },
})

const sort = call({
  ...changing,
  path: 'networks/sort',
  topics: ['networks'],
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

export const networkCalls = [options, active, switchTo, list, add, edit, remove, setDefault, sort] as const
