import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import node from '@/appliance/node-options.json'
import { ask, freePort, removeFolder, root } from '../appliance/_manager'
import { clientOf } from '../soak/client'
import { signIn } from '../soak/kills'
import { startFarm } from './farm'
import { seedFleet } from './seed'
import { type Row, row } from './table'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const rssMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const devices = 10

type Started = { child: ChildProcess; base: string; firstMs: number }

/** The built manager, from exec to its first answer. */
async function start(data: string): Promise<Started> {
  const [http, https] = [await freePort(), await freePort()]
  const env: NodeJS.ProcessEnv = {
    ...node.environment,
    ...process.env,
    NODE_ENV: 'production',
    LANWARD_ROOT: root,
    LANWARD_DATA: data,
    LANWARD_CONF: '/nonexistent',
    LANWARD_SETUP_CODE: 'off',
    LANWARD_HTTP_PORT: String(http),
    LANWARD_HTTPS_PORT: String(https),
    LANWARD_PORTAL_PORT: '0',
  }
  const begun = performance.now()
  const child = spawn(process.execPath, [...node.options, `${root}/dist/serve.mjs`], {
    cwd: root,
    env,
    stdio: 'ignore',
  })
  const base = `http://127.0.0.1:${http}`
  while (child.exitCode === null) {
    const reply = await ask(`${base}/app/health`).catch(() => undefined)
    if (reply?.status === 200) return { child, base, firstMs: performance.now() - begun }
    await wait(10)
  }
  throw new Error(`the manager ended with ${child.exitCode}`)
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGTERM')
  await new Promise(done => child.once('exit', done))
}

/** The memory 60 s after start, with `devices` devices polled and one page opened. */
async function memory(data: string): Promise<number> {
  const port = await freePort()
  const network = await seedFleet(data, devices, port)
  const farm = await startFarm(port, 28, 0)
  const started = await start(data)
  try {
    const client = clientOf(started.base)
    await signIn(client)
    await ask(`${started.base}/network/${network}/dashboard`, { headers: { cookie: client.cookieLine() } })
    await wait(60_000)
    return rssMb(started.child.pid ?? 0)
  } finally {
    await stop(started)
    await farm.end()
  }
}

/** From exec to the first answered request, and the memory of a small site's manager. */
export async function measureStart(): Promise<Row[]> {
  const data = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  try {
    const first = await start(data)
    await stop(first)
    removeFolder(data)
    return [
      row('built manager, start to first answer (empty data folder)', first.firstMs / 1000, 's', 3),
      row(`memory 60 s after start, ${devices} devices polled, one page opened`, await memory(data), 'MB', 200, 0),
    ]
  } finally {
    removeFolder(data)
  }
}
