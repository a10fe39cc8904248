// Archives that somebody made or changed by hand, through the calls: what is taken, what is refused, and what is said of it.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'
import { create, extract } from 'tar'
import { alerts } from '@/db/schema'
import { codes } from '@/model/codes'
import { removeHalfArchives, takeStorage } from '@/server/manager/backups/storage'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

type Json = Record<string, unknown> & { key?: Record<string, unknown>; files: Record<string, { sha256: string }> }
type Change = { manifest?(manifest: Json): void; database?(sqlite: Database.Database): void; hashes?: boolean }

let manager: Manager
let owner: Browser
let scratch: string
beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
  scratch = mkdtempSync(`${tmpdir()}/lanward-archives-`)
})
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await manager.stop()
})

const passphrase = 'harbour-master'
const made = async (): Promise<string> => {
  const { retCode, data } = await owner.post('backups/create', { history: false, passphrase })
  expect(retCode).toBe(0)
  return String(data.name)
}
test('a backup that works again ends the alert of one that failed, and says so', async () => {
  const { runtime } = manager
  const id = raiseAlert(runtime, { type: 'backupFailed', values: { reason: 'storageFull' } })
  const name = await made()
  const all = runtime.db.select().from(alerts).all()
  expect(all.find(one => one.id === id)?.recoveredAt).not.toBeNull()
  expect(all.filter(one => one.type === 'backupWorks').map(one => one.values)).toEqual([
    JSON.stringify({ backup: name }),
  ])
})

const fileOf = (name: string) => `${manager.data}/backups/${name}`

/** The archive with something changed in it, and the hashes made anew as whoever did it would. */
async function changed(name: string, { manifest, database, hashes = true }: Change): Promise<Buffer> {
  const folder = mkdtempSync(`${scratch}/one-`)
  await extract({ file: fileOf(name), cwd: folder })
  if (database) {
    const sqlite = new Database(`${folder}/lanward.sqlite`)
    database(sqlite)
    sqlite.close()
  }
  const json = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')) as Json
  const one = json.files['lanward.sqlite']
  const bytes = readFileSync(`${folder}/lanward.sqlite`)
  if (hashes && one)
    Object.assign(one, { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length })
  manifest?.(json)
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(json))
  await create({ file: `${folder}.tar.gz`, cwd: folder, gzip: true, portable: true }, [
    'manifest.json',
    'lanward.sqlite',
  ])
  return readFileSync(`${folder}.tar.gz`)
}

async function uploaded(body: Buffer): Promise<{ retCode: number; name: string }> {
  const response = await owner.raw('backups/upload', { method: 'POST', body: new Uint8Array(body) })
  const { retCode, data } = (await response.json()) as { retCode: number; data: { name?: string } }
  return { retCode, name: data.name ?? '' }
}
const verify = (name: string) => owner.post('backups/verify', { name, passphrase })
const originOf = async (name: string) => {
  const { result } = (await owner.post('backups/list')).data as { result: { name: string; origin: string }[] }
  return result.find(row => row.name === name)?.origin
}

test('an archive made here says so, by its manifest alone and when it is opened', async () => {
  const name = await made()
  expect(await originOf(name)).toBe('here')
  expect((await verify(name)).data).toMatchObject({ origin: 'here' })
})

test('one whose data somebody changed and hashed anew is refused', async () => {
  const database = (sqlite: Database.Database) => void sqlite.prepare("UPDATE accounts SET state = 'disabled'").run()
  const { name, retCode } = await uploaded(await changed(await made(), { database }))
  expect(retCode).toBe(0)
  expect(await originOf(name)).toBe('unknown')
  expect(await verify(name)).toMatchObject({ retCode: codes.backupDamaged, data: { reason: 'origin' } })
})

test('one without a proof can be restored, and is said to have none', async () => {
  const { name } = await uploaded(await changed(await made(), { manifest: json => void delete json.mac }))
  expect(await originOf(name)).toBe('unknown')
  expect(await verify(name)).toMatchObject({ retCode: 0, data: { origin: 'unknown' } })
})

test('one of another manager opens with its passphrase, and is said to be from there', async () => {
  const body = readFileSync(fileOf(await made()))
  await manager.stop()
  const first = manager
  manager = await startTestManager()
  owner = await finishedWizard(manager)
  expect(existsSync(first.data)).toBe(false)
  const { name } = await uploaded(body)
  expect(await originOf(name)).toBe('elsewhere')
  expect(await verify(name)).toMatchObject({ retCode: 0, data: { origin: 'elsewhere' } })
})

const wrapped = (change: object) => (json: Json) => void Object.assign(json.key ?? {}, change)
test.each<[string, (json: Json) => void]>([
  ['a short salt', wrapped({ salt: 'AAAA' })],
  ['a long salt', wrapped({ salt: 'A'.repeat(96) })],
  ['a short vector', wrapped({ iv: 'AAAA' })],
  ['a short tag', wrapped({ tag: 'AAAA' })],
  ['a short key', wrapped({ body: 'AAAA' })],
  ['a gigabyte of memory', wrapped({ memoryKib: 1_048_576 })],
  ['twenty passes', wrapped({ passes: 20 })],
  ['a time beyond any date', json => void Object.assign(json, { createdAt: 9e15 })],
  ['the year 10000', json => void Object.assign(json, { createdAt: 253_402_300_800_000 })],
  ['a time before all', json => void Object.assign(json, { createdAt: -1 })],
])('a manifest with %s is refused as invalid, quickly, and nothing of it stays', async (_, manifest) => {
  const began = Date.now()
  const { retCode } = await uploaded(await changed(await made(), { manifest }))
  expect(retCode).toBe(codes.backupInvalid)
  expect(Date.now() - began).toBeLessThan(10_000)
})

test('a backup folder that is refused is not made', () => {
  const inside = `${manager.data}/inside`
  expect(takeStorage(manager.data, inside)).toBe('storageInData')
  expect(existsSync(inside)).toBe(false)
  const beside = `${scratch}/beside`
  expect(takeStorage(manager.data, beside)).toBeUndefined()
  mkdirSync(`${scratch}/there`)
  expect(takeStorage(manager.data, `${scratch}/there`)).toBeUndefined()
  expect(takeStorage(manager.data, `${scratch}/not/there`)).toBe('storageUnwritable')
})

test('what a killed manager left half written goes at the next start; in a chosen folder only what nobody writes to', async () => {
  const halves = ['lanward-quay-20261123-195835.tar.gz.partial', 'upload-0190a5c4-7b1e-4c3d-8e2f-112233445566.partial']
  const others = ['lanward-quay-20261123-195835.tar.gz', 'notes.partial']
  const fill = (folder: string) => {
    mkdirSync(folder, { recursive: true })
    for (const name of [...halves, ...others]) writeFileSync(`${folder}/${name}`, 'x')
  }
  const own = `${manager.data}/backups`
  fill(own)
  removeHalfArchives(manager.runtime)
  expect(readdirSync(own)).toEqual(expect.arrayContaining(others))
  expect(readdirSync(own).filter(name => halves.includes(name))).toEqual([])
  for (const name of others) rmSync(`${own}/${name}`)
  const chosen = `${scratch}/chosen`
  fill(chosen)
  const schedule = (path: string) =>
    owner.post('backups/schedule', { frequency: 'off', time: '03:00', storageLimitMb: 100, history: false, path })
  expect((await schedule(chosen)).retCode).toBe(0)
  utimesSync(`${chosen}/${halves[0]}`, new Date(0), new Date(0))
  removeHalfArchives(manager.runtime)
  expect(readdirSync(chosen)).toEqual(expect.arrayContaining([halves[1] as string, ...others]))
  expect(readdirSync(chosen)).not.toContain(halves[0])
  await schedule('')
})

test('a backup whose deletion cannot be written down stays', async () => {
  const name = await made()
  const { sqlite } = manager.runtime
  sqlite.exec("CREATE TRIGGER full BEFORE INSERT ON changelog BEGIN SELECT RAISE(ABORT, 'SQLITE_FULL'); END")
  expect((await owner.post('backups/delete', { names: [name] })).retCode).not.toBe(0)
  sqlite.exec('DROP TRIGGER full')
  expect(existsSync(fileOf(name))).toBe(true)
  expect((await owner.post('backups/delete', { names: [name, name] })).retCode).toBe(0)
  expect(existsSync(fileOf(name))).toBe(false)
  const { result } = (await owner.post('changelog/list', { search: name })).data as { result: { action: string }[] }
  expect(result.filter(entry => entry.action === 'delete')).toHaveLength(1)
})
