// Debian's nginx and Caddy before the manager, set up as docs/admin/proxy.md says: whom the manager takes people for, and
// that what is long or live gets through them.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { codes } from '@/model/codes'
import { ask, root } from '../appliance/_manager'
import { type Client, clientOf } from '../soak/client'
import { prepareWizard, signIn } from '../soak/kills'
import { owner } from '../soak/owner'
import { type LabManager, lab, manager, run, until } from './_lab'

const name = 'net.example.com'
const guide = readFileSync(`${root}/docs/admin/proxy.md`, 'utf8')

/** The block of the guide in that language, with a certificate that is there: everything else as a person copies it. */
function block(language: string): string {
  const text = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(guide)?.[1]
  if (!text) throw new Error(`docs/admin/proxy.md has no ${language}`)
  return text.replace(/\/etc\/ssl\/(private\/)?net\.example\.com/g, '/mnt/proxy/own')
}

/** Debian's nginx.conf around it, its folders in the lab's. */
const nginx = () => `
daemon off;
user root;
pid /mnt/proxy/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(part => `${part}_temp_path /mnt/proxy/${part};`).join(' ')}
  ${block('nginx')}
}
`
// Its own certificates come from the internet.
const caddy = () => block('caddy').replace('{', '{\n  tls /mnt/proxy/own.crt /mnt/proxy/own.key')

const proxies = {
  nginx: { config: nginx, command: ['nginx', '-e', 'stderr', '-c', '/mnt/proxy/nginx'] },
  caddy: {
    config: caddy,
    command: ['env', 'HOME=/mnt/proxy', 'caddy', 'run', '--adapter', 'caddyfile', '--config', '/mnt/proxy/caddy'],
  },
}

let folder: string
let here: string
beforeAll(async () => {
  const { state, addresses } = await lab.up()
  here = addresses.mgr
  folder = `${state}/proxy`
  mkdirSync(folder, { recursive: true })
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=${name} -keyout own.key -out own.crt`
  const made = await run('sh', ['-c', `cd ${folder} && openssl ${words}`])
  expect([made.code, made.stderr]).toEqual([0, expect.any(String)])
})

/** Starts it and waits until it answers; gives what ends it. */
async function startProxy(kind: keyof typeof proxies): Promise<() => Promise<void>> {
  const { config, command } = proxies[kind]
  writeFileSync(`${folder}/${kind}`, config())
  const child = spawn(`${root}/appliance/lab/lab.sh`, ['tool', ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const ended = new Promise<void>(done => child.once('exit', () => done()))
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${kind} ended with ${child.exitCode}: ${output}`)
    return (await throughProxy('health')).status === 200
  })
  return () => {
    child.kill('SIGTERM')
    return ended
  }
}

const throughProxy = (path: string, headers: Record<string, string> = {}, body?: Buffer) =>
  ask(`https://${here}/app/${path}`, { method: body ? 'POST' : 'GET', headers: { host: name, ...headers }, body })

describe.each(['nginx', 'caddy'] as const)('%s as the guide sets it up', kind => {
  let one: LabManager
  let endProxy: (() => Promise<void>) | undefined
  let person: Client
  const visitor = (headers: Record<string, string> = {}) => clientOf(`https://${here}`, { host: name, ...headers })
  const bytes = { 'content-type': 'application/gzip', 'x-requested-with': 'XMLHttpRequest' }
  const upload = async (body: Buffer) => {
    const reply = await throughProxy('backups/upload', { ...bytes, cookie: person.cookieLine() }, body)
    return JSON.parse(reply.body) as { retCode: number; data: { name: string } }
  }

  beforeAll(async () => {
    const env = { LANWARD_TRUSTED_PROXIES: '127.0.0.1,::1', LANWARD_NAMES: name, LANWARD_HTTP_PORT: '8080' }
    one = await manager({ env })
    endProxy = await startProxy(kind)
  })
  afterAll(async () => {
    await endProxy?.()
    await one?.end()
  })

  test('who comes by it is not the machine itself, whatever they say', async () => {
    const said: Record<string, string>[] = [
      {},
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1;proto=https' },
    ]
    for (const headers of said)
      await expect(visitor(headers).must('wizard/unlock', { code: '' })).rejects.toThrow(String(codes.setupCodeWrong))
    const setup = visitor()
    await prepareWizard(setup, 'Harbour', readFileSync(`${one.dataDir}/setup-code`, 'utf8').trim())
    await setup.must('wizard/finish')
  })

  test('who signs in has a cookie for https alone, and is logged by their own address', async () => {
    person = visitor({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'elsewhere.example' })
    const digest = { userName: owner.account, userPwd: 'wrong' }
    await expect(visitor({ 'x-forwarded-for': '203.0.113.10' }).must('login', digest)).rejects.toThrow()
    await signIn(person)
    const { result } = (await person.must('changelog/list')) as { result: { address: string }[] }
    expect([...new Set(result.map(row => row.address))]).toEqual([here])
  })

  test('events come while they happen, and an upload of megabytes gets the manager’s own answer', async () => {
    let heard = ''
    let over = false
    const headers = { host: name, cookie: person.cookieLine() }
    const stream = https.get(
      `https://${here}/app/events`,
      { headers, rejectUnauthorized: false, agent: false },
      reply => {
        reply.on('data', chunk => (heard += chunk))
        reply.on('close', () => (over = true))
      },
    )
    stream.on('error', () => undefined)
    await until(() => heard.includes(': open'))
    const made = await person.must('backups/create', {})
    await until(() => heard.includes('"topic":"backups"'))
    expect(over).toBe(false)
    stream.destroy()

    const archive = readFileSync(`${one.dataDir}/backups/${made.name}`)
    expect(await upload(archive)).toMatchObject({ retCode: 0 })
    expect(await upload(Buffer.concat([archive, randomBytes(6_000_000)]))).toMatchObject({
      retCode: codes.backupForeign,
    })
  })
})
