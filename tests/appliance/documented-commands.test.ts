// The commands of README.md and docs/admin, word for word, in a shell, against a manager that runs.

import { spawn } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { clientOf } from '../soak/client'
import { type Manager, removeFolder, root, startManager } from './_manager'

/** What needs a whole system, a package or the registry: the tests of the package and of the lab do those. */
const ofTheSystem = /^(systemctl|journalctl|apt|npm|git)\b/
/** What people fill in themselves. */
const toFillIn = /^export LANWARD_(URL|KEY)=/

const papers = ['README.md', ...readdirSync(`${root}/docs/admin`).map(name => `docs/admin/${name}`)]
const blocksOf = (paper: string) =>
  [...readFileSync(`${root}/${paper}`, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => {
    const kept = block.split('\n').filter(line => !ofTheSystem.test(line) && !toFillIn.test(line))
    return kept.join('\n').trim()
  })
const blocks = papers.flatMap(paper => blocksOf(paper).flatMap(text => (text ? [{ paper, text }] : [])))
const about = (words: string) => blocks.filter(({ text }) => text.includes(words))

const owner = { account: 'quay1', password: 'Tr0ub4dor&3x' }
const digest = createHash('sha256').update(owner.password.normalize('NFKC')).digest('hex')
const body = JSON.stringify({ id: 'x', type: 'alert.raised' })
const now = Math.floor(Date.now() / 1000)
const signature = createHmac('sha256', 'shared').update(`${now}.${body}`).digest('hex')

let manager: Manager
let work = ''
let key = ''
const ran = new Set<string>()

/** In a folder of its own where `lanward` is a command, as after an installation. */
function shell(text: string, env: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  ran.add(text)
  const own = {
    ...process.env,
    PATH: `${work}/bin:${process.env.PATH}`,
    LANWARD_DATA: manager.data,
    LANWARD_CONF: '/nonexistent',
    LANWARD_URL: manager.https,
    LANWARD_KEY: key,
    HEADER: `t=${now},v1=${signature}`,
    SECRET: 'shared',
    ...env,
  }
  const child = spawn('bash', ['-c', text], { cwd: work, env: own, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', part => (said.out += part))
  child.stderr.on('data', part => (said.err += part))
  return new Promise(done => child.once('close', code => done({ code: code ?? 1, ...said })))
}

beforeAll(async () => {
  work = mkdtempSync(`${tmpdir()}/lanward-commands-`)
  manager = await startManager()
  const client = clientOf(manager.http)
  await client.must('wizard/unlock', { code: readFileSync(`${manager.data}/setup-code`, 'utf8').trim() })
  const place = { step: 'general', name: 'Quay', country: 'PT', timezone: 'Europe/Lisbon', language: 'en' }
  await client.must('wizard/general', place)
  await client.must('wizard/account', { step: 'account', ...owner, repeat: owner.password })
  await client.must('wizard/finish')
  await client.must('developer-api/save', { enabled: true, presence: true })
  const made = await client.must('developer-api/keys/create', {
    ...{ name: 'Nightly', allNetworks: true, password: owner.password },
    authorities: ['devices', 'clients', 'organization_manager', 'organization_manager_edit'],
  })
  key = String(made.key)
  writeFileSync(`${work}/lanward`, `#!/bin/sh\nexec "${process.execPath}" "${root}/appliance/bin/lanward.mjs" "$@"\n`)
  chmodSync(`${work}/lanward`, 0o755)
  symlinkSync(work, `${work}/bin`)
  symlinkSync(`${manager.data}/tls`, `${work}/tls`)
  copyFileSync(`${manager.data}/tls/own.crt`, `${work}/lanward.crt`)
  writeFileSync(`${work}/passphrase`, 'correct horse battery\n', { mode: 0o600 })
  writeFileSync(`${work}/body.json`, body)
})
afterAll(async () => {
  await manager.stop()
  removeFolder(manager.data)
  removeFolder(work)
})

const nightly = () => about('backups/create')[0]?.text ?? ''
const archives = () => readdirSync(work).filter(name => /^lanward-quay-.*\.tar\.gz$/.test(name))

test('the nightly script fetches a backup that another machine restores', async () => {
  expect(await shell(nightly())).toEqual({ code: 0, out: '', err: '' })
  const [archive = ''] = archives()
  const elsewhere = mkdtempSync(`${work}/other-`)
  const restore = `lanward restore ${archive} --passphrase-file passphrase`
  expect(await shell(restore, { LANWARD_DATA: elsewhere })).toMatchObject({ code: 0, err: '' })
})

test('refused, it says why, ends with a failure and leaves no file that looks like a backup', async () => {
  const before = archives()
  const refused = async (env: Record<string, string>, words: string) => {
    const { code, err } = await shell(nightly(), env)
    expect(code).not.toBe(0)
    expect(err).toContain(words)
    expect(archives()).toEqual(before)
  }
  await refused({ LANWARD_KEY: 'lw_wrong' }, 'This API key is not valid')
  writeFileSync(`${work}/passphrase`, 'short\n')
  await refused({}, 'passphrase: At least 8 characters.')
  writeFileSync(`${work}/passphrase`, 'correct horse battery\n')
})

test('the check of a webhook’s signature', async () => {
  const [check] = about('openssl dgst')
  expect(await shell(check?.text ?? '')).toEqual({ code: 0, out: 'from the manager\n', err: '' })
  expect((await shell(check?.text ?? '', { SECRET: 'another' })).out).toBe('')
})

test.each(blocks.filter(({ text }) => /^(lanward|openssl x509)/.test(text) && !/setup-code|go-back/.test(text)))(
  '$paper: $text',
  async ({ text }) => {
    const said = await shell(`set -e\n${text}`)
    expect([said.code, said.err]).toEqual([0, ''])
    if (!/lanward restore/.test(text)) return
    expect(await manager.ended).toBe(75)
    const session = await startManager({ data: manager.data })
    manager = session
    await clientOf(manager.http).must('login', { userName: owner.account, userPwd: digest })
  },
)

test('nothing else in these papers is a command that could be tried here', () => {
  // Told again only until the setup is finished; undone only while the manager is stopped: tests/appliance/cli.test.ts.
  const elsewhere = blocks.filter(({ text }) => /lanward (setup-code|go-back)/.test(text)).map(({ text }) => text)
  expect(
    blocks
      .map(({ text }) => text)
      .filter(text => !elsewhere.includes(text) && ![...ran].some(one => one.includes(text))),
  ).toEqual([])
  expect(blocks.length).toBeGreaterThan(8)
})
