import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { limits } from '@/model/limits'
import { authorityOf, kindIds } from '@/model/registry'
import { call } from '@/server/kernel/call'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { groupName, id, note } from '@/server/kernel/shapes'
import { deletionOf, deviceTypesIn, givenTo } from './contents'
import {
  addGroup,
  allGroups,
  below,
  deleteGroup,
  editGroup,
  findGroup,
  groupTree,
  networkGroups,
  rootGroup,
  transferDevices,
} from './groups'

const reading = { tag: 'networks', scope: 'network', authority: 'devices', changes: false } as const
const changing = {
  tag: 'networks',
  scope: 'network',
  authority: 'devices_group_add',
  changes: true,
  topics: ['devices'],
  changelog: 'entry',
  send: 'each',
} as const
const fields = {
  groupName,
  parentId: z.union([z.literal(rootGroup), id]).default(rootGroup),
  description: note().default(''),
  /** Devices that nobody puts into a group come here; only one group of a network is it. */
  isDefault: z.boolean().optional(),
}

const tree = call({
  ...reading,
  path: 'groups/tree',
  /** `siteId`: a group, whose part of the tree is meant. */
  input: z.strictObject({ siteId: id.optional() }),
  run({ runtime: { db }, network }, { siteId }) {
    const result = groupTree(db, network.id, siteId)
    return { result, deviceGroupList: result, all: { id: allGroups, parentId: rootGroup } }
  },
})

const list = call({
  ...reading,
  path: 'groups/list',
  input: z.strictObject(wholeListInput),
  run({ runtime: { db }, network }, input) {
    const result = networkGroups(db, network.id).map(row => ({
      groupId: row.id,
      groupName: row.name,
      parentId: row.parent ?? rootGroup,
      description: row.description,
      isDefault: row.isDefault,
    }))
    return listed(result, input, {
      text: one => [one.groupName, one.description],
      sort: { groupName: one => one.groupName, description: one => one.description },
    })
  },
})

const info = call({
  ...reading,
  path: 'groups/info',
  input: z.strictObject({ groupId: id }),
  run({ runtime: { db }, network }, input) {
    const group = findGroup(db, network.id, input.groupId)
    return {
      groupId: group.id,
      groupName: group.name,
      parentId: group.parent ?? rootGroup,
      description: group.description,
      isDefault: group.isDefault,
    }
  },
})

const inside = call({
  ...reading,
  path: 'groups/devices',
  input: z.strictObject({ groupId: id, ...wholeListInput }),
  run({ runtime: { db }, network }, input) {
    findGroup(db, network.id, input.groupId)
    const ids = below(networkGroups(db, network.id), input.groupId)
    const rows = db
      .select({ id: devices.id, name: devices.name, group: devices.group, status: devices.status })
      .from(devices)
      .where(eq(devices.network, network.id))
      .all()
    const result = rows.filter(row => row.group !== null && ids.includes(row.group))
    return listed(result, input, {
      text: one => [one.name],
      sort: { name: one => one.name, group: one => one.group, status: one => one.status },
    })
  },
})

const check = call({
  ...reading,
  path: 'groups/check',
  input: z.strictObject({ siteId: id }),
  /**
   * What deleting a group would do: `devices` and `groups` directly in it move to `toName` ('': out of any), `settings`
   * that are set for it go, `given`: settings in lists that are given to it.
   */
  run: ({ runtime: { db }, network }, { siteId }) => deletionOf(db, network.id, siteId),
})

const deviceTypes = call({
  ...reading,
  path: 'groups/device-types',
  get: true,
  input: z.strictObject({ groupId: z.coerce.number().pipe(id).optional() }),
  /** What devices a group and those below it hold (without `groupId`: the network): {type, count, online, models}, the most first. */
  run({ runtime: { db }, network }, { groupId }) {
    if (groupId !== undefined) findGroup(db, network.id, groupId)
    const result = deviceTypesIn(db, network.id, groupId)
    return { result, total: result.length }
  },
})

const business = call({
  ...reading,
  path: 'groups/business',
  input: z.strictObject({ groupId: id, ...wholeListInput }),
  /**
   * What the devices of a group are given, as far as the asker may read it: {kind, id, name, from, fromName}. `from`: the
   * whole `network`, a group `above`, or this `group`; `id` is '' of what exists once.
   */
  run({ runtime: { db }, network, actor }, { groupId, ...input }) {
    findGroup(db, network.id, groupId)
    const readable = kindIds.filter(kind => actor.authorities.has(authorityOf(kind)))
    return listed(givenTo(db, network.id, groupId, readable), input, {
      text: one => [one.name, one.fromName, one.kind],
      sort: { kind: one => one.kind, name: one => one.name, from: one => one.from },
    })
  },
})

const add = call({
  ...changing,
  path: 'groups/add',
  send: 'once',
  input: z.strictObject(fields),
  run: (context, input) => ({ groupId: addGroup(context, input) }),
})

const edit = call({
  ...changing,
  path: 'groups/edit',
  input: z.strictObject({ groupId: id, ...fields }),
  run(context, input) {
    editGroup(context, input.groupId, input)
    return { groupId: input.groupId }
  },
})

const remove = call({
  ...changing,
  path: 'groups/delete',
  send: 'once',
  input: z.strictObject({ groupId: id }),
  run(context, input) {
    deleteGroup(context, input.groupId)
    return {}
  },
})

const transfer = call({
  ...changing,
  path: 'groups/transfer',
  input: z.strictObject({
    deviceIds: z.array(id).min(1, 'required').max(limits.devicesAtOnce),
    groupId: z.union([z.literal(rootGroup), id]),
  }),
  run(context, input) {
    const moved = transferDevices(context, input.deviceIds, input.groupId)
    context.runtime.bus.emit({
      topic: 'devices',
      organization: context.actor.organization,
      network: context.network.id,
    })
    return { moved }
  },
})

export const groupCalls = [
  ...([tree, list, info, inside, check, deviceTypes, business] as const),
  ...([add, edit, remove, transfer] as const),
] as const
