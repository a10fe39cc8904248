import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { radiusNetworks } from '@/db/schema'
import { f } from '@/model/fields'
import { type RadiusUserFields, radiusUser } from '@/model/profiles/radius-user'
import { call, type NetworkContext } from '@/server/kernel/call'
import { csvFile } from '@/server/kernel/csv'
import { openedRows } from '@/server/kernel/documents'
import { fail } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import { kindRows } from '@/server/networks/settings/store'
import { isRunning, trySignIn } from './ask'
import { changing, reading } from './call-heads'
import { isSupervised, lastFailure } from './folder'
import { lastSignIns } from './journal'
import { putOut } from './put-out'
import { readAccounts, type Session, sessionsOf } from './sessions'
import { exportStaffProfile, saveStaff } from './staff'
import { renewRadius } from './start'
import { exportUsers, importUsers } from './user-file'

type Of = Pick<NetworkContext, 'runtime' | 'network'>
const isOn = ({ runtime, network }: Of) =>
  runtime.db.select().from(radiusNetworks).where(eq(radiusNetworks.network, network.id)).get() !== undefined

const usersOf = ({ runtime, network }: Of) =>
  openedRows(runtime.secrets, radiusUser, kindRows(runtime.db, network.id, radiusUser.id)).map(({ row, data }) => ({
    id: row.id,
    ...(data as RadiusUserFields),
  }))

const get = call({
  ...reading,
  path: 'radius/get',
  input: z.strictObject({}),
  /** How the manager's own RADIUS server is: `unavailable` where nothing here starts it; `why`: its own last words. */
  async run(context) {
    const { radius } = context.runtime.config
    if (!isSupervised(radius)) return { state: 'unavailable' as const }
    if (!isOn(context)) return { state: 'off' as const }
    if (await isRunning(context.runtime)) return { state: 'running' as const }
    const why = lastFailure(radius)
    return { state: 'silent' as const, ...(why !== undefined && { why }) }
  },
})

const turn = call({
  ...changing,
  path: 'radius/switch',
  topics: ['settings'],
  changelog: 'entry',
  input: z.strictObject({ on: z.boolean() }),
  /** Answers once the server has been told; it starts within a second or two. */
  async run(context, { on }) {
    const { runtime, network, now, log } = context
    if (on && !isSupervised(runtime.config.radius)) fail('radiusUnavailable')
    if (on !== isOn(context))
      runtime.db.transaction(tx => {
        if (on) tx.insert(radiusNetworks).values({ network: network.id, since: now }).run()
        else tx.delete(radiusNetworks).where(eq(radiusNetworks.network, network.id)).run()
        log({ action: on ? 'enable' : 'disable', object: 'radiusServer', name: network.name, network: network.id })
      })
    await renewRadius(runtime)
    return {}
  },
})

const attempt = call({
  ...changing,
  path: 'radius/try',
  topics: ['settings'],
  changelog: 'looks',
  input: z.strictObject({
    name: f.radiusName(),
    password: z.string().min(1, 'required').max(64),
  }),
  /**
   * Asks the real server by PAP, and says what decided: `by` the user, or `why` not: `unknown`, `disabled`, `noPassword` or
   * `password`.
   */
  async run(context, input) {
    if (!isOn(context)) fail('radiusOff')
    const tried = await trySignIn(context.runtime, context.network.id, input)
    if (tried.outcome === 'silent') return tried
    const users = usersOf(context)
    if (tried.outcome === 'accepted') {
      const { vlan, user } = tried
      const by = users.find(one => one.id === user)?.name
      return { outcome: 'accepted' as const, ...(by !== undefined && { by }), ...(vlan !== undefined && { vlan }) }
    }
    const named = users.find(one => one.name === input.name)
    const why = !named
      ? 'unknown'
      : !named.enabled
        ? 'disabled'
        : named.password === undefined
          ? 'noPassword'
          : 'password'
    return { outcome: 'refused' as const, why: why as 'unknown' | 'disabled' | 'noPassword' | 'password' }
  },
})

const signIns = call({
  ...reading,
  path: 'radius/sign-ins/list',
  input: z.strictObject(listInput),
  /** The last sign-ins, the newest first, as far back as the server's journal is read. */
  run({ runtime, network }, { page, pageSize, search = '' }) {
    const wanted = search.trim().toLowerCase()
    const rows = lastSignIns(runtime.config.radius, network.id)
    return paginate(
      rows.filter(one => one.name.toLowerCase().includes(wanted)),
      page,
      pageSize,
    )
  },
})

const sessionView = (one: Session) => ({
  id: one.id,
  name: one.name,
  mac: one.mac === '' ? null : one.mac,
  /** As the device calls the place; the Wi-Fi network's name stands behind its own MAC address. */
  ssid: /^[0-9A-F-]{17}:(.+)$/i.exec(one.called)?.[1] ?? null,
  nas: one.nas,
  started: one.started,
  seen: one.seen,
  ended: one.ended,
  inBytes: one.inBytes,
  outBytes: one.outBytes,
})

const sessions = call({
  ...reading,
  path: 'radius/sessions/list',
  input: z.strictObject({ ...listInput, mac: f.mac().optional() }),
  /** Who is in and who was, by what devices account for; bytes are received from and sent to the client. */
  async run({ runtime, network }, { page, pageSize, search, mac }) {
    await readAccounts(runtime)
    const { result, ...more } = paginate(sessionsOf(runtime, network.id, { mac, search }), page, pageSize)
    return { ...more, result: result.map(sessionView) }
  },
})

const exportSessions = call({
  ...reading,
  path: 'exports/radius-sessions',
  get: true,
  exports: true,
  input: z.strictObject({ search: listInput.search }),
  async run({ runtime, network, now }, { search }) {
    await readAccounts(runtime)
    const time = (at: number | null) => (at === null ? undefined : new Date(at).toISOString())
    const rows = sessionsOf(runtime, network.id, { search })
      .map(sessionView)
      .map(one => [
        ...[one.name, one.mac ?? undefined, one.ssid ?? undefined, one.nas, time(one.started), time(one.ended)],
        ...[one.inBytes, one.outBytes],
      ])
    const head = ['name', 'mac', 'ssid', 'device', 'started', 'ended', 'received', 'sent']
    return csvFile('radius-sessions', [head, ...rows], now)
  },
})

const putOutCall = call({
  ...changing,
  path: 'radius/sessions/disconnect',
  topics: ['settings'],
  changelog: 'entry',
  input: z.strictObject({ id: z.int().positive() }),
  /** Puts a device out at once; it may sign in again. Refused where no access point did it. */
  async run({ runtime, network, log }, { id }) {
    const found = sessionsOf(runtime, network.id, { open: true }).find(one => one.id === id)
    if (!found || found.mac === '') return fail('radiusSessionOver')
    const done = await putOut(runtime, network.id, [{ mac: found.mac, nas: found.nas }])
    if (done.length === 0) fail('radiusSessionKept')
    runtime.db.transaction(() => {
      log({ action: 'kick', object: 'client', name: `${found.name} (${found.mac})`, network: network.id })
    })
    return {}
  },
})

export const radiusCalls = [
  ...[get, turn, attempt, signIns],
  ...[sessions, exportSessions, putOutCall],
  ...[exportUsers, importUsers],
  ...[saveStaff, exportStaffProfile],
] as const
