import { and, count, eq, ne } from 'drizzle-orm'
import * as z from 'zod'
import { credentials } from '@/db/schema'
import { limits } from '@/model/limits'
import { changeCredential, deleteCredential, insertCredential } from '@/server/devices/adoption/adopt'
import { mayReuse } from '@/server/devices/adoption/credential-disclosure'
import { credentialInput, credentialName } from '@/server/devices/adoption/credential-input'
import { type CredentialRow, openCredential } from '@/server/devices/link/credential-store'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import { notSelf } from '@/server/devices/link/managed-devices'
import type { Credential } from '@/server/drivers/driver'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'
import { findGroup, rootGroup } from '@/server/networks/groups/groups'
import { findDevice } from './calls'
import { inLoginOrder, saveLoginOrder } from './login-order'
import { devicesUsing } from './stored-devices'

const editing = {
  tag: 'devices',
  scope: 'network',
  authority: 'devices_logins_edit',
  changes: true,
  topics: ['devices'],
  changelog: 'entry',
  send: 'each',
} as const
const id = z.int().min(1)

export function findCredential({ runtime, network }: NetworkContext, wanted: number): CredentialRow {
  const found = runtime.db
    .select()
    .from(credentials)
    .where(and(eq(credentials.id, wanted), eq(credentials.network, network.id)))
    .get()
  return found ?? fail('credentialNotFound', { id: wanted })
}

const storedOf = ({ db }: Runtime, network: number): CredentialRow[] =>
  db.select().from(credentials).where(eq(credentials.network, network)).all()

/** Which secrets are set, never what they are. */
function shownSecrets(credential: Credential): Record<string, unknown> {
  const hidden = ['community', 'writeCommunity', 'authKey', 'privKey', 'password', 'privateKey', 'passphrase']
  return Object.fromEntries(
    Object.entries(credential).map(([field, value]) => [field, hidden.includes(field) ? { set: true } : value]),
  )
}

const list = call({
  scope: 'network',
  authority: 'devices_logins',
  // Who adds a device chooses one of them.
  also: ['devices_edit'],
  changes: false,
  path: 'credentials/list',
  tag: 'devices',
  input: z.strictObject(wholeListInput),
  /**
   * The network's logins with the devices that use them; a secret is shown as {set: true}. `mayBring`: whether the asker
   * may take it to a device that does not use it. Unsorted they come as they are tried in turn.
   */
  run(context, input) {
    const { runtime, network, actor } = context
    const rows = inLoginOrder(runtime, network.id, storedOf(runtime, network.id))
    const opened = rows.map(row => ({ row, login: openCredential(runtime, row) }))
    const result = opened.map(({ row, login }) => ({
      id: row.id,
      name: row.name,
      type: row.type,
      user: row.user,
      groupId: row.group ?? rootGroup,
      createdAt: row.createdAt,
      changedAt: row.changedAt,
      login: shownSecrets(login),
      mayBring: mayReuse(actor, login),
      devices: devicesUsing(runtime, row.id),
    }))
    return listed(result, input, {
      text: ({ name, user, type, devices }) => [name, user, type, ...devices.map(one => one.name)],
      sort: {
        name: one => one.name,
        type: one => one.type,
        user: one => one.user,
        devices: one => one.devices.length,
        createdAt: one => one.createdAt,
        changedAt: one => one.changedAt,
      },
    })
  },
})

export function checkName({ runtime, network }: NetworkContext, name: string, self = 0): void {
  const twin = runtime.db
    .select({ n: count() })
    .from(credentials)
    .where(and(eq(credentials.network, network.id), eq(credentials.name, name), ne(credentials.id, self)))
    .get()
  if (twin?.n) failFields({ name: 'nameExists' }, 'credentialNameExists')
}

const save = call({
  ...editing,
  path: 'credentials/save',
  send: 'once',
  input: z.strictObject({
    id: id.optional(),
    name: credentialName,
    /** Shared by the devices of a group; -1: of the whole network. */
    groupId: z.union([z.literal(rootGroup), id]).default(rootGroup),
    /** Absent on an existing one: the login stays, only name and group change. */
    credential: credentialInput.optional(),
  }),
  run(context, input) {
    const { runtime, network, actor, now } = context
    const group = input.groupId === rootGroup ? null : findGroup(runtime.db, network.id, input.groupId).id
    const before = input.id ? findCredential(context, input.id) : undefined
    const { credential } = input
    if (!before && !credential) failFields({ credential: 'required' })
    if (before && credential && protocolOf(before.type) !== protocolOf(credential.type))
      failFields({ 'credential.type': 'notAllowed' })
    checkName(context, input.name, before?.id)
    const saved = runtime.db.transaction(() => {
      const owner = { organization: actor.organization, network: network.id, group: group ?? undefined }
      const made = before?.id ?? insertCredential(runtime, owner, credential as Credential, input.name, now)
      if (before)
        changeCredential(runtime, before.id, { name: input.name, group, ...(credential && { credential }) }, now)
      context.log({ action: before ? 'edit' : 'add', object: 'credential', name: input.name })
      return made
    })
    if (before && credential) for (const user of devicesUsing(context.runtime, saved)) fleetOf(runtime).upsert(user.id)
    return { id: saved }
  },
})
const protocolOf = (type: string) => (type === 'ssh' ? 'ssh' : 'snmp')
const order = call({
  ...editing,
  path: 'credentials/order',
  input: z.strictObject({ ids: z.array(id).min(1, 'required').max(limits.textCharacters) }),
  /** Puts all logins of the network in the order in which they are tried. Refuses where one is missing or not there. */
  run({ runtime, network, log }, input) {
    const rows = inLoginOrder(runtime, network.id, storedOf(runtime, network.id))
    const wanted = input.ids.flatMap(one => rows.find(row => row.id === one) ?? [])
    if (new Set(wanted).size !== rows.length || input.ids.length !== rows.length) fail('credentialNotFound')
    const names = (list: readonly CredentialRow[]) => list.map(one => one.name).join(', ')
    runtime.db.transaction(() => {
      saveLoginOrder(runtime, network.id, input.ids)
      log({ action: 'edit', object: 'credential', name: '', fields: { sequence: [names(rows), names(wanted)] } })
    })
    return {}
  },
})

const remove = call({
  ...editing,
  path: 'credentials/delete',
  send: 'once',
  input: z.strictObject({ id }),
  run(context, input) {
    const row = findCredential(context, input.id)
    const users = devicesUsing(context.runtime, row.id)
    if (users.length) fail('credentialInUse', { devices: users })
    context.runtime.db.transaction(() => {
      deleteCredential(context.runtime.db, row.id)
      context.log({ action: 'delete', object: 'credential', name: row.name })
    })
    return {}
  },
})

/** Tries a login on one device over a connection of its own; nothing is saved and nothing changes on the device. */
export async function tryLogin(context: NetworkContext, device: number, credential: Credential) {
  const row = findDevice(context, device)
  const target = {
    ...notSelf(context.runtime, row.organization),
    ...{ address: row.address, port: row.port, credential },
    ...(row.hostKey && { hostKey: row.hostKey }),
  }
  const { facts } = await fleetOf(context.runtime).ask('identify', target)
  return { name: row.name, model: facts.model ?? '', hostname: facts.hostname ?? '' }
}

const test = call({
  ...editing,
  path: 'credentials/test',
  changelog: 'looks',
  input: z.strictObject({ deviceId: id, id: id.optional(), credential: credentialInput.optional() }),
  /** A stored login (`id`) or a given one, tried on a device of the network. Answers what it is, or the reason why not. */
  async run(context, input) {
    const credential =
      input.credential ?? (input.id ? openCredential(context.runtime, findCredential(context, input.id)) : undefined)
    if (!credential) return failFields({ credential: 'required' })
    return tryLogin(context, input.deviceId, credential).catch(failDevice)
  },
})

const rotate = call({
  ...editing,
  path: 'credentials/rotate',
  input: z.strictObject({
    id,
    credential: credentialInput,
    /** Keeps the new login although some devices do not take it. */
    force: z.boolean().default(false),
  }),
  /**
   * Replaces a login for all devices that use it, after it was tried on each that is online. When one refuses it,
   * nothing is changed, and the answer names which and why: {rotated: false, results}.
   */
  async run(context, input) {
    const row = findCredential(context, input.id)
    if (protocolOf(row.type) !== protocolOf(input.credential.type)) failFields({ 'credential.type': 'notAllowed' })
    const users = devicesUsing(context.runtime, row.id)
    const results = await Promise.all(
      users.map(async ({ id: device, name, status }) => {
        if (status === 0) return { deviceId: device, name, ok: false, reason: 'offline' }
        const failure = await tryLogin(context, device, input.credential).then(
          () => '',
          error => (error as { reason?: string }).reason ?? 'internal',
        )
        return { deviceId: device, name, ok: failure === '', reason: failure }
      }),
    )
    const refused = results.some(one => !one.ok && one.reason !== 'offline')
    if (refused && !input.force) return { rotated: false, results }
    context.runtime.db.transaction(() => {
      changeCredential(context.runtime, row.id, { credential: input.credential }, context.now)
      context.log({ action: 'rotate', object: 'credential', name: row.name })
    })
    for (const user of users) fleetOf(context.runtime).upsert(user.id)
    return { rotated: true, results }
  },
})

export const credentialCalls = [list, save, order, remove, test, rotate] as const
