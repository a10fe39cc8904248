// What a person or a service manager ends is npm or the supervisor: nothing of it may live on.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { ask, freePort, root } from './_manager'

let data = ''
let env: Record<string, string> = {}
let port = 0

beforeEach(async () => {
  data = mkdtempSync(`${tmpdir()}/lanward-supervisor-`)
  port = await freePort()
  env = {
    LANWARD_DATA: data,
    LANWARD_HTTP_PORT: String(port),
    LANWARD_HTTPS_PORT: String(await freePort()),
    LANWARD_PORTAL_PORT: '0',
    LANWARD_CONF: '/nonexistent',
  }
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Every process that was started with this test's data folder. */
const alive = () =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`LANWARD_DATA=${data}\0`)
      } catch {
        return false
      }
    })

async function started(file: string, args: string[]): Promise<{ child: ChildProcess; ended: Promise<unknown> }> {
  const child = spawn(file, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise(done => child.once('exit', (code, signal) => done(code ?? signal)))
  let output = ''
  await new Promise<void>((ready, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        output += chunk
        if (output.includes('Lanward is ready')) ready()
      })
    void ended.then(code => failed(new Error(`ended with ${code}: ${output}`)))
  })
  expect((await ask(`http://127.0.0.1:${port}/app/health`)).status).toBe(200)
  return { child, ended }
}

async function allEnd(): Promise<void> {
  const deadline = Date.now() + 120_000
  while (alive().length > 0) {
    if (Date.now() > deadline) throw new Error(`still alive: ${alive().join(', ')}`)
    await new Promise(wake => setTimeout(wake, 50))
  }
}

test('SIGTERM to npm start ends everything, and npm waits for it', async () => {
  const { child, ended } = await started('npm', ['start'])
  expect(alive().length).toBeGreaterThan(2)
  child.kill('SIGTERM')
  await ended
  expect(alive()).toEqual([])
})

test('a supervisor that is killed takes the manager along', async () => {
  const { child } = await started(process.execPath, [`${root}/appliance/start.mjs`])
  child.kill('SIGKILL')
  await allEnd()
})
