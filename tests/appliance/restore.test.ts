import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'
import { clientOf } from '../soak/client'
import { ask, freePort, root } from './_manager'

let data = ''
let supervisor: ChildProcess
let base = ''
let output = ''

const until = async <T>(what: () => Promise<T | undefined>): Promise<T> => {
  const deadline = Date.now() + 120_000
  for (;;) {
    const found = await what().catch(() => undefined)
    if (found) return found
    if (Date.now() > deadline) throw new Error(`waited too long: ${output}`)
    await new Promise(done => setTimeout(done, 100))
  }
}
const healthy = () => until(async () => (await ask(`${base}/app/health`)).status === 200)

beforeAll(async () => {
  data = mkdtempSync(`${tmpdir()}/lanward-restore-`)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  base = `http://127.0.0.1:${httpPort}`
  const env = {
    ...process.env,
    LANWARD_DATA: data,
    LANWARD_HTTP_PORT: String(httpPort),
    LANWARD_HTTPS_PORT: String(httpsPort),
    LANWARD_PORTAL_PORT: '0',
    LANWARD_CONF: '/nonexistent',
  }
  supervisor = spawn(process.execPath, [`${root}/appliance/start.mjs`], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream?.on('data', chunk => {
      output += chunk
    })
  await healthy()
})
afterAll(async () => {
  const ended = new Promise<number | null>(done => supervisor.once('exit', done))
  supervisor.kill('SIGTERM')
  expect(await ended).toBe(0)
  rmSync(data, { recursive: true, force: true })
})

test('npm start comes back by itself after a restore, on the restored state', async () => {
  const client = clientOf(base)
  await client.must('wizard/unlock', { code: readFileSync(`${data}/setup-code`, 'utf8').trim() })
  await client.must('wizard/general', {
    step: 'general',
    name: 'Mill',
    country: 'PT',
    timezone: 'Europe/Lisbon',
    language: 'en',
  })
  await client.must('wizard/account', {
    step: 'account',
    account: 'mill1',
    email: '',
    password: 'Tr0ub4dor&3x',
    repeat: 'Tr0ub4dor&3x',
  })
  await client.must('wizard/finish')
  const { name } = await client.must('backups/create', {})
  const part = await ask(`${base}/app/backups/download?name=${name}`, {
    headers: { cookie: client.cookieLine(), range: 'bytes=0-1' },
  })
  expect([part.status, part.headers['content-range']]).toEqual([206, expect.stringMatching(/^bytes 0-1\/\d+$/)])
  expect(part.headers['content-security-policy']).toBe("sandbox; default-src 'none'")
  expect(part.headers['content-disposition']).toBe(`attachment; filename="${name}"`)
  const added = { networkName: 'After the backup', country: 'PT', timezone: 'Europe/Lisbon' }
  await client.must('networks/add', added)
  await client.must('backups/restore', { name })
  await until(async () => readFileSync(`${data}/current`, 'utf8') === 'gen-2\n' || undefined)
  await until(async () => (output.match(/Lanward is ready/g)?.length === 2 ? true : undefined))
  await healthy()
  const names = (generation: string) => {
    const sqlite = new Database(`${data}/${generation}/lanward.sqlite`, { readonly: true })
    const found = sqlite.prepare('SELECT name FROM networks').pluck().all()
    sqlite.close()
    return found
  }
  expect(names('gen-1')).toContain('After the backup')
  expect(names('gen-2')).not.toContain('After the backup')
  expect(supervisor.exitCode).toBeNull()
  expect(
    (
      await ask(`${base}/app/backups/list`, {
        method: 'POST',
        headers: { cookie: [...client.cookies].map(pair => pair.join('=')).join('; ') },
      })
    ).status,
  ).toBe(401)
})
