// A binding of the database that does not load: another Node was here before, a copy broke off.
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { scratchFolder } from '../_scratch'

const root = dirname(dirname(__dirname))
const packages = ['better-sqlite3', 'bindings', 'file-uri-to-path', 'prebuild-install']
const binding = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A copy of what prepares a start, its packages and its lock; copied and not linked, since the binding in it is broken. */
function copyOf() {
  const copy = scratchFolder('lanward-binding-')
  folders.push(copy)
  cpSync(`${root}/appliance/prepare`, `${copy}/appliance/prepare`, { recursive: true })
  for (const name of packages)
    cpSync(`${root}/node_modules/${name}`, `${copy}/node_modules/${name}`, { recursive: true })
  const { packages: all } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'))
  const locked = Object.fromEntries(packages.map(name => [`node_modules/${name}`, all[`node_modules/${name}`]]))
  const lock = JSON.stringify({ packages: locked })
  writeFileSync(`${copy}/package-lock.json`, lock)
  writeFileSync(`${copy}/node_modules/.package-lock.json`, lock)
  const dependencies = { 'better-sqlite3': locked['node_modules/better-sqlite3'].version }
  writeFileSync(`${copy}/package.json`, JSON.stringify({ name: 'copy', version: '1.0.0', dependencies }))
  return copy
}

/** A Node with npm and a shell alone on its PATH: nothing there compiles. */
function bareNode(copy: string) {
  const bin = `${copy}/bin`
  mkdirSync(bin)
  copyFileSync(process.execPath, `${bin}/node`)
  for (const name of ['npm', 'sh', 'env', 'dirname', 'basename', 'sed', 'uname']) {
    const at = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
    if (at) symlinkSync(at, `${bin}/${name}`)
  }
  return bin
}

/** Prepares the copy as a start does. Nothing is downloaded or taken from the cache of whoever runs this, and nothing optimised. */
function prepare(copy: string, { node = process.execPath, env = {} }: { node?: string; env?: object } = {}) {
  const script = `import('./appliance/prepare/prepare.mjs').then(one => one.install())`
  const { status, stdout, stderr } = spawnSync(node, ['-e', script], {
    cwd: copy,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...{ XDG_CACHE_HOME: `${copy}/cache`, npm_config_build_from_source: 'true', npm_config_offline: 'true' },
      ...{ CFLAGS: '-O0', CXXFLAGS: '-O0' },
      ...env,
    },
  })
  return { status, stdout, stderr }
}

const opens = (copy: string) =>
  spawnSync(
    process.execPath,
    ['-p', "new (require('better-sqlite3'))(':memory:').prepare('SELECT 41 + 1').pluck().get()"],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  ).stdout.trim() === '42'

const rubbish = (copy: string) => writeFileSync(`${copy}/${binding}`, 'no program at all\n')

/** Makes of the binding one that a Node of another binary interface compiled: its number stands in two places. */
function ofAnotherNode(copy: string) {
  const bytes = readFileSync(`${copy}/${binding}`)
  const { modules } = process.versions
  const other = String(Number(modules) - 1)
  for (let at = bytes.indexOf(`node_register_module_v${modules}`); at >= 0; ) {
    bytes.write(`node_register_module_v${other}`, at)
    at = bytes.indexOf(`node_register_module_v${modules}`, at)
  }
  // The head of a module that nobody loaded yet: its number, no flags, no handle; among the data, after all texts.
  const head = Buffer.alloc(16)
  head.writeInt32LE(Number(modules))
  let at = bytes.lastIndexOf(head)
  while (at > 0 && at % 8 > 0) at = bytes.lastIndexOf(head, at - 1)
  bytes.writeInt32LE(Number(other), at)
  writeFileSync(`${copy}/${binding}`, bytes)
  return other
}

test('a binding of another Node, or none that loads, is compiled anew and kept for the next checkout', () => {
  const copy = copyOf()
  ofAnotherNode(copy)
  expect(opens(copy)).toBe(false)
  // Headers of yet another Node, as a user's .npmrc may name them, are none to compile for.
  mkdirSync(`${copy}/headers/include/node`, { recursive: true })
  writeFileSync(`${copy}/headers/include/node/node_version.h`, '#define NODE_MODULE_VERSION 1\n')
  const env = { npm_config_nodedir: `${copy}/headers` }
  expect(prepare(copy, { env })).toEqual({ status: 0, stderr: '', stdout: 'Compiling SQLite (a minute or two) …\n' })
  expect(opens(copy)).toBe(true)
  expect(readdirSync(`${copy}/cache/lanward`)).toHaveLength(1)
  // Also where the packages were found complete before: the kept one is put in its place, and nothing compiled.
  rubbish(copy)
  expect(prepare(copy)).toEqual({ status: 0, stderr: '', stdout: '' })
  expect(opens(copy)).toBe(true)
})

test('without a compiler it is said why the binding does not load, in which Node, and what to install', () => {
  const copy = copyOf()
  const other = ofAnotherNode(copy)
  const bin = bareNode(copy)
  const bare = { node: `${bin}/node`, env: { PATH: bin } }
  const first = prepare(copy, bare)
  expect(first).toMatchObject({ status: 1, stdout: 'Compiling SQLite (a minute or two) …\n' })
  expect(first.stderr).toContain(`NODE_MODULE_VERSION ${other}.`)
  expect(first.stderr).toContain(`Node.js ${process.versions.node} (${bin}/node), ABI ${process.versions.modules}`)
  expect(first.stderr).toMatch(/Compiling it failed; the last lines:\n(.*\n)*.*gyp ERR!.*python/i)
  expect(first.stderr).toContain('Missing to compile better-sqlite3 (the database): python3, make, g++.')
  expect(first.stderr).toContain('apt-get install python3 make g++')
})

test('a compiler that fails is quoted, and the next step is its message', () => {
  const copy = copyOf()
  rubbish(copy)
  writeFileSync(`${copy}/node_modules/better-sqlite3/deps/sqlite3/sqlite3.c`, '#error "no such wall"\n')
  const { status, stderr } = prepare(copy)
  expect(status).toBe(1)
  expect(stderr).toContain('better_sqlite3.node: file too short')
  expect(stderr).toContain('no such wall')
  expect(stderr).toContain('Mend what the last lines name and run the command again.')
  expect(stderr).not.toContain('see the message above')
})

test.each([
  ['18.20.0', false],
  ['20.8.1', false],
  ['20.9.0', true],
  ['22.22.0', true],
  ['23.0.0', false],
  ['24.1.0', false],
])('Node.js %s starts it: %s', (version, starts) => {
  const script = `import('./appliance/prepare/prepare.mjs').then(one => one.checkNode('${version}'))`
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })
  expect(status).toBe(starts ? 0 : 1)
  expect(stderr).toEqual(starts ? '' : expect.stringContaining(`needs Node.js 20.9 to 22; this is ${version}`))
})
