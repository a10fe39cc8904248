#!/usr/bin/env node
// npm start: installs and builds what is not up to date, then starts the manager and stays its supervisor.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, buildServe, checkNode, install, root } from './prepare/prepare.mjs'
import { canGoBack, goBack, noteCameUp } from './prepare/previous.mjs'

const restartCode = 75
/**
 * How Node is started for the manager; the package's service says the same. Ten thousand devices take 150 MB of heap: a
 * bound near to it and a small nursery let garbage go soon, and the C library keeps freed memory in two places, not a dozen.
 */
const node = JSON.parse(readFileSync(new URL('node-options.json', import.meta.url), 'utf8'))
const graceMs = 5000
const args = process.argv.slice(2)
const known = ['--dev', '--lab', '--prepare']
const unknown = args.filter(arg => !known.includes(arg))
if (unknown.length > 0) {
  console.error(
    `Unknown option ${unknown.join(' ')}. Options: --lab starts the device lab beside the manager, --dev rebuilds on change.`,
  )
  process.exit(2)
}
const dev = args.includes('--dev')

checkNode()
if (args.includes('--prepare')) {
  install()
  if (dev) buildServe()
  else build()
  process.exit(0)
}

let child
let ending = false
/** Ends what runs now: the preparation with all that it started, or the manager, which ends its own. */
let end = () => undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    ending = true
    // A terminal sends its Ctrl-C to the whole group; a second one does no harm.
    end(signal === 'SIGHUP' ? 'SIGTERM' : signal)
  })

/** Installing and building wait for npm, compilers and workers: a group of processes, so that none outlives this one. */
async function prepare() {
  const self = fileURLToPath(import.meta.url)
  const worker = spawn(process.execPath, [self, '--prepare', ...(dev ? ['--dev'] : [])], {
    stdio: 'inherit',
    detached: true,
  })
  const toGroup = signal => {
    try {
      return process.kill(-worker.pid, signal)
    } catch {
      return false
    }
  }
  end = toGroup
  const code = await new Promise(done => worker.once('exit', code => done(code ?? 1)))
  const since = Date.now()
  while (ending && toGroup(0)) {
    if (Date.now() - since > graceMs) toGroup('SIGKILL')
    await new Promise(wake => setTimeout(wake, 50))
  }
  if (ending || code !== 0) process.exit(code)
}
await prepare()

const lab = args.includes('--lab') ? await import('./lab/beside.mjs') : undefined
const started = lab ? await lab.start() : undefined

const began = Date.now()
function startManager() {
  if (ending) return leave(0)
  const serve = `${root}/dist/serve.mjs`
  // Building on change takes more memory.
  const command = dev
    ? [process.execPath, '--enable-source-maps', serve, '--dev']
    : [process.execPath, ...node.options, serve]
  const [file, ...rest] = started ? started.wrap(command) : command
  child = spawn(file, rest, {
    cwd: root,
    // The manager says over the channel that it came up; inside the lab there is none.
    stdio: started ? 'inherit' : ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...node.environment,
      ...process.env,
      ...(started && { LANWARD_FORWARDED: '1' }),
      LANWARD_ROOT: root,
      NODE_ENV: dev ? 'development' : 'production',
    },
  })
  end = signal => child.kill(signal)
  child.on('message', message => message === 'ready' && noteCameUp())
  child.on('error', error => {
    console.error(error.message)
    void leave(1)
  })
  child.on('exit', (code, signal) => ended(code, signal))
}

function ended(code, signal) {
  if (code === restartCode && !ending) return startManager()
  if (!ending && !started && !dev && (signal || code !== 0) && canGoBack()) {
    console.error(
      'The new version did not start; see the message above. Going back to the previous build and its data.',
    )
    goBack(began)
    return startManager()
  }
  return leave(signal && !ending ? 1 : (code ?? 0))
}

async function leave(code) {
  await started?.stop()
  process.exit(code)
}
startManager()
