import { and, eq, ne } from 'drizzle-orm'
import * as z from 'zod'
import { credentials, devices } from '@/db/schema'
import { limits } from '@/model/limits'
import { insertCredential, type Owner } from '@/server/devices/adoption/adopt'
import { mayReuse, newTarget } from '@/server/devices/adoption/credential-disclosure'
import { credentialInput, deviceAddress, devicePort, hostKeyFormat } from '@/server/devices/adoption/credential-input'
import { forget, moveToNetwork, transferDevice } from '@/server/devices/adoption/transfer'
import { openCredential, sealCredential } from '@/server/devices/link/credential-store'
import { failDevice } from '@/server/devices/link/errors'
import { fleetOf } from '@/server/devices/link/fleet'
import { addEvent } from '@/server/devices/link/states'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { rootGroup, transferDevices } from '@/server/networks/groups/groups'
import type { ActionInput } from '@/server/worker/protocol'
import { findDevice } from './calls'
import { tryLogin } from './credential-calls'

const editing = {
  tag: 'devices',
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const
const id = z.int().min(1)
const ids = z.array(id).min(1, 'required').max(limits.devices)
type Row = typeof devices.$inferSelect

/** The rows of these devices, all of this network; one that is not refuses the whole call. */
function findDevices(context: NetworkContext, wanted: readonly number[]): Row[] {
  return [...new Set(wanted)].map(one => findDevice(context, one))
}

const placeOf = ({ actor, network }: NetworkContext) => ({ organization: actor.organization, network: network.id })

function tellChanged(context: NetworkContext, changed: readonly number[]): void {
  const { runtime } = context
  for (const device of changed) {
    fleetOf(runtime).upsert(device)
    runtime.bus.emit({ topic: 'device', id: device, ...placeOf(context) })
  }
  runtime.bus.emit({ topic: 'devices', ...placeOf(context) })
}

const name = z
  .string()
  .trim()
  .min(1, 'required')
  .max(limits.deviceNameCharacters, 'tooLong')
  .regex(/^[^\p{C}]*$/u, 'controlCharacters')

const configSave = call({
  ...editing,
  path: 'devices/config/save',
  send: 'once',
  input: z.strictObject({
    id,
    name: name.optional(),
    remarks: z.string().trim().max(limits.textCharacters, 'tooLong').optional(),
    address: deviceAddress.optional(),
    port: devicePort.optional(),
    /** A new host key that a person saw and accepts: after a device was installed anew. */
    hostKey: hostKeyFormat.optional(),
    credentialId: id.optional(),
  }),
  /** Renames a device and says how it is reached (rule N3). Changes nothing on the device. */
  run(context, { id: device, credentialId, ...change }) {
    const { runtime, network, actor } = context
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

/** Runs an action on a device and writes it down. Refuses with the reason when the device cannot or does not. */
async function act(context: NetworkContext & Logging, row: Row, action: ActionInput): Promise<void> {
  await fleetOf(context.runtime).ask('action', action).catch(failDevice)
  context.runtime.db.transaction(() => {
    addEvent(context.runtime, row.id, `${action.name}Asked`, { account: context.actor.account })
    context.log({ action: action.name, object: 'device', name: row.name })
  })
  context.runtime.bus.emit({ topic: 'device', id: row.id, ...placeOf(context) })
}

const reboot = call({
  ...editing,
  path: 'devices/reboot',
  send: 'once',
  input: z.strictObject({ ids: z.array(id).min(1, 'required').max(200) }),
  /** {results: [{id, ok, reason}]}: each device for itself. */
  async run(context, input) {
    const rows = findDevices(context, input.ids)
    const results = await Promise.all(
      rows.map(row =>
        act(context, row, { id: row.id, name: 'reboot' }).then(
          () => ({ id: row.id, name: row.name, ok: true, reason: '' }),
          error => ({ id: row.id, name: row.name, ok: false, reason: String(error?.data?.reason ?? 'internal') }),
        ),
      ),
    )
    return { results }
  },
})

const locate = call({
  ...editing,
  path: 'devices/locate',
  input: z.strictObject({ id, seconds: z.int().min(1).max(300).default(30) }),
  /** Blinks the device's lights; the device itself stops after the time. */
  async run(context, input) {
    const row = findDevice(context, input.id)
    await act(context, row, { id: row.id, name: 'locate', seconds: input.seconds })
    return { until: Date.now() + input.seconds * 1000 }
  },
})

const setLogin = call({
  scope: 'network',
  authority: 'devices_logins_edit',
  changes: true,
  path: 'devices/set-login',
  tag: 'devices',
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({
    id,
    password: z
      .string()
      .min(8, 'tooShort')
      .max(1024, 'tooLong')
      .regex(/^[^\p{Cc}]*$/u, 'controlCharacters')
      .optional(),
    /** One line as in authorized_keys; its private half goes into `privateKey` for the manager. */
    publicKey: z
      .string()
      .max(16_384, 'tooLong')
      .regex(/^(ssh|ecdsa|sk)-[a-z0-9@.-]+ [A-Za-z0-9+/=]+( [^\p{C}]*)?$/u, 'keyFormat')
      .optional(),
    privateKey: z.string().max(32_768, 'tooLong').optional(),
  }),
  /**
   * Sets a password and/or a key on the device for the account the manager uses, proves each over a new connection, and
   * uses them from then on. What the device does not take is told, and the former login stays the manager's.
   */
  async run(context, { id: device, password, publicKey, privateKey }) {
    if (!password && !publicKey) failFields({ password: 'required' })
    if (privateKey && !publicKey) failFields({ publicKey: 'required' })
    const row = findDevice(context, device)
    const stored = context.runtime.db
      .select()
      .from(credentials)
      .where(eq(credentials.id, row.credential ?? 0))
      .get()
    if (stored?.type !== 'ssh') return fail('deviceUnsupported', { reason: 'unsupported', detail: 'SSH only' })
    const before = openCredential(context.runtime, stored)
    await act(context, row, { id: row.id, name: 'setLogin', login: { password, publicKey } })
    const given = [password && { password }, privateKey && { privateKey }].filter(
      one => one !== undefined && one !== '',
    )
    const login = { type: 'ssh', user: stored.user } as const
    for (const one of given)
      await tryLogin(context, row.id, credentialInput.parse({ ...login, ...one })).catch(failDevice)
    saveOwnLogin(context, row, stored, credentialInput.parse(Object.assign({ ...before }, ...given)), !password)
    tellChanged(context, [row.id])
    return {}
  },
})

/** The login is this device's alone from now on: others that shared the old one keep it. */
function saveOwnLogin(
  context: NetworkContext,
  row: Row,
  stored: typeof credentials.$inferSelect,
  next: z.output<typeof credentialInput>,
  stillOpen: boolean,
): void {
  const { db } = context.runtime
  // A key more does not shut a device that lets anyone in without one.
  const openLogin = stillOpen && row.openLogin
  db.transaction(() => {
    const shared = db.select({ id: devices.id }).from(devices).where(eq(devices.credential, stored.id)).all().length > 1
    const owner: Owner = { organization: row.organization, network: row.network }
    if (shared) {
      const own = insertCredential(context.runtime, owner, next, `SSH ${row.name}`, context.now)
      db.update(devices).set({ credential: own, openLogin }).where(eq(devices.id, row.id)).run()
    } else {
      const secret = sealCredential(context.runtime, stored.id, next)
      db.update(credentials).set({ secret, changedAt: context.now }).where(eq(credentials.id, stored.id)).run()
      db.update(devices).set({ openLogin }).where(eq(devices.id, row.id)).run()
    }
  })
}

export const editCalls = [configSave, remove, move, replace, reboot, locate, setLogin] as const
