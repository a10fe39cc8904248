import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { gunzipSync, gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import { create, extract } from 'tar'
import { generations, prepareGeneration } from '@/db/generation'
import { networks, settings } from '@/db/schema'
import { integrityProblems } from '@/db/schema-version'
import { codes } from '@/model/codes'
import { archiveFormat } from '@/server/manager/backups/manifest'
import { verifyArchive } from '@/server/manager/backups/restore'
import { cronOf, scheduleOf, startBackups } from '@/server/manager/backups/schedule'
import { placeOf } from '@/server/manager/backups/service'
import { archiveName } from '@/server/manager/backups/store'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../server/_manager'
import { root } from './_manager'

let manager: Manager
let browser: Browser
let work = ''

beforeEach(async () => {
  work = mkdtempSync(`${tmpdir()}/lanward-backup-`)
  manager = await startTestManager({ starters: [startBackups] })
  browser = await finishedWizard(manager)
})
afterEach(async () => {
  await manager.stop()
  rmSync(work, { recursive: true, force: true })
})

const folder = () => `${manager.data}/backups`
const make = async (input: object = {}) => {
  const made = await browser.post('backups/create', input)
  expect(made.retCode).toBe(0)
  return String(made.data.name)
}
/** Everything of the data folder that a refused restore must not touch. */
const fingerprint = () =>
  [
    readFileSync(`${manager.data}/current`, 'utf8'),
    ...readdirSync(manager.data).sort(),
    ...generations(manager.data),
  ].join(' ')

/** Unpacks an archive, lets `change` work on its files, and packs it again under a valid name with right hashes. */
async function forged(
  name: string,
  change: (dir: string, manifest: Record<string, unknown>) => void,
  extra: string[] = [],
): Promise<string> {
  const dir = mkdtempSync(`${work}/forge-`)
  await extract({ file: `${folder()}/${name}`, cwd: dir })
  const manifest = JSON.parse(readFileSync(`${dir}/manifest.json`, 'utf8')) as Record<string, unknown>
  // Without what only its maker can prove, so that the rest is looked at.
  delete manifest.mac
  change(dir, manifest)
  const files = manifest.files as Record<string, { sha256: string; bytes: number }>
  if (files['lanward.sqlite']?.sha256 !== 'keep') {
    const bytes = readFileSync(`${dir}/lanward.sqlite`)
    files['lanward.sqlite'] = { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
  }
  writeFileSync(`${dir}/manifest.json`, JSON.stringify(manifest))
  const made = archiveName('forged', Date.now())
  const rest = readdirSync(dir).filter(one => one !== 'manifest.json' && !extra.includes(one))
  await create({ file: `${folder()}/${made}`, cwd: dir, gzip: true, preservePaths: true }, [
    'manifest.json',
    ...rest,
    ...extra,
  ])
  return made
}
const refusal = async (name: string, extra: object = {}) => {
  const before = fingerprint()
  const { retCode, data } = await browser.post('backups/restore', { name, ...extra })
  expect(fingerprint()).toBe(before)
  return { retCode, data }
}

test('a backup is listed, proven restorable, private, and downloads as the same bytes', async () => {
  const name = await make()
  const { data } = await browser.post('backups/list')
  expect(data.result).toEqual([
    expect.objectContaining({
      name,
      manager: 'Harbour House',
      passphrase: false,
      automatic: false,
      provenAt: expect.any(Number),
    }),
  ])
  expect(data.lastProven).toMatchObject({ name })
  expect(statSync(`${folder()}/${name}`).mode & 0o777).toBe(0o600)
  const download = await browser.raw(`backups/download?name=${name}`, { method: 'GET' })
  expect(download.headers.get('content-disposition')).toContain(name)
  expect(Buffer.from(await download.arrayBuffer()).equals(readFileSync(`${folder()}/${name}`))).toBe(true)
})

test('carries no key without a passphrase', async () => {
  const name = await make()
  await extract({ file: `${folder()}/${name}`, cwd: work })
  const key = readFileSync(`${manager.data}/secret.key`)
  for (const file of readdirSync(work)) expect(readFileSync(`${work}/${file}`).includes(key)).toBe(false)
  expect(JSON.parse(readFileSync(`${work}/manifest.json`, 'utf8')).key).toBeUndefined()
})

test('is one consistent state while the manager is writing', async () => {
  const { db, sqlite } = manager.runtime
  const filler = sqlite.prepare('INSERT INTO settings VALUES (?, ?)')
  sqlite.transaction(() => {
    for (let n = 0; n < 4000; n++) filler.run(`filler${n}`, 'x'.repeat(4000))
  })()
  let writes = 0
  // Two rows that are always changed together: a torn copy would show them apart.
  const timer = setInterval(() => {
    writes++
    db.transaction(tx => {
      for (const key of ['left', 'right'])
        tx.insert(settings)
          .values({ key, value: String(writes) })
          .onConflictDoUpdate({ target: settings.key, set: { value: String(writes) } })
          .run()
    })
  }, 1)
  const name = await make()
  clearInterval(timer)
  expect(writes).toBeGreaterThan(5)
  await extract({ file: `${folder()}/${name}`, cwd: work })
  const copy = new Database(`${work}/lanward.sqlite`, { readonly: true })
  const value = (key: string) => copy.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(key)
  expect(value('left')).toBe(value('right'))
  expect(integrityProblems(copy)).toEqual([])
  copy.close()
})

test('takes the history along while it is written, or leaves it out by choice', async () => {
  const history = new Database(`${manager.runtime.generation}/history.sqlite`)
  history.pragma('journal_mode = WAL')
  history.exec('CREATE TABLE samples (n integer)')
  const timer = setInterval(() => history.exec('INSERT INTO samples VALUES (1)'), 1)
  const [whole, without] = [await make(), await make({ history: false })]
  clearInterval(timer)
  history.close()
  await extract({ file: `${folder()}/${whole}`, cwd: work })
  const copy = new Database(`${work}/history.sqlite`, { readonly: true })
  expect(copy.prepare('SELECT count(*) FROM samples').pluck().get()).toBeGreaterThan(0)
  copy.close()
  const { data } = await browser.post('backups/list')
  const rows = data.result as { name: string; history: boolean }[]
  expect(rows.map(row => [row.name, row.history]).sort()).toEqual(
    [
      [whole, true],
      [without, false],
    ].sort(),
  )
})

test('a backup that cannot be proven is none: it is thrown away, shown as failed, and an alert tells', async () => {
  const { runtime } = manager
  const { organization, id } = runtime.db.select().from(networks).get() ?? { organization: 0, id: 0 }
  runtime.sqlite
    .prepare(
      "INSERT INTO credentials (organization, network, name, type, secret, created_at, changed_at) VALUES (?, ?, 'x', 'ssh', 'v1.broken', 0, 0)",
    )
    .run(organization, id)
  expect((await browser.post('backups/create', {})).retCode).toBe(codes.backupDamaged)
  const { data } = await browser.post('backups/list')
  expect(data).toMatchObject({ result: [], lastFailure: { reason: 'backupDamaged' }, lastProven: null })
  expect(runtime.sqlite.prepare('SELECT type FROM alerts').pluck().all()).toEqual(['backupFailed'])
})

test('the restored manager starts on the old state and refuses the former session', async () => {
  const data = `${work}/data`
  await manager.stop()
  manager = await startTestManager({ data, starters: [startBackups] })
  browser = await finishedWizard(manager)
  const name = await make()
  manager.runtime.db.update(networks).set({ name: 'Changed later' }).run()
  expect((await browser.post('backups/restore', { name })).retCode).toBe(0)
  const cookies = new Map(browser.cookies)
  await manager.stop()
  manager = await startTestManager({ data, starters: [startBackups] })
  expect(manager.runtime.generation).toBe(`${data}/gen-2`)
  expect(manager.runtime.db.select().from(networks).where(eq(networks.name, 'Changed later')).all()).toEqual([])
  const old = manager.browser()
  for (const [key, value] of cookies) old.cookies.set(key, value)
  expect((await old.post('backups/list')).status).toBe(401)
  const log = manager.runtime.sqlite.prepare("SELECT account FROM changelog WHERE action = 'restore'").all()
  expect(log).toHaveLength(1)
  const former = new Database(`${data}/gen-1/lanward.sqlite`, { readonly: true })
  expect(former.prepare('SELECT name FROM networks').pluck().all()).toEqual(['Changed later'])
  former.close()
})

test('another machine needs the passphrase, and with it opens the sealed secrets', async () => {
  const bare = await make()
  const name = await make({ passphrase: 'correct horse battery' })
  const data = `${work}/other`
  const [plain, sealed] = [`${work}/plain.tar.gz`, `${work}/sealed.tar.gz`]
  cpSync(`${folder()}/${bare}`, plain)
  cpSync(`${folder()}/${name}`, sealed)
  mkdirSync(data)
  const place = {
    data,
    generation: prepareGeneration(data, `${root}/db/migrations`),
    migrations: `${root}/db/migrations`,
    version: '0',
  }
  await expect(verifyArchive(place, plain)).rejects.toMatchObject({ code: 'backupForeign' })
  await expect(verifyArchive(place, sealed)).rejects.toMatchObject({
    code: 'backupPassphrase',
    data: { reason: 'needed' },
  })
  await expect(verifyArchive(place, sealed, 'wrong horse battery')).rejects.toMatchObject({
    code: 'backupPassphrase',
    data: { reason: 'wrong' },
  })
  const { proof } = await verifyArchive(place, sealed, 'correct horse battery')
  expect(proof.key.equals(readFileSync(`${manager.data}/secret.key`))).toBe(true)
  expect(proof.ownKey).toBe(false)
})

/** One byte is another. In one of 600 places the packed bytes say the same all the same: zeros, copied from elsewhere. */
function flipped(packed: Buffer): Buffer {
  const whole = gunzipSync(packed)
  for (let at = Math.floor(packed.length / 2); ; at++) {
    const other = Buffer.from(packed)
    other[at] = (other[at] ?? 0) ^ 0xff
    try {
      if (!gunzipSync(other).equals(whole)) return other
    } catch {
      return other
    }
  }
}

test('a truncated archive and one with a flipped byte are damaged', async () => {
  const name = await make()
  const file = `${folder()}/${name}`
  const whole = readFileSync(file)
  truncateSync(file, Math.floor(whole.length / 2))
  expect((await refusal(name)).retCode).toBe(codes.backupDamaged)
  writeFileSync(file, flipped(whole))
  expect((await refusal(name)).retCode).toBe(codes.backupDamaged)
})

test('foreign files are named so: no gzip, no tar, another program, a manifest of lies', async () => {
  const name = await make()
  const put = (bytes: Buffer) => {
    const made = archiveName('foreign', Date.now())
    writeFileSync(`${folder()}/${made}`, bytes)
    return made
  }
  expect((await refusal(put(Buffer.from('hello, this is no archive')))).retCode).toBe(codes.backupForeign)
  expect((await refusal(put(gzipSync(Buffer.alloc(4096, 'text'))))).retCode).toBe(codes.backupForeign)
  writeFileSync(`${work}/other.txt`, 'x')
  const other = archiveName('tarball', Date.now())
  await create({ file: `${folder()}/${other}`, cwd: work, gzip: true }, ['other.txt'])
  expect((await refusal(other)).retCode).toBe(codes.backupForeign)
  const wrongHash = await forged(name, (_dir, manifest) => {
    manifest.files = { 'lanward.sqlite': { sha256: 'keep', bytes: 1 } }
  })
  expect((await refusal(wrongHash)).retCode).toBe(codes.backupInvalid)
  const wrongRows = await forged(name, (_dir, manifest) => {
    manifest.rows = { ...(manifest.rows as object), networks: 99 }
  })
  expect(await refusal(wrongRows)).toMatchObject({ retCode: codes.backupDamaged, data: { reason: 'rows of networks' } })
})

test('one of a later version, by its layout or by its schema, is refused as newer', async () => {
  const name = await make()
  const layout = await forged(name, (_dir, manifest) =>
    Object.assign(manifest, { format: archiveFormat + 1, version: '9.0.0' }),
  )
  expect(await refusal(layout)).toMatchObject({ retCode: codes.backupNewer, data: { version: '9.0.0' } })
  const schema = await forged(name, (_dir, manifest) =>
    Object.assign(manifest, { schema: 9_999_999_999_999, version: '9.0.0' }),
  )
  expect(await refusal(schema)).toMatchObject({ retCode: codes.backupNewer })
})

test("a database whose schema is not its version's own is refused", async () => {
  const name = await make()
  const edit = (sql: string) => (dir: string) => {
    const sqlite = new Database(`${dir}/lanward.sqlite`)
    sqlite.exec(sql)
    sqlite.close()
  }
  const trigger = await forged(
    name,
    edit("CREATE TRIGGER evil AFTER INSERT ON accounts BEGIN UPDATE accounts SET role = 'superAdministrator'; END"),
  )
  expect(await refusal(trigger)).toMatchObject({ retCode: codes.backupSchema, data: { reason: 'trigger evil' } })
  const column = await forged(name, edit('ALTER TABLE networks ADD COLUMN extra text'))
  expect((await refusal(column)).retCode).toBe(codes.backupSchema)
  const stamp = await forged(name, edit('UPDATE __drizzle_migrations SET created_at = 5'))
  expect((await refusal(stamp)).retCode).toBe(codes.backupSchema)
})

test('paths that lead out, links and unknown files are unsafe, and nothing appears outside', async () => {
  const name = await make()
  const outside = `${manager.data}/../lanward-escaped-${process.pid}`
  const path = `../../../../../..${outside}`
  const traversal = await forged(name, dir => writeFileSync(`${dir}/${'x'.repeat(5)}`, 'x'), ['xxxxx'])
  expect((await refusal(traversal)).retCode).toBe(codes.backupUnsafe)
  writeFileSync(outside, 'before')
  const climbing = await forged(name, () => undefined, [path])
  expect((await refusal(climbing)).retCode).toBe(codes.backupUnsafe)
  expect(readFileSync(outside, 'utf8')).toBe('before')
  rmSync(outside)
  const link = await forged(name, dir => symlinkSync('/etc/passwd', `${dir}/history.sqlite`))
  expect((await refusal(link)).retCode).toBe(codes.backupUnsafe)
  expect(existsSync(outside)).toBe(false)
})

test('a bomb is refused by what it grows to, long before it fills the disk', async () => {
  const name = await make()
  const bomb = await forged(name, (dir, manifest) => {
    const zeros = Buffer.alloc(192 * 1024 * 1024)
    writeFileSync(`${dir}/history.sqlite`, zeros)
    Object.assign(manifest.files as object, {
      'history.sqlite': { sha256: createHash('sha256').update(zeros).digest('hex'), bytes: zeros.length },
    })
  })
  expect(statSync(`${folder()}/${bomb}`).size).toBeLessThan(2_000_000)
  expect(await refusal(bomb)).toMatchObject({ retCode: codes.backupTooLarge, data: { reason: 'ratio' } })
})

test('an upload is checked before it is kept', async () => {
  const name = await make()
  const bytes = readFileSync(`${folder()}/${name}`)
  const send = async (body: Buffer) => {
    const response = await browser.raw('backups/upload', {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'content-type': 'application/gzip' },
    })
    return (await response.json()) as { retCode: number; data: { name: string } }
  }
  const before = readdirSync(folder()).length
  expect((await send(bytes.subarray(0, 500))).retCode).toBe(codes.backupDamaged)
  expect(readdirSync(folder())).toHaveLength(before)
  const kept = await send(bytes)
  expect(kept.retCode).toBe(0)
  expect(readFileSync(`${folder()}/${kept.data.name}`).equals(bytes)).toBe(true)
})

test('names lead to no other file', async () => {
  for (const name of ['../secret.key', 'lanward-x-20260101-000000.tar.gz', '/etc/passwd', 'proven.json']) {
    expect((await browser.post('backups/restore', { name })).retCode).toBe(codes.backupNotFound)
    expect((await browser.post('backups/delete', { names: [name] })).retCode).toBe(codes.backupNotFound)
    expect(
      (
        (await (await browser.raw(`backups/download?name=${encodeURIComponent(name)}`, { method: 'GET' })).json()) as {
          retCode: number
        }
      ).retCode,
    ).toBe(codes.backupNotFound)
  }
  expect(existsSync(`${manager.data}/secret.key`)).toBe(true)
})

test('old backups make room by the storage limit, the newest stays', async () => {
  const first = await make()
  const filler = (n: number) => {
    const name = archiveName('Harbour House', Date.UTC(2020, 0, n))
    cpSync(`${folder()}/${first}`, `${folder()}/${name}`)
    writeFileSync(`${folder()}/${name}`, Buffer.concat([readFileSync(`${folder()}/${first}`), Buffer.alloc(6_000_000)]))
    return name
  }
  const old = [filler(1), filler(2)]
  const off = { frequency: 'off', time: '02:30', storageLimitMb: 10, history: true }
  expect((await browser.post('backups/schedule', off)).retCode).toBe(0)
  const last = await make()
  const names = readdirSync(folder())
  expect(names).toContain(last)
  expect(old.filter(name => names.includes(name)).length).toBeLessThan(2)
})

test('the schedule is kept, its passphrase sealed and never shown', async () => {
  const input = {
    frequency: 'weekly',
    time: '04:05',
    weekday: 3,
    storageLimitMb: 500,
    history: false,
    passphrase: 'correct horse battery',
  }
  expect((await browser.post('backups/schedule', input)).retCode).toBe(0)
  const { data } = await browser.post('backups/list')
  expect(data.schedule).toEqual({
    frequency: 'weekly',
    time: '04:05',
    weekday: 3,
    path: '',
    storageLimitMb: 500,
    history: false,
    passphrase: { set: true },
  })
  expect(JSON.stringify(manager.runtime.sqlite.prepare('SELECT * FROM settings').all())).not.toContain('correct horse')
  const kept = { ...input, passphrase: { set: true } }
  expect((await browser.post('backups/schedule', kept)).retCode).toBe(0)
  const name = await make()
  const { manifest } = await verifyArchive(placeOf(manager.runtime), `${folder()}/${name}`)
  expect(manifest.key).toBeDefined()
})

test.each([
  [{ frequency: 'daily', time: '02:30', weekday: 0 }, '30 2 * * *'],
  [{ frequency: 'weekly', time: '23:05', weekday: 6 }, '5 23 * * 6'],
  [{ frequency: 'off', time: '02:30', weekday: 0 }, ''],
] as const)('schedule %j is cron "%s" and back', (schedule, cron) => {
  expect(cronOf(schedule)).toBe(cron)
  expect(scheduleOf(cron)).toEqual(schedule)
})

test('missing, wrong, over-long and unknown fields: a code at the field, nothing done', async () => {
  const at = async (path: string, input: object) =>
    (await browser.post(path, input)) as { retCode: number; data: { fields?: object } }
  expect((await at('backups/restore', {})).data.fields).toEqual({ name: 'required' })
  expect((await at('backups/create', { passphrase: 'short' })).data.fields).toEqual({ passphrase: 'tooShort' })
  expect((await at('backups/create', { history: 'yes' })).data.fields).toEqual({ history: 'wrongType' })
  expect((await at('backups/delete', { names: [] })).data.fields).toEqual({ names: 'required' })
  expect((await at('backups/list', { odd: 1 })).data.fields).toEqual({ odd: 'unknownField' })
  expect((await at('backups/restore', { name: 'x'.repeat(101) })).data.fields).toEqual({ name: 'tooLong' })
  expect(existsSync(folder()) ? readdirSync(folder()) : []).toEqual([])
})

describe('where backups are kept', () => {
  const schedule = { frequency: 'daily', time: '02:30', storageLimitMb: 100, history: false }

  test.each([
    ['P11: a path that does not begin with /', () => 'backups', 'storagePath'],
    ['P11: the data folder', () => manager.data, 'storageInData'],
    ['P11: a folder inside of it', () => `${manager.data}/elsewhere`, 'storageInData'],
    ['a folder whose parent is missing', () => `${work}/missing/backups`, 'storageUnwritable'],
    ['a folder that takes no file', () => '/proc/backups', 'storageUnwritable'],
  ])('%s is refused at its field', async (_name, path, problem) => {
    const answer = await browser.post('backups/schedule', { ...schedule, path: path() })
    expect(answer.data.fields).toEqual({ path: problem })
    expect((await browser.post('backups/list')).data.schedule).toMatchObject({ path: '' })
  })

  test('in a chosen folder; when its disk is gone nothing is written to the empty mount point', async () => {
    const path = `${work}/disk`
    expect((await browser.post('backups/schedule', { ...schedule, path })).retCode).toBe(0)
    const name = await make({ history: false })
    expect(existsSync(`${path}/${name}`)).toBe(true)
    expect((await browser.post('backups/list')).data).toMatchObject({ gone: false, total: 1 })
    rmSync(path, { recursive: true })
    mkdirSync(path)
    expect((await browser.post('backups/create', {})).retCode).toBe(codes.backupStorageGone)
    expect((await browser.post('backups/list')).data).toMatchObject({ gone: true, total: 0, schedule: { path } })
    expect(readdirSync(path)).toEqual([])
    expect((await browser.post('backups/schedule', { ...schedule, path: '' })).retCode).toBe(0)
    expect((await browser.post('backups/list')).data).toMatchObject({ gone: false })
  })
})

// Zones without summer time: no night lacks this hour.
test.each(['Asia/Kolkata', 'Pacific/Marquesas'])('the schedule is of the manager’s time zone: %s', async timeZone => {
  const { values, revision } = (await browser.post('system-settings/get')).data as { values: object; revision: number }
  const moved = await browser.post('system-settings/save', { ...values, revision, timezone: timeZone })
  expect(moved.retCode).toBe(0)
  const input = { frequency: 'daily', time: '02:30', storageLimitMb: 100, history: false }
  expect((await browser.post('backups/schedule', input)).retCode).toBe(0)
  const { next } = (await browser.post('backups/list')).data as { next: number }
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  expect(clock.format(next)).toBe('02:30')
})
