import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { credentials, devices } from '@/db/schema'
import { limits } from '@/model/limits'
import { isDevicePassword } from '@/model/password'
import { oneLine } from '@/model/rules'
import { changeCredential, deleteCredential, insertCredential, type Owner } from '@/server/devices/adoption/adopt'
import { credentialInput, pastedKey } from '@/server/devices/adoption/credential-input'
import { type CredentialRow, openCredential } from '@/server/devices/link/credential-store'
import { failDevice } from '@/server/devices/link/errors'
import type { Reason } from '@/server/drivers/driver'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { appendLog } from '@/server/kernel/changelog'
import { fail, failFields } from '@/server/kernel/fail'
import { limiter } from '@/server/kernel/limiter'
import type { Runtime } from '@/server/kernel/runtime'
import { type TaskState, taskKind } from '@/server/kernel/task'
import { below, findGroup, networkGroups } from '@/server/networks/groups/groups'
import { mayJob } from '@/server/people/access/access'
import { findDevice } from './calls'
import { tryLogin } from './credential-calls'
import { act, type Row, tellChanged } from './edit-calls'

// The password and the key by which the manager logs in, set on devices themselves: on one, or on all of a group.

const logins = {
  tag: 'devices',
  scope: 'network',
  authority: 'devices_logins_edit',
} as const
const id = z.int().min(1)

/** Rule A10. */
const devicePassword = z
  .string()
  .min(limits.devicePasswordCharacters.min, 'tooShort')
  .max(limits.devicePasswordCharacters.max, 'tooLong')
  .regex(oneLine, 'controlCharacters')
  .refine(isDevicePassword, 'devicePassword')

type NewLogin = { password?: string | undefined; publicKey?: string | undefined; privateKey?: string | undefined }
type Store = {
  /** Where the new login of a device is stored that shares its old one; returns its number. */
  share(row: Row, stored: CredentialRow, next: z.output<typeof credentialInput>): number
  /** Nobody has the old one any more: it is the new one from now on. */
  settled?(stored: CredentialRow): void
}

const sshLogin = ({ runtime }: NetworkContext, row: Row): CredentialRow | undefined => {
  const stored = runtime.db
    .select()
    .from(credentials)
    .where(eq(credentials.id, row.credential ?? 0))
    .get()
  return stored?.type === 'ssh' ? stored : undefined
}

/** Sets a login on a device, proves each part of it over a new connection, and uses it from then on; throws what the device says. */
async function setOn(
  context: NetworkContext & Logging,
  row: Row,
  stored: CredentialRow,
  { password, publicKey, privateKey }: NewLogin,
  store: Store,
): Promise<void> {
  const before = openCredential(context.runtime, stored)
  await act(context, row, 'setLogin', { login: { password, publicKey } })
  const given = [password && { password }, privateKey && { privateKey }].filter(one => one !== undefined && one !== '')
  const login = { type: 'ssh', user: stored.user } as const
  for (const one of given)
    await tryLogin(context, row.id, credentialInput.parse({ ...login, ...one })).catch(failDevice)
  saveLogin(context, row, stored, credentialInput.parse(Object.assign({ ...before }, ...given)), !password, store)
  tellChanged(context, [row.id])
}

/** Others that shared the old login keep it; the device itself has the new one from now on. */
function saveLogin(
  { runtime, now }: NetworkContext,
  row: Row,
  stored: CredentialRow,
  next: z.output<typeof credentialInput>,
  stillOpen: boolean,
  store: Store,
): void {
  const { db } = runtime
  // A key more does not shut a device that lets anyone in without one.
  const openLogin = stillOpen && row.openLogin
  db.transaction(() => {
    const users = db.select({ id: devices.id }).from(devices).where(eq(devices.credential, stored.id)).all()
    if (users.length > 1) {
      const credential = store.share(row, stored, next)
      db.update(devices).set({ credential, openLogin }).where(eq(devices.id, row.id)).run()
    } else {
      changeCredential(runtime, stored.id, { credential: next }, now)
      db.update(devices).set({ openLogin }).where(eq(devices.id, row.id)).run()
      store.settled?.(stored)
    }
  })
}

const setLogin = call({
  ...logins,
  changes: true,
  path: 'devices/set-login',
  topics: ['devices'],
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({
    id,
    password: devicePassword.optional(),
    /** One line as in authorized_keys; its private half goes into `privateKey` for the manager. */
    publicKey: z
      .string()
      .max(16_384, 'tooLong')
      .regex(/^(ssh|ecdsa|sk)-[a-z0-9@.-]+ [A-Za-z0-9+/=]+( [^\p{C}]*)?$/u, 'keyFormat')
      .optional(),
    privateKey: pastedKey.optional(),
  }),
  /**
   * Sets a password and/or a key on the device for the account the manager uses, proves each over a new connection, and
   * uses them from then on. What the device does not take is told, and the former login stays the manager's.
   */
  async run(context, { id: device, ...login }) {
    if (!login.password && !login.publicKey) failFields({ password: 'required' })
    if (login.privateKey && !login.publicKey) failFields({ publicKey: 'required' })
    const row = findDevice(context, device)
    const stored = sshLogin(context, row)
    if (!stored) return fail('deviceUnsupported', { reason: 'unsupported', detail: 'SSH only' })
    await setOn(context, row, stored, login, {
      share(one, _, next) {
        const owner: Owner = { organization: one.organization, network: one.network }
        return insertCredential(context.runtime, owner, next, `SSH ${one.name}`, context.now)
      },
    })
    return {}
  },
})

/** One device of a group whose password is set. `reason`: key of reasons.json, of one that has `failed`. */
type PasswordItem = { deviceId: number; name: string; state: 'waiting' | 'running' | 'set' | 'failed'; reason: string }
type PasswordProgress = { group: string; items: PasswordItem[] }
const passwords = taskKind<PasswordProgress>({ type: 'groupPassword', topic: 'devices' })

/** Passwords that the manager's end cut short have failed, but on the devices that had theirs by then. */
export const startGroupPasswords = (runtime: Runtime): void => passwords.takeUp(runtime)

const together = 8

/**
 * Devices that shared a login share the new one, too: a login of the group beside the former one, until nobody has that
 * any more; then it takes the new one's place and keeps its name.
 */
function groupStore({ runtime }: NetworkContext, group: { id: number; name: string }): Store {
  const { db } = runtime
  const made = new Map<number, number>()
  return {
    share(row, stored, next) {
      const owner: Owner = { organization: row.organization, network: row.network, group: group.id }
      const name = `${stored.name} – ${group.name}`
      const own = made.get(stored.id) ?? insertCredential(runtime, owner, next, name)
      made.set(stored.id, own)
      return own
    },
    settled(stored) {
      const own = made.get(stored.id)
      if (own === undefined) return
      db.update(devices).set({ credential: stored.id }).where(eq(devices.credential, own)).run()
      deleteCredential(db, own)
    },
  }
}

/** The same context for work that goes on after the answer: what it writes down, it writes with the time of then. */
function later(context: NetworkContext & Logging): NetworkContext & Logging {
  const { runtime, actor, network, address } = context
  return {
    ...context,
    log: ({ fields = {}, ...entry }) =>
      appendLog(runtime.db, runtime.secrets, {
        ...{ organization: actor.organization, network: network.id, account: actor.account, address },
        ...{ at: Date.now(), fields, ...entry },
      }),
  }
}

async function setOne(context: NetworkContext & Logging, password: string, store: Store, item: PasswordItem) {
  const row = findDevice(context, item.deviceId)
  const stored = sshLogin(context, row)
  const failed = (reason: Reason | 'offline') => Object.assign(item, { state: 'failed', reason })
  if (!stored) return failed('unsupported')
  if (row.status === 0) return failed('offline')
  item.state = 'running'
  await setOn({ ...context, now: Date.now() }, row, stored, { password }, store).then(
    () => Object.assign(item, { state: 'set' }),
    error => failed((error?.data?.reason as Reason) ?? 'internal'),
  )
}

const groupPassword = call({
  ...logins,
  changes: true,
  path: 'groups/password',
  topics: ['devices'],
  changelog: 'elsewhere',
  send: 'once',
  /** Rule A10. */
  input: z.strictObject({ groupId: id, password: devicePassword }),
  /**
   * Sets the password of the account by which the manager logs in on all devices of a group and of those below it, in the
   * background, each proven over a new connection: {jobId, devices}. `groups/password/result` tells of each.
   */
  run(context, { groupId, password }) {
    const { runtime, network, actor } = context
    const group = findGroup(runtime.db, network.id, groupId)
    const ids = below(networkGroups(runtime.db, network.id), groupId)
    const rows = runtime.db
      .select({ deviceId: devices.id, name: devices.name })
      .from(devices)
      .where(and(eq(devices.network, network.id), inArray(devices.group, ids)))
      .all()
    if (!rows.length) failFields({ groupId: 'groupEmpty' })
    const items = rows.map((row): PasswordItem => ({ ...row, state: 'waiting', reason: '' }))
    const place = { organization: actor.organization, network: network.id }
    const task = passwords.add(runtime, { ...place, progress: { group: group.name, items } })
    const [doors, store, writing] = [limiter(together), groupStore(context, group), later(context)]
    const one = async (item: PasswordItem) => {
      if (task.signal.aborted) return
      await setOne(writing, password, store, item)
      task.save()
    }
    void task.run(async () => {
      await Promise.all(items.map(item => doors.run(() => one(item))))
    })
    return { jobId: task.id, devices: items.length }
  },
})

export type PasswordState = PasswordProgress & { id: string; state: TaskState }

const groupPasswordResult = call({
  ...logins,
  changes: false,
  path: 'groups/password/result',
  input: z.strictObject({ jobId: z.uuid('notFound') }),
  /** {state, group, items: [{deviceId, name, state, reason}]}. */
  run({ runtime, actor }, { jobId }): PasswordState {
    const found = passwords.find(runtime, jobId)
    if (!found || found.organization !== actor.organization || !mayJob(actor, found)) return fail('jobNotFound')
    return { id: jobId, state: found.state, ...found.progress }
  },
})

export const loginCalls = [setLogin, groupPassword, groupPasswordResult] as const
