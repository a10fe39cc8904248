import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { ask, freePort, removeFolder, root } from '../appliance/_manager'
import { type Row, row } from './table'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const rssMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** From exec to the first answered request, and the memory 60 s later with one page opened. */
export async function measureStart(): Promise<Row[]> {
  const data = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  const [http, https] = [await freePort(), await freePort()]
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    LANWARD_ROOT: root,
    LANWARD_DATA: data,
    LANWARD_CONF: '/nonexistent',
    LANWARD_HTTP_PORT: String(http),
    LANWARD_HTTPS_PORT: String(https),
  }
  const begun = performance.now()
  const child = spawn(process.execPath, [`${root}/dist/serve.mjs`], { cwd: root, env, stdio: 'ignore' })
  const base = `http://127.0.0.1:${http}`
  let first = 0
  for (let i = 0; i < 1000 && !first; i++) {
    const reply = await ask(`${base}/app/health`).catch(() => undefined)
    if (reply?.status === 200) first = performance.now() - begun
    else await wait(10)
  }
  await ask(`${base}/login`)
  await wait(60_000)
  const memory = rssMb(child.pid ?? 0)
  child.kill('SIGTERM')
  await new Promise(done => child.once('exit', done))
  removeFolder(data)
  return [
    row('built manager, start to first answer (empty data folder)', first / 1000, 's', 3),
    row('memory 60 s after start, one page opened', memory, 'MB', 200, 0),
  ]
}
