import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'
import { clientOf } from '../soak/client'
import { type Manager, removeFolder, root, startManager } from './_manager'

let manager: Manager
let work = ''

const run = (args: string[], data = manager.data) => {
  const env = { ...process.env, LANWARD_DATA: data, LANWARD_CONF: '/nonexistent' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}/appliance/bin/lanward.mjs`, ...args], {
    cwd: work,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
const json = (args: string[], data?: string) => {
  const { status, stdout, stderr } = run([...args, '--json'], data)
  if (!stdout) throw new Error(`${status}: ${stderr}`)
  return { status, ...(JSON.parse(stdout) as { retCode: number; data: Record<string, unknown> }) }
}
const digest = (password: string) => createHash('sha256').update(password.normalize('NFKC')).digest('hex')
const owner = { account: 'mill1', password: 'Tr0ub4dor&3x' }

beforeAll(async () => {
  work = mkdtempSync(`${tmpdir()}/lanward-cli-`)
  manager = await startManager()
})
afterAll(async () => {
  await manager.stop()
  removeFolder(manager.data)
  rmSync(work, { recursive: true, force: true })
})

test('asks the running manager over a socket that is only its own', () => {
  expect(statSync(`${manager.data}/lanward.sock`).mode & 0o777).toBe(0o600)
  const { status, data } = json(['status'])
  expect(status).toBe(0)
  expect(data).toMatchObject({ pid: manager.pid, generation: 'gen-1', setupFinished: false, devices: 0 })
  expect(run(['status']).stdout).toContain('generation: gen-1')
})

test('tells the setup code until the wizard is finished', async () => {
  const { data } = json(['setup-code'])
  expect(data.setupCode).toBe(readFileSync(`${manager.data}/setup-code`, 'utf8').trim())
  const client = clientOf(manager.http)
  await client.must('wizard/unlock', { code: data.setupCode })
  await client.must('wizard/general', {
    step: 'general',
    name: 'Mill',
    country: 'PT',
    timezone: 'Europe/Lisbon',
    language: 'en',
  })
  await client.must('wizard/account', {
    step: 'account',
    account: owner.account,
    email: '',
    password: owner.password,
    repeat: owner.password,
  })
  await client.must('wizard/finish')
  expect(run(['setup-code'])).toMatchObject({ status: 1, stderr: expect.stringContaining('setup is finished') })
})

test('unlocks an account, and sets a new password that signs in and ends the old sessions', async () => {
  const signIn = (password: string) =>
    clientOf(manager.http).must('login', { userName: owner.account, userPwd: digest(password) })
  const sqlite = new Database(`${manager.data}/gen-1/lanward.sqlite`)
  sqlite.prepare('INSERT INTO sign_in_locks VALUES (?, ?, ?)').run(owner.account, '127.0.0.1', Date.now() + 1_800_000)
  sqlite.close()
  await expect(signIn(owner.password)).rejects.toThrow('50034')
  expect(run(['unlock', owner.account]).status).toBe(0)
  const session = clientOf(manager.http)
  await session.must('login', { userName: owner.account, userPwd: digest(owner.password) })
  await session.must('backups/list')
  const { data } = json(['reset-password', owner.account])
  await expect(session.must('backups/list')).rejects.toThrow('10021')
  await expect(signIn(String(data.password))).resolves.toBeDefined()
  await expect(signIn(owner.password)).rejects.toThrow('1110003')
  expect(run(['reset-password', 'nobody.1']).status).toBe(1)
  writeFileSync(`${work}/weak`, 'password\n')
  expect(run(['reset-password', owner.account, '--password-file', `${work}/weak`])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('password'),
  })
})

test('backs up to a file, verifies it, tells a damaged one by its exit code', () => {
  const made = json(['backup', '--output', `${work}/copy.tar.gz`])
  expect(made.data).toMatchObject({ proven: true })
  const whole = statSync(`${work}/copy.tar.gz`).size
  expect(whole).toBe(made.data.bytes)
  expect(json(['verify', 'copy.tar.gz']).data).toMatchObject({ restorable: true, rows: { networks: 1, accounts: 1 } })
  expect(json(['verify', String(made.data.name)]).status).toBe(0)
  truncateSync(`${work}/copy.tar.gz`, Math.floor(whole / 2))
  expect(run(['verify', 'copy.tar.gz'])).toMatchObject({ status: 4, stderr: expect.stringContaining('damaged') })
  expect(run(['restore', 'copy.tar.gz']).status).toBe(4)
  expect(readFileSync(`${manager.data}/current`, 'utf8')).toBe('gen-1\n')
})

test('verifies the changelog of the running manager and of a backup; tampering has an exit code of its own', () => {
  const { data } = json(['verify-log'])
  expect(data).toMatchObject({ problems: [], restores: [] })
  const head = String(data.head)
  expect(run(['verify-log', '--head', head])).toMatchObject({ status: 0, stdout: expect.stringContaining(head) })
  const made = json(['backup', '--output', `${work}/log.tar.gz`])
  expect(json(['verify-log', '--file', 'log.tar.gz', '--head', head]).data).toMatchObject({ problems: [] })
  expect(json(['verify-log', '--file', String(made.data.name)]).status).toBe(0)
  const forged = `${Number(head.split(':')[0])}:${'0'.repeat(64)}`
  expect(json(['verify-log', '--head', forged])).toMatchObject({ status: 5, data: { problems: [{ problem: 'head' }] } })
  expect(run(['verify-log', '--head', 'x']).status).toBe(1)
})

test('the support file has figures, the last lines of the log, and no name, address or secret', () => {
  run(['support', '--output', `${work}/support.json`])
  const text = readFileSync(`${work}/support.json`, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ integrity: 'ok', rows: { accounts: 1 } })
  const { log } = JSON.parse(text) as { log: string[] }
  expect(log.join('\n')).toContain('Lanward is ready')
  expect(log.join('\n')).toMatch(/https:\/\/\(ip\):\d+/)
  const key = readFileSync(`${manager.data}/secret.key`)
  for (const secret of [
    owner.account,
    'Mill',
    readFileSync(`${manager.data}/setup-code`, 'utf8').trim(),
    key.toString('hex'),
    key.toString('base64'),
  ])
    expect(text).not.toContain(secret)
})

/** Lets the next backup weigh about so many MB more: what is random does not shrink when packed. */
function weigh(file: 'lanward' | 'history', megabytes: number) {
  const sqlite = new Database(`${manager.data}/gen-1/${file}.sqlite`)
  const insert =
    file === 'lanward'
      ? sqlite.prepare('INSERT INTO settings VALUES (?, ?)')
      : sqlite.prepare('INSERT INTO samples_5m (of, ts, id, data) VALUES (1, ?, 1, ?)')
  sqlite.transaction(() => {
    for (let n = 0; n < megabytes * 16; n++)
      insert.run(
        file === 'lanward' ? `weight${randomUUID()}` : Math.floor(Date.now() / 1000) + n,
        randomBytes(65_536).toString('base64'),
      )
  })()
  sqlite.close()
}

/** What one reads of a stream at a time: an archive above it needs more than one read. */
const chunk = 65_536

test.each([
  ['over 64 kB', 'lanward', 0.125, []],
  ['over 5 MB, its history included', 'history', 6, []],
  ['over 5 MB without history', 'lanward', 6, ['--no-history']],
] as const)('restores one %s onto a new machine that is not running', async (_name, heavy, megabytes, options) => {
  weigh(heavy, megabytes)
  writeFileSync(`${work}/passphrase`, 'correct horse battery\n')
  const withPassphrase = ['--passphrase-file', `${work}/passphrase`]
  const made = json(['backup', ...options, ...withPassphrase, '--output', `${work}/moved.tar.gz`])
  expect(made.status).toBe(0)
  expect(made.data.bytes).toBeGreaterThan(Math.max(chunk, (megabytes - 1) * 1024 * 1024))
  const data = mkdtempSync(`${work}/other-`)
  expect(json(['verify', 'moved.tar.gz'], data)).toMatchObject({ status: 4, retCode: 22005 })
  expect(json(['verify', 'moved.tar.gz', ...withPassphrase], data)).toMatchObject({
    status: 0,
    data: { restorable: true },
  })
  expect(json(['restore', 'moved.tar.gz'], data)).toMatchObject({ status: 4, retCode: 22005 })
  expect(json(['restore', 'moved.tar.gz', ...withPassphrase], data)).toMatchObject({
    status: 0,
    data: { restored: true, former: 'gen-1' },
  })
  const moved = await startManager({ data })
  expect(json(['status'], data).data).toMatchObject({ generation: 'gen-2', setupFinished: true, networks: 1 })
  expect(await moved.stop()).toBe(0)
})

test('verifies and restores a large backup without a passphrase in its own, stopped data folder', async () => {
  const made = json(['backup', '--output', `${work}/own.tar.gz`])
  expect(made.data.bytes).toBeGreaterThan(chunk)
  await manager.stop()
  expect(json(['verify', 'own.tar.gz'])).toMatchObject({ status: 0, data: { restorable: true } })
  expect(json(['restore', 'own.tar.gz'])).toMatchObject({ status: 0, data: { restored: true, former: 'gen-1' } })
  const elsewhere = mkdtempSync(`${work}/other-`)
  expect(json(['restore', 'own.tar.gz'], elsewhere)).toMatchObject({ status: 4, retCode: 22004 })
  manager = await startManager({ data: manager.data })
  expect(json(['status']).data).toMatchObject({ generation: 'gen-2', setupFinished: true })
})

test('a restore of the running one ends it with the code that asks for a new start', async () => {
  const { data } = json(['backup'])
  expect(run(['restore', String(data.name)]).status).toBe(0)
  expect(await manager.ended).toBe(75)
  manager = await startManager({ data: manager.data })
  expect(json(['status']).data).toMatchObject({ generation: 'gen-3' })
})

test('wrong usage has its own code and touches nothing', () => {
  expect(run(['frobnicate']).status).toBe(2)
  expect(run(['backup', '--frobnicate']).status).toBe(2)
  expect(run(['verify', './not-there.tar.gz']).status).toBe(2)
  expect(run(['help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Exit codes') })
})
