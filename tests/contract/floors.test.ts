import { driverIds } from '@/server/drivers/registry/abilities'
import { drivers } from '@/server/drivers/registry/registry'
import { roomOf, rooms } from './_rooms'
import { filesUnder, type Import, importsIn, importsOf, loopsAmong, readText } from './_tree'

const code = /\.tsx?$/
const all = ['model', 'db', 'server', 'app'].flatMap(floor => filesUnder(floor, code).flatMap(importsOf))
const floorOf = (path: string) => path.split('/')[0] ?? ''
const told = (list: readonly Import[]) => list.map(({ from, what }) => `${from} → ${what}`)
const isOurs = (what: string) =>
  ['model', 'db', 'server', 'app', 'appliance', 'tests', 'locales'].includes(floorOf(what))

const clientFiles = new Set(
  filesUnder('app', code).filter(path =>
    /^\s*(\/\*[\s\S]*?\*\/\s*)?['"]use client['"]/.test(readText(path).slice(0, 400)),
  ),
)

test('there is something to look at', () => {
  expect(all.length).toBeGreaterThan(300)
  expect(clientFiles.size).toBeGreaterThan(20)
})

test('model imports zod and nothing else, but for the types of words', () => {
  const wrong = all.filter(
    ({ from, what, typeOnly }) =>
      floorOf(from) === 'model' &&
      what !== 'zod' &&
      floorOf(what) !== 'model' &&
      !(typeOnly && floorOf(what) === 'locales'),
  )
  expect(told(wrong)).toEqual([])
})

test('the browser gets zod as a namespace: named imports take all of it', () => {
  const named = [...filesUnder('app', code), ...filesUnder('model', code)].filter(path =>
    /import\s*\{[^}]*\}\s*from\s*['"]zod['"]/.test(readText(path)),
  )
  expect(named).toEqual([])
})

/** All that the browser is sent with these modules at once: what the server alone runs, and what comes later, is not. */
function sentWith(...modules: string[]): string[] {
  const at = new Map<string, string[]>()
  for (const { from, what, typeOnly, lazy } of all)
    if (!typeOnly && !lazy) at.set(from.replace(code, ''), [...(at.get(from.replace(code, '')) ?? []), what])
  const reached = new Set(modules)
  for (const one of reached) for (const what of at.get(one) ?? []) if (!/^(server|db)\//.test(what)) reached.add(what)
  return [...reached]
}

test('a form begins without zod: it comes with the kind that is shown', () => {
  const sent = sentWith(
    ...['settings-form', 'single-form', 'own-form', 'settings-list'].map(name => `app/_form/${name}`),
  )
  expect(sent).toContain('model/kind')
  expect(sent).not.toContain('zod')
})

test('the sign-in is small: no dialogs, no menus, no zod', () => {
  const sent = sentWith('app/layout', 'app/(sign-in)/layout', 'app/(sign-in)/error', 'app/(sign-in)/login/page')
  expect(sent).toContain('app/_ui/field')
  expect(sent.filter(what => /^(zod|@radix-ui)/.test(what))).toEqual([])
})

test('what a failed page shows is small: it is sent with every page, a second time', () => {
  expect(sentWith('app/_ui/page-error')).toEqual(['app/_ui/page-error', 'next-intl', 'react'])
})

test('db imports model and itself', () => {
  const wrong = all.filter(({ from, what }) => floorOf(from) === 'db' && isOurs(what) && !/^(db|model)\//.test(what))
  expect(told(wrong)).toEqual([])
})

test('server imports nothing of the app', () => {
  const wrong = all.filter(({ from, what }) => floorOf(from) === 'server' && /^(app|appliance|tests)\//.test(what))
  expect(told(wrong)).toEqual([])
})

/** Every file of server/ with what it imports of server/, as files. */
const between = all.filter(({ from, what }) => floorOf(from) === 'server' && floorOf(what) === 'server')

test('each file of server/ stands in a room, and each room of the list is there', () => {
  const files = filesUnder('server', code)
  expect(files.filter(path => roomOf(path) === undefined)).toEqual([])
  expect(rooms.filter(room => !files.some(path => roomOf(path) === room))).toEqual([])
})

test('no room imports one that stands after it', () => {
  const height = (path: string) => rooms.findIndex(room => room === roomOf(`${path}/`) || room === roomOf(path))
  expect(told(between.filter(({ from, what }) => height(what) > height(from)))).toEqual([])
})

/** What drivers and the worker may import of ours beside `model`: of the kernel what is pure (lanes, interning, reading of certificates), never `db`. */
const within: Record<string, { ours: RegExp; not: RegExp }> = {
  'server/drivers/': {
    ours: /^server\/(drivers\/|kernel\/(intern|limiter|certificates\/read)$)/,
    not: /^(react|react-dom|next|next-auth|next-intl|drizzle-orm|better-sqlite3)(\/|$)/,
  },
  // The worker keeps the lines of its logs in a file of its own.
  'server/worker/': {
    ours: /^server\/((worker|drivers|history|topology)\/|kernel\/(intern|limiter)$)/,
    not: /^(react|react-dom|next|next-auth|next-intl|drizzle-orm)(\/|$)/,
  },
}

/** Imports of drivers and worker that are not allowed. */
const astray = (imports: readonly Import[]) =>
  imports.filter(({ from, what }) => {
    const may = Object.entries(within).find(([folder]) => from.startsWith(folder))?.[1]
    if (!may) return false
    return isOurs(what) ? !/^(model|locales)\//.test(what) && !may.ours.test(what) : may.not.test(what)
  })

test('drivers and worker know no HTTP, no React, no database, and of the manager no more than they are allowed', () => {
  const wanted = ['kernel/documents', 'kernel/task', 'guests/sessions/ended', 'people/access/access'].map(
    what => `import type { One } from '@/server/${what}'`,
  )
  const made = ['drivers', 'worker'].flatMap(room =>
    importsIn(`server/${room}/made-up.ts`, [...wanted, "import { db } from '@/db/client'"].join('\n')),
  )
  expect(astray(made)).toEqual(made)
  expect(made).toHaveLength(10)
  expect(told(astray(all))).toEqual([])
})

test('a loop by way of a folder is found', () => {
  const made = [
    ...importsIn('db/schema/index.ts', "export * from './made-up'"),
    ...importsIn('db/schema/made-up.ts', "import type { One } from '@/db/schema'"),
  ]
  expect(loopsAmong(made)).toEqual([['db/schema/index', 'db/schema/made-up']])
})

test('no files of server/, model/ or db/ import each other in a loop, types included', () => {
  expect(loopsAmong(all.filter(({ from }) => ['server', 'model', 'db'].includes(floorOf(from))))).toEqual([])
})

test('what runs in the browser imports types alone of the server', () => {
  const wrong = all.filter(
    ({ from, what, typeOnly }) => clientFiles.has(from) && /^(server|db)\//.test(what) && !typeOnly,
  )
  expect(told(wrong)).toEqual([])
})

test('only the runtime touches globalThis', () => {
  const users = ['model', 'db', 'server']
    .flatMap(floor => filesUnder(floor, code))
    .filter(path => /globalThis/.test(readText(path)))
  expect(users).toEqual(['server/kernel/runtime.ts'])
})

test('certificates and private keys are read in one place', () => {
  const reads = /\b(X509Certificate|createPrivateKey)\b[^\n]*from 'node:crypto'/
  const readers = ['server', 'appliance']
    .flatMap(floor => filesUnder(floor, code))
    .filter(path => reads.test(readText(path)))
  expect(readers.filter(path => !path.startsWith('appliance/lab/'))).toEqual(['server/kernel/certificates/read.ts'])
})

test('no one outside the drivers asks for a driver by name: they say what their devices can', () => {
  expect([...driverIds].toSorted()).toEqual(drivers.map(driver => driver.id).toSorted())
  const asked = new RegExp(`driver\\w*\\)?\\s*[!=]==?\\s*['"](${driverIds.join('|')})['"]`)
  const files = ['model', 'db', 'server', 'app'].flatMap(floor => filesUnder(floor, code))
  expect(files.filter(path => !path.startsWith('server/drivers/') && asked.test(readText(path)))).toEqual([])
})
