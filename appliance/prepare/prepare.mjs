// What must be there before the manager can start: a fitting Node, the packages of the lock, a build of these sources.
// Runs before anything is installed: nothing but Node's own modules here.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringBinding } from './binding.mjs'
import { canGoBack, goBack, keepBuild } from './previous.mjs'
import { installStamp, sourceStamp, stampFile } from './stamp.mjs'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const installed = `${root}/node_modules/.lanward-installed`

export function stop(...lines) {
  console.error(lines.join('\n'))
  process.exit(1)
}

/** Node 20.9 is Next's least; 22 is the last that the packages of the lock were tried with. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if ((major > 20 && major < 23) || (major === 20 && minor >= 9)) return
  stop(
    `Lanward needs Node.js 20.9 to 22; this is ${version} (${process.execPath}).`,
    'Get it from https://nodejs.org/ or your system: "nodejs" of NodeSource, nvm, or Debian 13.',
  )
}

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

function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0
}

/** Brings node_modules to the lock, and SQLite's binding to this Node; does nothing when they are. */
export function install() {
  const stamp = installStamp()
  const isStamped = existsSync(installed) && readFileSync(installed, 'utf8') === stamp
  if (!isStamped && !matchesLock()) {
    console.log('Installing packages (a few minutes the first time) …')
    if (!run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']))
      stop('Installation failed. It needs access to the npm registry; see the message above.')
  }
  const failure = bringBinding()
  if (failure) stop(...failure)
  if (!isStamped) writeFileSync(installed, stamp)
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
