import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'
import {
  currentGeneration,
  generations,
  goBack,
  lockFolder,
  makeGeneration,
  originOf,
  pointTo,
  prepareGeneration,
} from '@/db/generation'
import { databaseSchema, expectedShape, integrityProblems, programSchema, schemaShape } from '@/db/schema-version'
import { root } from './_manager'

const migrations = `${root}/db/migrations`
let data = ''
beforeEach(() => {
  data = mkdtempSync(`${tmpdir()}/lanward-gen-`)
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** A copy of the program's migrations with one more at the end. */
function laterMigrations(sql: string): string {
  const folder = `${data}/later`
  cpSync(migrations, folder, { recursive: true })
  const file = `${folder}/meta/_journal.json`
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: Record<string, unknown>[] }
  journal.entries.push({
    idx: journal.entries.length,
    version: '6',
    when: Date.now() + 1e9,
    tag: '9999_later',
    breakpoints: true,
  })
  writeFileSync(file, JSON.stringify(journal))
  writeFileSync(`${folder}/9999_later.sql`, sql)
  return folder
}

const read = (folder: string, sql: string) => {
  const sqlite = new Database(`${folder}/lanward.sqlite`, { readonly: true })
  try {
    return sqlite.prepare(sql).pluck().get()
  } finally {
    sqlite.close()
  }
}
const write = (folder: string, sql: string) => {
  const sqlite = new Database(`${folder}/lanward.sqlite`)
  sqlite.exec(sql)
  sqlite.close()
}

test('a new folder gets a first generation whose schema is that of its migrations', () => {
  const folder = prepareGeneration(data, migrations)
  expect(folder).toBe(`${data}/gen-1`)
  expect(readFileSync(`${data}/current`, 'utf8')).toBe('gen-1\n')
  const sqlite = new Database(`${folder}/lanward.sqlite`)
  expect(databaseSchema(sqlite)).toBe(programSchema(migrations))
  expect(schemaShape(sqlite)).toEqual(expectedShape(migrations, programSchema(migrations)))
  sqlite.close()
  expect(prepareGeneration(data, migrations)).toBe(folder)
})

test('an upgrade takes what devices logged along without a copy, but for a file that a killed process left', () => {
  const first = prepareGeneration(data, migrations)
  mkdirSync(`${first}/logs`)
  for (const name of ['100.sqlite', '200.sqlite', '200.sqlite-wal']) writeFileSync(`${first}/logs/${name}`, name)
  mkdirSync(`${first}/logs/records/1/url`, { recursive: true })
  for (const name of ['300.sqlite', '400.sqlite', '400.sqlite-wal', 'sent.json'])
    writeFileSync(`${first}/logs/records/1/url/${name}`, name)
  const second = prepareGeneration(data, laterMigrations('CREATE TABLE later (id integer);'))
  expect(readdirSync(`${second}/logs`).toSorted()).toEqual(['100.sqlite', 'records'])
  expect(statSync(`${second}/logs/100.sqlite`).ino).toBe(statSync(`${first}/logs/100.sqlite`).ino)
  expect(readdirSync(`${second}/logs/records/1/url`).toSorted()).toEqual(['300.sqlite', 'sent.json'])
  rmSync(`${second}/logs/100.sqlite`)
  expect(readFileSync(`${first}/logs/100.sqlite`, 'utf8')).toBe('100.sqlite')
})

test('an upgrade takes what people gave along without a copy, but for what a killed process left half written', () => {
  const first = prepareGeneration(data, migrations)
  mkdirSync(`${first}/files`)
  for (const name of ['one', 'two', 'three.partial']) writeFileSync(`${first}/files/${name}`, name)
  const second = prepareGeneration(data, laterMigrations('CREATE TABLE later (id integer);'))
  expect(readdirSync(`${second}/files`).sort()).toEqual(['one', 'two'])
  expect(statSync(`${second}/files/one`).ino).toBe(statSync(`${first}/files/one`).ino)
  rmSync(`${second}/files/one`)
  expect(readFileSync(`${first}/files/one`, 'utf8')).toBe('one')
})

test('an upgrade migrates a copy, uses it, keeps the old one, and can go back', () => {
  const first = prepareGeneration(data, migrations)
  write(first, "INSERT INTO settings VALUES ('mark', '1')")
  const later = laterMigrations('CREATE TABLE later (id integer);')
  const second = prepareGeneration(data, later)
  expect(second).toBe(`${data}/gen-2`)
  expect(read(second, "SELECT value FROM settings WHERE key = 'mark'")).toBe('1')
  expect(read(second, 'SELECT count(*) FROM later')).toBe(0)
  expect(() => read(first, 'SELECT count(*) FROM later')).toThrow('no such table')
  expect(originOf(data, 'gen-2')).toMatchObject({ from: 'gen-1', why: 'upgrade' })
  expect(() => prepareGeneration(data, migrations)).toThrow('later version of Lanward')
  expect(goBack(data, Date.now() + 60_000)).toBeUndefined()
  expect(goBack(data)).toBe('gen-1')
  expect(prepareGeneration(data, migrations)).toBe(first)
})

test('data from before the first migration are named, and left alone', () => {
  const first = prepareGeneration(data, migrations)
  write(first, 'UPDATE __drizzle_migrations SET created_at = 5')
  expect(() => prepareGeneration(data, migrations)).toThrow('too old. Start a checkout of commit c8ebe06')
  expect(readdirSync(data).filter(name => name.startsWith('gen-'))).toEqual(['gen-1'])
})

test('a migration that fails leaves everything as it was', () => {
  const first = prepareGeneration(data, migrations)
  const later = laterMigrations(
    'CREATE TABLE later (id integer);\n--> statement-breakpoint\nSELECT nonsense FROM nowhere;',
  )
  expect(() => prepareGeneration(data, later)).toThrow()
  expect(currentGeneration(data)).toBe('gen-1')
  expect(readdirSync(data).filter(name => name.startsWith('gen-'))).toEqual(['gen-1'])
  expect(prepareGeneration(data, migrations)).toBe(first)
})

test('only two old generations stay', () => {
  prepareGeneration(data, migrations)
  for (let round = 0; round < 5; round++) {
    const from = currentGeneration(data) ?? ''
    pointTo(
      data,
      makeGeneration(data, { from, why: 'restore', at: 0 }, folder =>
        cpSync(`${data}/${from}`, folder, { recursive: true }),
      ),
    )
  }
  expect(generations(data)).toEqual(['gen-4', 'gen-5', 'gen-6'])
})

test('one process a folder; a killed one leaves it free', async () => {
  const holder = lockFolder(data)
  const script = `const D = require('better-sqlite3'); try { new D(${JSON.stringify(`${data}/lock`)}, { timeout: 0 }).exec('BEGIN EXCLUSIVE'); console.log('taken') } catch (e) { console.log(e.code) }`
  const other = () => spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }).stdout.trim()
  expect(other()).toBe('SQLITE_BUSY')
  expect(() => lockFolder(data)).toThrow('used by another running manager')
  holder.release()
  expect(other()).toBe('taken')
  lockFolder(data).release()
})

test('eight kills while generations are made: what was said to be in use is there, sound, and the lock is free', async () => {
  const bundled = `${root}/dist/test-generation/main.mjs`
  const script = `import('${root}/appliance/build/bundle.mjs').then(b => b.bundle('${root}/tests/appliance/generation-child.ts', '${bundled}'))`
  expect(spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }).stderr).toBe('')
  let said = 0
  for (let kill = 0; kill < 8; kill++) {
    const child = spawn(process.execPath, [bundled, data, migrations, String(said + 1)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    await new Promise<void>(done => {
      child.stdout.on('data', chunk => {
        output += chunk
        // The first number shows that it runs; the kill comes at some moment of the next rounds.
        setTimeout(() => child.kill('SIGKILL'), 5 + kill * 17)
      })
      child.once('close', () => done())
    })
    said = Number(output.trim().split('\n').at(-1)) || said
    const lock = lockFolder(data)
    const folder = prepareGeneration(data, migrations)
    expect(Number(read(folder, "SELECT value FROM settings WHERE key = 'round'"))).toBeGreaterThanOrEqual(said)
    const sqlite = new Database(`${folder}/lanward.sqlite`)
    expect(integrityProblems(sqlite)).toEqual([])
    sqlite.close()
    lock.release()
  }
  expect(said).toBeGreaterThanOrEqual(8)
  expect(readdirSync(data).some(name => name.endsWith('.partial'))).toBe(false)
  rmSync(`${root}/dist/test-generation`, { recursive: true, force: true })
})
