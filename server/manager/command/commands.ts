import { randomInt } from 'node:crypto'
import { createWriteStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts, organizations } from '@/db/schema'
import { passwordProblems } from '@/model/password'
import { appendLog, type LogAction, type LogObject } from '@/server/kernel/changelog'
import { fail, failFields } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { sha256 } from '@/server/kernel/secrets'
import { setup } from '@/server/kernel/setup'
import { withScratch } from '@/server/manager/backups/scratch'
import {
  exclusively,
  makeBackup,
  placeOf,
  proveArchive,
  restoreFrom,
  storedPassphrase,
} from '@/server/manager/backups/service'
import { backupFolder } from '@/server/manager/backups/storage'
import { archivePath } from '@/server/manager/backups/store'
import { verifyArchivedLog } from '@/server/manager/backups/verify-log'
import { headPattern } from '@/server/manager/changelog/head'
import { verifyLog } from '@/server/manager/changelog/verify'
import { unlock } from '@/server/people/accounts/lock'
import { removeMfa } from '@/server/people/accounts/mfa'
import { hashPassword } from '@/server/people/accounts/passwords'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { standingOf } from '@/server/people/accounts/standing'
import { type Command, command, type Outcome } from './command'
import { status, support } from './status'

const account = z.string().min(1).max(64)
const passphrase = z.string().min(8).max(128).optional()

/** The organization that the manager was set up for. */
const firstOrganization = ({ db }: Runtime): number | null =>
  db.select({ id: organizations.id }).from(organizations).orderBy(asc(organizations.id)).limit(1).get()?.id ?? null

const organizationOf = (runtime: Runtime, name: string): number | null =>
  runtime.db.select().from(accounts).where(eq(accounts.account, name)).get()?.organization ?? firstOrganization(runtime)

function log(runtime: Runtime, action: LogAction, object: LogObject, name: string): void {
  const organization = object === 'account' ? organizationOf(runtime, name) : firstOrganization(runtime)
  const entry = { organization, network: null, at: Date.now(), account: '', address: 'command line' }
  appendLog(runtime.db, runtime.secrets, { ...entry, action, object, name, fields: {} })
}

/** The archive a command is about: one of the backup folder by name, or the bytes sent along. */
function withArchive<T>(
  runtime: Runtime,
  name: string | undefined,
  body: Readable | undefined,
  work: (file: string) => Promise<T>,
) {
  if (name) return work(archivePath(backupFolder(runtime), name))
  if (!body) return fail('backupNotFound')
  return withScratch(runtime.config.data, async folder => {
    await pipeline(body, createWriteStream(`${folder}/archive.tar.gz`, { mode: 0o600 }))
    return work(`${folder}/archive.tar.gz`)
  })
}

const backup = command({
  input: z.strictObject({ history: z.boolean().default(true), passphrase }),
  async run(runtime, input) {
    const used = input.passphrase ?? storedPassphrase(runtime)
    const name = await makeBackup(runtime, { automatic: false, history: input.history, passphrase: used })
    log(runtime, 'add', 'backup', name)
    const path = `${backupFolder(runtime)}/${name}`
    return { data: { name, path, bytes: statSync(path).size, proven: true } }
  },
})

const archiveInput = z.strictObject({ name: z.string().max(100).optional(), passphrase })

const verifyChangelog = command({
  /** `head`: newest entry as it was written down elsewhere. `archive`: the log inside a backup, by name or the bytes sent along. */
  input: z.strictObject({
    ...archiveInput.shape,
    head: z.string().regex(headPattern).optional(),
    archive: z.boolean().default(false),
  }),
  async run(runtime, input, body) {
    const heads = input.head ? [input.head] : []
    if (!input.archive) return { data: await verifyLog(runtime.sqlite, runtime.secrets, heads) }
    const used = input.passphrase ?? storedPassphrase(runtime)
    const verify = (file: string) => verifyArchivedLog(placeOf(runtime), file, heads, used)
    return { data: await withArchive(runtime, input.name, body, verify) }
  },
})

const verify = command({
  input: archiveInput,
  run: (runtime, input, body) =>
    exclusively(runtime, () =>
      withArchive(runtime, input.name, body, async file => {
        const { manifest, proof } = await proveArchive(runtime, file, input.passphrase)
        const { version, createdAt, rows, changelogHead } = manifest
        const { secretOpened, origin } = proof
        return { data: { restorable: true, version, createdAt, rows, secretOpened, origin, changelogHead } }
      }),
    ),
})

const restore = command({
  input: archiveInput,
  run: (runtime, input, body) =>
    exclusively(runtime, () =>
      withArchive(runtime, input.name, body, async file => {
        const by = { account: '', address: 'command line', organization: firstOrganization(runtime) }
        const { version, createdAt } = await restoreFrom(runtime, file, by, Date.now(), input.passphrase)
        return { data: { restored: true, version, createdAt, former: basename(runtime.generation) }, restart: true }
      }),
    ),
})

const unlockAccount = command({
  input: z.strictObject({ account }),
  run(runtime, input) {
    unlock(runtime.db, input.account)
    log(runtime, 'unlock', 'account', input.account)
    return { data: { account: input.account, unlocked: true } }
  },
})

/** A password that meets rule A9 and can be read aloud. */
function freshPassword(): string {
  const letters = 'abdfhkmprtwxy'
  const digits = '2479'
  for (;;) {
    const pick = (from: string) => from[randomInt(from.length)] ?? ''
    const made = `${Array.from({ length: 8 }, () => pick(letters)).join('')}-${Array.from({ length: 4 }, () => pick(digits)).join('')}`
    if (passwordProblems(made).length === 0) return made
  }
}

const resetPassword = command({
  input: z.strictObject({ account, password: z.string().max(128).optional() }),
  async run(runtime, input) {
    const found = runtime.db.select().from(accounts).where(eq(accounts.account, input.account)).get()
    if (!found) return failFields({ account: 'unknownAccount' })
    if (found.source !== 'local') return failFields({ account: 'samlAccount' })
    const [problem, ...more] = input.password === undefined ? [] : passwordProblems(input.password)
    if (problem) return fail('passwordFormat', { fields: { password: problem }, more: { password: more } })
    const password = input.password ?? freshPassword()
    const stored = await hashPassword(sha256(password.normalize('NFKC')))
    runtime.db.transaction(tx => {
      tx.update(accounts)
        .set({ password: stored, passwordChangedAt: Date.now() })
        .where(eq(accounts.id, found.id))
        .run()
      // Whoever is at the machine itself lets in who lost the phone too.
      removeMfa(tx, found)
      unlock(tx, input.account)
      log(runtime, 'resetPassword', 'account', input.account)
    })
    endOtherSessions(runtime, found)
    const { keys: apiKeys, webhooks } = standingOf(runtime.db, found.id, Date.now())
    return { data: { account: input.account, apiKeys, webhooks, ...(input.password === undefined && { password }) } }
  },
})

const setupCode = command({
  input: z.strictObject({}),
  run: runtime => {
    const { finished } = setup.read(runtime.db)
    if (finished) return fail('wizardClosed')
    return { data: { setupCode: runtime.setupCode, needed: runtime.setupCode !== '' } }
  },
})

/** What the command line can ask, by name. */
export const commands = {
  backup,
  verify,
  'verify-log': verifyChangelog,
  restore,
  unlock: unlockAccount,
  'reset-password': resetPassword,
  'setup-code': setupCode,
  status,
  support,
} as const
export type CommandName = keyof typeof commands

/** Runs one command; refuses unknown ones (notFoundCall) and bad input (invalidInput) before anything is done. */
export async function runCommand(runtime: Runtime, name: string, input: unknown, body?: Readable): Promise<Outcome> {
  if (!Object.hasOwn(commands, name)) return fail('notFoundCall')
  const found = commands[name as CommandName] as unknown as Command<z.ZodType>
  const parsed = found.input.safeParse(input)
  if (!parsed.success)
    return fail('invalidInput', { fields: { [parsed.error.issues[0]?.path.join('.') ?? '']: 'invalid' } })
  return found.run(runtime, parsed.data, body)
}
