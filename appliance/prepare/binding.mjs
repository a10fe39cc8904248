// SQLite's compiled binding. It fits one binary interface of Node alone; what was compiled is kept in the user's cache:
// compiling takes a minute, and each further checkout needs the same.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = `${root}/node_modules/better-sqlite3`
const binding = `${folder}/build/Release/better_sqlite3.node`

/** Where it is kept: by its version, Node's binary interface, and the machine with its C library. */
function kept() {
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const libc = process.report?.getReport().header.glibcVersionRuntime ?? 'other'
  const name = [version, process.versions.modules, process.platform, process.arch, libc].join('-')
  return `${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/lanward/better-sqlite3-${name}.node`
}

/** What is there is removed and never written over: checkouts may share its file by hard links. */
const remove = () => rmSync(`${folder}/build`, { recursive: true, force: true })

/** Puts the kept one in place, if there is one; a cache that cannot be read is none. */
function takeKept() {
  try {
    if (!existsSync(kept())) return
    mkdirSync(dirname(binding), { recursive: true })
    copyFileSync(kept(), binding)
  } catch {}
}

/** Keeps the one in place, whole or not at all. */
function keep() {
  const mine = `${kept()}.${process.pid}`
  try {
    mkdirSync(dirname(mine), { recursive: true })
    copyFileSync(binding, mine)
    renameSync(mine, kept())
  } catch {}
}

const openOne = `
  try { new (require('better-sqlite3'))(':memory:').close() }
  catch (error) { console.error(error.message); process.exit(1) }`

/** Why SQLite does not open in this Node, in the loader's words; undefined when it does. */
function sqliteFailure() {
  const { status, signal, stderr } = spawnSync(process.execPath, ['-e', openOne], { cwd: root, encoding: 'utf8' })
  if (status === 0) return undefined
  return stderr.trim() || `Node.js ended with ${signal ?? status} when it loaded the binding.`
}

const has = command => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
const missingTools = () => ['python3', 'make', 'g++'].filter(tool => !has(tool))

const toolHelp = missing => [
  `Missing to compile better-sqlite3 (the database): ${missing.join(', ')}.`,
  'Install them and run the command again:',
  '  Debian, Ubuntu:  apt-get install python3 make g++',
  '  Fedora:          dnf install python3 make gcc-c++',
  '  Alpine:          apk add python3 make g++',
]

const isOfThisNode = headers => {
  try {
    const version = readFileSync(`${headers}/include/node/node_version.h`, 'utf8')
    return version.match(/^#define NODE_MODULE_VERSION (\d+)/m)?.[1] === process.versions.modules
  } catch {
    return false
  }
}

/**
 * npm and node-gyp compile for the Node they run in, the first of PATH, and for the headers they are told; node-gyp would
 * download some, but most installations carry their own. Those of another Node give a binding that does not load.
 */
function buildEnv() {
  const { npm_config_nodedir: told, ...env } = process.env
  const bin = dirname(realpathSync(process.execPath))
  const headers = [told, dirname(bin), '/usr'].find(isOfThisNode)
  return { ...env, PATH: `${bin}${delimiter}${env.PATH ?? ''}`, ...(headers && { npm_config_nodedir: headers }) }
}

/** Runs the install script of the one package that needs it, which tries a ready-made binding first; what it said. */
function compile() {
  console.log('Compiling SQLite (a minute or two) …')
  const args = ['rebuild', 'better-sqlite3', '--foreground-scripts', '--loglevel=error', '--ignore-scripts=false']
  const options = { cwd: root, env: buildEnv(), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }
  const { status, signal, error, stdout, stderr } = spawnSync('npm', args, options)
  return { good: status === 0, said: `${stdout ?? ''}\n${stderr ?? ''}\n${error?.message ?? signal ?? ''}` }
}

const lastWords = said => {
  const lines = said.split('\n').filter(line => line.trim() !== '')
  return lines.slice(-20).map(line => `  ${line}`)
}

/** What went wrong and what to do next, in lines; the compiler's words only where it was the compiler that failed. */
function told(failure, { good, said }) {
  const missing = missingTools()
  const { node, modules } = process.versions
  return [
    'better-sqlite3 (the database) does not load:',
    ...failure.split('\n').map(line => `  ${line}`),
    `This is Node.js ${node} (${process.execPath}), ABI ${modules}, ${process.platform} ${process.arch}.`,
    ...(good ? [] : ['Compiling it failed; the last lines:', ...lastWords(said)]),
    ...(missing.length > 0
      ? toolHelp(missing)
      : good
        ? ['Remove node_modules and run the command again, with this Node.js as the first on PATH.']
        : ['Mend what the last lines name and run the command again.']),
  ]
}

/** Brings the binding to this Node: the kept one, or one newly compiled. What keeps it from that, in lines; else undefined. */
export function bringBinding() {
  const before = sqliteFailure()
  if (before === undefined) return undefined
  remove()
  takeKept()
  if (sqliteFailure() === undefined) return undefined
  remove()
  const compiled = compile()
  const failure = sqliteFailure()
  // Where nothing was compiled nothing is there any more, which is no cause.
  if (failure !== undefined) return told(compiled.good ? failure : before, compiled)
  keep()
  return undefined
}
