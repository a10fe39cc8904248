// What must be there before the manager can start: a fitting Node, the packages of the lock, a build of these sources.
// Runs before anything is installed: nothing but Node's own modules here.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepBinding, takeKeptBinding } from './binding.mjs'
import { canGoBack, goBack, keepBuild } from './previous.mjs'
import { installStamp, sourceStamp, stampFile } from './stamp.mjs'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const installed = `${root}/node_modules/.lanward-installed`

export function stop(...lines) {
  console.error(lines.join('\n'))
  process.exit(1)
}

/** Node 20.9 is Next's least; better-sqlite3 12 has no binary interface for what comes after 22. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 9)) return
  stop(
    `Lanward needs Node.js 20.9 or later; this is ${version}.`,
    'Get it from https://nodejs.org/ or your system: "nodejs" of NodeSource, nvm, or Debian 13.',
  )
}

const has = command => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** The tools that compile SQLite's binding where no ready-made one can be had. */
export function missingTools() {
  return ['python3', 'make', 'g++'].filter(tool => !has(tool))
}

const toolHelp = missing => [
  `Missing to compile better-sqlite3 (the database): ${missing.join(', ')}.`,
  'Install them and run the command again:',
  '  Debian, Ubuntu:  apt-get install python3 make g++',
  '  Fedora:          dnf install python3 make gcc-c++',
  '  Alpine:          apk add python3 make g++',
]

const sqliteWorks = () =>
  spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:').close()"], { cwd: root }).status === 0

/** Whether node_modules is what the lock says, by npm's own record of what it put there. */
function matchesLock() {
  const record = `${root}/node_modules/.package-lock.json`
  if (!existsSync(record)) return false
  const have = JSON.parse(readFileSync(record, 'utf8')).packages
  const want = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')).packages
  return Object.entries(want).every(
    ([path, entry]) =>
      !path || entry.optional || (have[path]?.version === entry.version && existsSync(`${root}/${path}`)),
  )
}

/** node-gyp would download Node's headers: most installations carry their own. */
function buildEnv() {
  const prefix = dirname(dirname(realpathSync(process.execPath)))
  const headers = [prefix, '/usr'].find(folder => existsSync(`${folder}/include/node/node.h`))
  return headers ? { npm_config_nodedir: headers, ...process.env } : process.env
}

function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env: buildEnv() }).status === 0
}

/** Brings node_modules to the lock; does nothing when it is. */
export function install() {
  const stamp = installStamp()
  if (existsSync(installed) && readFileSync(installed, 'utf8') === stamp) return
  if (!(matchesLock() && sqliteWorks())) {
    console.log('Installing packages (a few minutes the first time) …')
    if (!run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']))
      stop('Installation failed. It needs access to the npm registry; see the message above.')
    takeKeptBinding()
    // The one package whose install script is needed; it tries a ready-made binary first.
    if (!sqliteWorks()) {
      const missing = missingTools()
      run('npm', ['rebuild', 'better-sqlite3', '--loglevel=error', '--ignore-scripts=false'])
      if (!sqliteWorks())
        stop(...(missing.length ? toolHelp(missing) : ['better-sqlite3 could not be built; see the message above.']))
      keepBinding()
    }
  }
  writeFileSync(installed, stamp)
}

/** Whether the build that is there is of these sources. */
export function isBuilt() {
  const file = `${root}/${stampFile}`
  return existsSync(file) && readFileSync(file, 'utf8') === sourceStamp() && existsSync(`${root}/.next/BUILD_ID`)
}

/** Builds when the sources are not those of the last build. One that fails leaves the build that came up last, if there is one. */
export function build() {
  if (isBuilt()) return
  console.log('Building …')
  keepBuild()
  if (run(process.execPath, [`${root}/appliance/build/build.mjs`])) return
  if (!canGoBack()) stop('The build failed; see the message above.')
  console.error('The build failed; see the message above. Continuing with the previous build.')
  goBack(Date.now())
}

/** What is known of the calls, and the server in front alone, for development. */
export function buildServe() {
  const script = `
    import { bundle } from './appliance/build/bundle.mjs'
    import { writeCallFacts } from './appliance/build/call-facts.mjs'
    await writeCallFacts()
    await bundle('appliance/serve.ts', 'dist/serve.mjs')`
  if (!run(process.execPath, ['--input-type=module', '-e', script]))
    stop('The server could not be bundled; see the message above.')
}
