import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { limits } from '@/model/limits'
import { call } from '@/server/kernel/call'
import { groupName, id } from '@/server/kernel/shapes'
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
  changelog: 'entry',
  send: 'each',
} as const
const fields = {
  groupName,
  parentId: z.union([z.literal(rootGroup), id]).default(rootGroup),
  description: z.string().trim().max(limits.textCharacters).default(''),
}

const tree = call({
  ...reading,
  path: 'groups/tree',
  input: z.strictObject({ siteId: z.int().optional() }),
  run({ runtime: { db }, network }) {
    const result = groupTree(db, network.id)
    return { result, deviceGroupList: result, all: { id: allGroups, parentId: rootGroup } }
  },
})

const list = call({
  ...reading,
  path: 'groups/list',
  input: z.strictObject({}),
  run({ runtime: { db }, network }) {
    const result = networkGroups(db, network.id).map(row => ({
      groupId: row.id,
      groupName: row.name,
      parentId: row.parent ?? rootGroup,
      description: row.description,
    }))
    return { result, total: result.length }
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
    }
  },
})

const inside = call({
  ...reading,
  path: 'groups/devices',
  input: z.strictObject({ groupId: id }),
  run({ runtime: { db }, network }, input) {
    findGroup(db, network.id, input.groupId)
    const ids = below(networkGroups(db, network.id), input.groupId)
    const rows = db
      .select({ id: devices.id, name: devices.name, group: devices.group, status: devices.status })
      .from(devices)
      .where(eq(devices.network, network.id))
      .all()
    const result = rows.filter(row => row.group !== null && ids.includes(row.group))
    return { result, total: result.length }
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
    deviceIds: z.array(id).min(1, 'required').max(limits.devices),
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

export const groupCalls = [tree, list, info, inside, add, edit, remove, transfer] as const
