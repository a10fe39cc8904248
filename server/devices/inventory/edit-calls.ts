import { and, eq, ne } from 'drizzle-orm'
import * as z from 'zod'
import { credentials, devices } from '@/db/schema'
import { limits } from '@/model/limits'
import { mayReuse, newTarget } from '@/server/devices/adoption/credential-disclosure'
import { deviceAddress, devicePort, hostKeyFormat } from '@/server/devices/adoption/credential-input'
import { forget, moveToNetwork, transferDevice } from '@/server/devices/adoption/transfer'
import { openCredential } from '@/server/devices/link/credential-store'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import { addEvent } from '@/server/devices/link/states'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { part } from '@/server/kernel/part'
import { deviceName, note } from '@/server/kernel/shapes'
import { rootGroup, transferDevices } from '@/server/networks/groups/groups'
import type { InputOf } from '@/server/worker/worker-api'
import { findDevice } from './calls'

const editing = {
  tag: 'devices',
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const
const id = z.int().min(1)
const ids = z.array(id).min(1, 'required').max(limits.devicesAtOnce)
export type Row = typeof devices.$inferSelect

/** The rows of these devices, all of this network; one that is not refuses the whole call. */
function findDevices(context: NetworkContext, wanted: readonly number[]): Row[] {
  return [...new Set(wanted)].map(one => findDevice(context, one))
}

export const placeOf = ({ actor, network }: NetworkContext) => ({
  organization: actor.organization,
  network: network.id,
})

export function tellChanged(context: NetworkContext, changed: readonly number[]): void {
  const { runtime } = context
  for (const device of changed) {
    fleetOf(runtime).upsert(device)
    runtime.bus.emit({ topic: 'device', id: device, ...placeOf(context) })
  }
  runtime.bus.emit({ topic: 'devices', ...placeOf(context) })
}

const configSave = call({
  ...editing,
  path: 'devices/config/save',
  topics: ['devices', 'push', 'settings'],
  send: 'once',
  input: z.strictObject({
    id,
    name: deviceName.min(1, 'required').optional(),
    remarks: note().optional(),
    address: deviceAddress.optional(),
    port: devicePort.optional(),
    /** A new host key that a person saw and accepts: after a device was installed anew. */
    hostKey: hostKeyFormat.optional(),
    credentialId: id.optional(),
  }),
  /** Renames a device and says how it is reached. A name alone is a quick rename (rule N3). Changes nothing on the device. */
  run(context, { id: device, credentialId, ...change }) {
    const { runtime, network, actor } = context
    const renames = credentialId === undefined && Object.keys(change).join() === 'name'
    if (renames && (change.name ?? '').length > limits.deviceRenameCharacters)
      fail('invalidInput', { fields: { name: 'tooLong' }, values: { name: { max: limits.deviceRenameCharacters } } })
    const row = findDevice(context, device)
    checkAddress(context, row, change.address ?? row.address, change.port ?? row.port)
    if (credentialId !== undefined) checkCredential(context, credentialId)
    const next = { ...change, ...(credentialId && { credential: credentialId }) }
    checkPlace(context, row, next)
    runtime.db.transaction(() => {
      if (Object.keys(next).length) runtime.db.update(devices).set(next).where(eq(devices.id, row.id)).run()
      const fields = Object.entries(next).filter(([field, value]) => row[field as keyof Row] !== value)
      if (fields.length)
        context.log({
          action: 'edit',
          object: 'device',
          name: row.name,
          network: network.id,
          fields: Object.fromEntries(fields.map(([field, value]) => [field, [row[field as keyof Row], value]])),
        })
    })
    tellChanged({ ...context, actor }, [row.id])
    return { id: row.id }
  },
})

function checkAddress({ runtime, network }: NetworkContext, row: Row, address: string, port: number): void {
  const twin = runtime.db
    .select({ id: devices.id })
    .from(devices)
    .where(
      and(
        eq(devices.network, network.id),
        eq(devices.address, address),
        eq(devices.port, port),
        ne(devices.id, row.id),
      ),
    )
    .get()
  if (twin) failFields({ address: 'deviceExists' }, 'deviceExists')
}

function checkCredential({ runtime, network }: NetworkContext, credential: number): void {
  const found = runtime.db
    .select({ id: credentials.id })
    .from(credentials)
    .where(and(eq(credentials.id, credential), eq(credentials.network, network.id)))
    .get()
  if (!found) fail('credentialNotFound', { fields: { credentialId: 'notFound' } })
}

/** Refuses who would have a stored login told where it is not used yet, without the right over logins. */
function checkPlace({ runtime, actor }: NetworkContext, row: Row, change: Partial<Row>): void {
  const next = { ...row, ...change }
  const stored = runtime.db
    .select()
    .from(credentials)
    .where(eq(credentials.id, next.credential ?? 0))
    .get()
  const login = stored && openCredential(runtime, stored)
  if (!login || mayReuse(actor, login)) return
  const problems = newTarget(row, next, login)
  if (Object.keys(problems).length) failFields(problems)
}

const remove = call({
  ...editing,
  path: 'devices/delete',
  topics: ['devices'],
  send: 'once',
  input: z.strictObject({ ids }),
  /** Forgets devices; nothing is changed on them. */
  run(context, input) {
    const rows = findDevices(context, input.ids)
    context.runtime.db.transaction(() => {
      forget(
        context,
        rows.map(row => row.id),
      )
      for (const row of rows) context.log({ action: 'delete', object: 'device', name: row.name })
    })
    for (const row of rows) fleetOf(context.runtime).remove(row.id)
    context.runtime.bus.emit({ topic: 'devices', ...placeOf(context) })
    return { deleted: rows.length }
  },
})

const move = call({
  ...editing,
  path: 'devices/move',
  topics: ['devices'],
  input: z.strictObject({
    ids,
    /** A group of the same network, or out of all (-1). */
    groupId: z.union([z.literal(rootGroup), id]).optional(),
    /** Another network of the organization: its settings are not the old one's, logins are taken along. */
    toNetworkId: id.optional(),
  }),
  run(context, input) {
    const rows = findDevices(context, input.ids)
    if ((input.groupId === undefined) === (input.toNetworkId === undefined)) failFields({ groupId: 'required' })
    if (input.groupId !== undefined) transferDevices(context, input.ids, input.groupId)
    else moveToNetwork(context, rows, input.toNetworkId ?? 0)
    tellChanged(context, input.toNetworkId === undefined ? [] : rows.map(row => row.id))
    return { moved: rows.length }
  },
})

const replace = call({
  ...editing,
  path: 'devices/replace',
  topics: ['devices'],
  input: z.strictObject({ id, by: id }),
  /** An adopted device (`by`) takes over name, remarks, group and settings of another, which is forgotten. */
  run(context, input) {
    if (input.id === input.by) failFields({ by: 'notAllowed' })
    const old = findDevice(context, input.id)
    const next = findDevice(context, input.by)
    transferDevice(context, old, next)
    fleetOf(context.runtime).remove(old.id)
    context.runtime.bus.emit({ topic: 'settings', ...placeOf(context) })
    tellChanged(context, [next.id])
    return { id: next.id }
  },
})

/** Those of which a device's events and the changelog tell under their own name. */
type OwnAction = 'reboot' | 'locate' | 'setLogin'

/** Runs an action on a device and writes it down. Refuses with the reason when the device cannot or does not. */
export async function act<A extends OwnAction>(
  context: NetworkContext & Logging,
  row: Row,
  action: A,
  input: Omit<InputOf<A>, 'id'>,
): Promise<void> {
  await fleetOf(context.runtime)
    .ask(action, { ...input, id: row.id } as InputOf<A>)
    .catch(failDevice)
  writeDown(context, row, action)
}

function writeDown(context: NetworkContext & Logging, row: Row, action: OwnAction): void {
  context.runtime.db.transaction(() => {
    addEvent(context.runtime, row.id, `${action}Asked`, { account: context.actor.account })
    context.log({ action, object: 'device', name: row.name })
  })
  context.runtime.bus.emit({ topic: 'device', id: row.id, ...placeOf(context) })
}

const reboot = call({
  ...editing,
  path: 'devices/reboot',
  topics: ['devices'],
  send: 'once',
  input: z.strictObject({ ids: z.array(id).min(1, 'required').max(200) }),
  /** {results: [{id, ok, reason}]}: each device for itself. */
  async run(context, input) {
    const rows = findDevices(context, input.ids)
    const results = await Promise.all(
      rows.map(row =>
        act(context, row, 'reboot', {}).then(
          () => ({ id: row.id, name: row.name, ok: true, reason: '' }),
          error => ({ id: row.id, name: row.name, ok: false, reason: String(error?.data?.reason ?? 'internal') }),
        ),
      ),
    )
    return { results }
  },
})

/** Until when each device blinks, Unix ms: who asks on is not written down again. */
const locating = part('locating', () => new Map<number, number>())

const locate = call({
  ...editing,
  path: 'devices/locate',
  topics: ['devices'],
  // Written down when it begins: a window that stays open asks again and again.
  changelog: 'elsewhere',
  // The window that asked may end with its page.
  send: 'keepalive',
  input: z.strictObject({ id, seconds: z.int().min(0).max(limits.locateSeconds).default(limits.locateSeconds) }),
  /**
   * Blinks a light of the device for so long from now, which the device itself keeps; asked again meanwhile it goes on,
   * 0 ends it.
   */
  async run(context, { id: device, seconds }) {
    const row = findDevice(context, device)
    await fleetOf(context.runtime).ask('locate', { id: row.id, seconds }).catch(failDevice)
    const ends = locating.of(context.runtime)
    if (seconds > 0 && (ends.get(row.id) ?? 0) < context.now) writeDown(context, row, 'locate')
    ends.set(row.id, context.now + seconds * 1000)
    return { until: context.now + seconds * 1000 }
  },
})

export const editCalls = [configSave, remove, move, replace, reboot, locate] as const
