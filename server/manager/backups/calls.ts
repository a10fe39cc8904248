import { renameSync, rmSync, statSync } from 'node:fs'
import * as z from 'zod'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { isRefusal, requirePrivate } from '@/server/kernel/fail'
import { fileResponse } from '@/server/kernel/files/serve'
import { readGeneral } from '@/server/kernel/general'
import { listInput, paginate } from '@/server/kernel/lists'
import { saveOwn } from '@/server/kernel/own-settings'
import { note } from '@/server/kernel/shapes'
import { backupSettings } from './schedule'
import { exclusively, isRunning, makeBackup, proveArchive, restartSoon, restoreFrom, storedPassphrase } from './service'
import { backupState } from './state'
import { backupFolder, reachableArchives, readSchedule } from './storage'
import { archivePath, noteProven } from './store'
import { takeUpload, uploadedBytes } from './upload'

const name = z.string().min(1, 'required').max(100)
const passphrase = z.string().min(8, 'tooShort').max(128)

const reading = { tag: 'manager', authority: 'organization_manager', scope: 'organization', changes: false } as const
const changing = {
  tag: 'manager',
  authority: 'organization_manager_edit',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const

const byOf = ({ actor, address }: OrganizationContext) => ({
  account: actor.account,
  address,
  organization: actor.organization,
})

const list = call({
  ...reading,
  path: 'backups/list',
  input: z.strictObject(listInput),
  async run({ runtime }, { page, pageSize, search }) {
    const { rows, gone } = await reachableArchives(runtime)
    const found = search ? rows.filter(row => row.name.includes(search.toLowerCase())) : rows
    const { lastProven, lastFailure } = backupState.read(runtime.db)
    const { passphrase, ...schedule } = readSchedule(runtime.db, runtime)
    return {
      ...paginate(found, page, pageSize),
      /** Bytes. */
      used: rows.reduce((sum, row) => sum + row.size, 0),
      running: isRunning(runtime),
      schedule: { ...schedule, passphrase: { set: passphrase !== undefined } },
      /** When the schedule makes the next one, unix ms. */
      next: runtime.jobs.state('backup')?.next ?? null,
      /** Of the schedule's time. */
      timezone: readGeneral(runtime.db).timezone,
      /** The chosen folder is not there: nothing is listed and nothing can be made. */
      gone,
      lastProven: lastProven ?? null,
      lastFailure: lastFailure ?? null,
    }
  },
})

const create = call({
  ...changing,
  path: 'backups/create',
  topics: ['backups'],
  send: 'once',
  seconds: 600,
  input: z.strictObject({
    history: z.boolean().default(true),
    /** Without one the stored passphrase of the schedule is used; null: none. */
    passphrase: passphrase.nullish(),
  }),
  async run(context, input) {
    if (input.passphrase) requirePrivate(context)
    const { runtime } = context
    const used = input.passphrase === null ? undefined : (input.passphrase ?? storedPassphrase(runtime))
    const made = await makeBackup(runtime, { automatic: false, history: input.history, passphrase: used })
    context.log({ action: 'add', object: 'backup', name: made })
    return { name: made }
  },
})

const aside = (file: string) => `${file}.deleted`
function putAside(files: readonly string[]): void {
  for (const file of files) renameSync(/* turbopackIgnore: true */ file, /* turbopackIgnore: true */ aside(file))
}
function putBack(files: readonly string[]): void {
  for (const file of files) renameSync(/* turbopackIgnore: true */ aside(file), /* turbopackIgnore: true */ file)
}

const remove = call({
  ...changing,
  path: 'backups/delete',
  topics: ['backups'],
  send: 'once',
  input: z.strictObject({ names: z.array(name).min(1, 'required').max(1000) }),
  run({ runtime, log }, { names }) {
    const folder = backupFolder(runtime)
    const unique = [...new Set(names)]
    const files = unique.map(one => archivePath(folder, one))
    // Written down first: an archive must not go without its entry, and comes back where that cannot be written.
    putAside(files)
    try {
      runtime.db.transaction(() => {
        for (const one of unique) log({ action: 'delete', object: 'backup', name: one })
      })
    } catch (error) {
      putBack(files)
      throw error
    }
    for (const file of files) rmSync(/* turbopackIgnore: true */ aside(file), { force: true })
    runtime.bus.emit({ topic: 'backups' })
  },
})

const schedule = call({
  ...changing,
  path: 'backups/schedule',
  topics: ['backups'],
  input: z.strictObject({
    frequency: z.enum(['off', 'daily', 'weekly']),
    time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalidFormat'),
    weekday: z.int().min(0).max(6).default(0),
    storageLimitMb: z.int().min(10).max(1_000_000),
    history: z.boolean(),
    /** Folder of the archives, '' for the one in the data folder; absent keeps what is. */
    path: note(255).optional(),
    /** New passphrase, null to have none, `{set}` or absent to keep what is. */
    passphrase: z.union([passphrase, z.strictObject({ set: z.boolean() }), z.null()]).optional(),
  }),
  run(context, { passphrase: given, ...fields }) {
    const { path, passphrase: stored } = readSchedule(context.runtime.db, context.runtime)
    const kept = typeof given === 'string' ? given : given !== null && stored !== undefined ? { set: true } : undefined
    saveOwn(context, backupSettings, { fields: { path, ...fields, passphrase: kept }, lenient: true })
    return {}
  },
})

const verify = call({
  ...changing,
  path: 'backups/verify',
  topics: ['backups'],
  changelog: 'looks',
  seconds: 600,
  input: z.strictObject({ name, passphrase: passphrase.optional() }),
  async run(context, input) {
    if (input.passphrase) requirePrivate(context)
    const { runtime } = context
    const folder = backupFolder(runtime)
    const file = archivePath(folder, input.name)
    return exclusively(runtime, async () => {
      try {
        const { proof } = await proveArchive(runtime, file, input.passphrase)
        noteProven(folder, input.name, context.now)
        return { rows: proof.rows, secretOpened: proof.secretOpened, origin: proof.origin }
      } catch (error) {
        // A missing passphrase says nothing about the archive.
        if (!isRefusal(error) || error.code !== 'backupPassphrase') noteProven(folder, input.name, undefined)
        throw error
      } finally {
        runtime.bus.emit({ topic: 'backups' })
      }
    })
  },
})

const restore = call({
  ...changing,
  path: 'backups/restore',
  unheard: 'leaves',
  changelog: 'elsewhere',
  send: 'once',
  seconds: 'unlimited',
  input: z.strictObject({ name, passphrase: passphrase.optional() }),
  async run(context, input) {
    if (input.passphrase) requirePrivate(context)
    const { runtime } = context
    const file = archivePath(backupFolder(runtime), input.name)
    const manifest = await exclusively(runtime, () =>
      restoreFrom(runtime, file, byOf(context), context.now, input.passphrase),
    )
    restartSoon()
    return { createdAt: manifest.createdAt, version: manifest.version, restarting: true }
  },
})

const download = call({
  path: 'backups/download',
  seconds: 'unlimited',
  tag: 'manager',
  authority: 'organization_manager_edit',
  scope: 'organization',
  changes: false,
  get: true,
  input: z.strictObject({ name }),
  run({ runtime, request }, input) {
    const path = archivePath(backupFolder(runtime), input.name)
    const { size } = statSync(/* turbopackIgnore: true */ path)
    return fileResponse(request, { path, name: input.name, type: 'application/gzip', bytes: size })
  },
})

const upload = call({
  ...changing,
  path: 'backups/upload',
  topics: ['backups'],
  body: 'stream',
  uploadBytes: uploadedBytes,
  input: z.strictObject({}),
  async run(context) {
    const { runtime, request, now } = context
    const { name: stored, createdAt, passphrase: has } = await takeUpload(runtime, request)
    context.log({ action: 'upload', object: 'backup', name: stored })
    return { name: stored, createdAt, uploadedAt: now, passphrase: has }
  },
})

export const backupCalls = [list, create, remove, schedule, verify, restore, download, upload] as const
