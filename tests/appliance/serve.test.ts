import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import tls from 'node:tls'
import { makeCertificate } from '@/appliance/http/tls'
import { codes } from '@/model/codes'
import { ask, type Manager, post, removeFolder, startManager } from './_manager'

let manager: Manager

beforeAll(async () => {
  manager = await startManager()
})
afterAll(async () => {
  await manager.stop()
  removeFolder(manager.data)
})

const peerCertificate = (port: number) =>
  new Promise<tls.PeerCertificate>((done, failed) => {
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      done(socket.getPeerCertificate())
      socket.destroy()
    })
    socket.on('error', failed)
  })

test('answers health over https with a certificate for this machine, kept private', async () => {
  expect(JSON.parse((await ask(`${manager.https}/app/health`)).body)).toEqual({ status: 'up' })
  const certificate = new X509Certificate(readFileSync(`${manager.data}/tls/own.crt`))
  expect(certificate.subjectAltName).toContain('DNS:localhost')
  expect(certificate.subjectAltName).toContain('IP Address:127.0.0.1')
  expect(Date.parse(certificate.validTo) - Date.now()).toBeGreaterThan(800 * 86_400_000)
  expect(statSync(`${manager.data}/tls/own.key`).mode & 0o777).toBe(0o600)
})

test('prints the addresses and the setup code of a new manager', () => {
  expect(manager.output()).toContain(`https://localhost:${manager.httpsPort}`)
  const code = readFileSync(`${manager.data}/setup-code`, 'utf8').trim()
  expect(manager.output()).toContain(`Setup code: ${code}`)
})

test('refuses a foreign Host, takes addresses, localhost and *.local', async () => {
  const status = async (host: string) => (await ask(`${manager.http}/app/health`, { headers: { host } })).status
  expect(await status('rebind.example')).toBe(421)
  expect(await status('192.0.2.7:8080')).toBe(200)
  expect(await status('[2001:db8::1]')).toBe(200)
  expect(await status('localhost')).toBe(200)
  expect(await status('manager.local:8443')).toBe(200)
})

test('leads plain http from another address to https, path and query kept', async () => {
  const outside = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .find(one => !one.internal && one.family === 'IPv4')
  if (!outside) throw new Error('this machine has no address beside loopback')
  const url = manager.http.replace('127.0.0.1', outside.address)
  const reply = await ask(`${url}/login?target=%2Fx`)
  expect(reply.status).toBe(308)
  expect(reply.headers.location).toBe(`https://${outside.address}:${manager.httpsPort}/login?target=%2Fx`)
})

test('what came by a proxy on this machine is asked for the setup code, and led to https', async () => {
  const ways = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=127.0.0.1', via: '1.1 edge' }
  for (const [name, value] of Object.entries(ways)) {
    const headers = { [name]: value }
    const { json } = await post(manager.https, 'wizard/unlock', { code: '' }, headers)
    expect(json.retCode).toBe(codes.setupCodeWrong)
    expect((await ask(`${manager.http}/login`, { headers })).status).toBe(308)
  }
  expect((await post(manager.http, 'wizard/unlock', { code: '' })).json.retCode).toBe(0)
})

test('a trusted proxy that is no address ends the start, with what to set instead', async () => {
  const data = mkdtempSync(`${tmpdir()}/lanward-data-`)
  const start = startManager({ data, env: { LANWARD_TRUSTED_PROXIES: '127.0.0.1, proxy.example' } })
  await expect(start).rejects.toThrow(
    'ended with 1: LANWARD_TRUSTED_PROXIES: proxy.example is no address or network. Set addresses or networks',
  )
  removeFolder(data)
})

test('gives every page a policy with a fresh nonce, and puts it on its scripts', async () => {
  const nonceOf = (policy: unknown) => /'nonce-([^']+)'/.exec(String(policy))?.[1]
  const [first, second] = [await ask(`${manager.http}/nowhere`), await ask(`${manager.http}/nowhere`)]
  const nonce = nonceOf(first.headers['content-security-policy'])
  expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
  expect(nonceOf(second.headers['content-security-policy'])).not.toBe(nonce)
  expect(first.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const scripts = first.body.match(/<script[^>]*>/g) ?? []
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`)
})

test('refuses more than 1 MB before it is parsed, by length and when chunked', async () => {
  const body = Buffer.alloc(1024 * 1024 + 1, ' ')
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'test' }
  const whole = await ask(`${manager.http}/app/login`, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    body,
  })
  expect(whole.status).toBe(413)
  expect(JSON.parse(whole.body).retCode).toBe(10005)
  const chunked = await ask(`${manager.http}/app/login`, {
    method: 'POST',
    headers: { ...headers, 'transfer-encoding': 'chunked' },
    body,
  })
  expect(chunked.status).toBe(413)
  expect(JSON.parse(chunked.body).retCode).toBe(10005)
})

test('closes a connection whose headers do not come', async () => {
  await new Promise<void>((done, failed) => {
    const socket = connect(Number(new URL(manager.http).port), '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n'),
    )
    socket.on('error', failed)
    socket.on('close', () => done())
    socket.resume()
  })
})

test('serves an uploaded certificate without a restart', async () => {
  const made = await makeCertificate(['console.example'])
  writeFileSync(`${manager.data}/tls/uploaded.key`, made.key, { mode: 0o600 })
  writeFileSync(`${manager.data}/tls/uploaded.crt`, made.cert)
  process.kill(manager.pid, 'SIGHUP')
  const deadline = Date.now() + 60_000
  let seen = ''
  while (seen !== 'console.example' && Date.now() < deadline) {
    seen = String((await peerCertificate(manager.httpsPort)).subject.CN)
    await new Promise(done => setTimeout(done, 100))
  }
  expect(seen).toBe('console.example')
})

test('says which port is taken', async () => {
  const taken = new URL(manager.http).port
  await expect(startManager({ env: { LANWARD_HTTP_PORT: taken } })).rejects.toThrow(`Port ${taken} is already used`)
})

test('stops with code 0 although a stream is open, and starts again on its data', async () => {
  const second = await startManager()
  const stream = ask(`${second.http}/app/events`).catch(() => undefined)
  expect(await second.stop()).toBe(0)
  await stream
  const again = await startManager({ data: second.data })
  expect((await ask(`${again.http}/app/health`)).status).toBe(200)
  await again.stop()
  removeFolder(second.data)
})

const asRoot = process.getuid?.() === 0
test(
  asRoot
    ? 'a read-only or full data folder: a clear message, nothing half written'
    : 'read-only and full data folders: left out, needs root',
  async () => {
    if (!asRoot) return
    const folder = mkdtempSync(`${tmpdir()}/lanward-mount-`)
    const inMount = (command: string) => ['unshare', '-m', 'sh', '-c', `${command} && exec "$@"`, 'sh']
    await expect(startManager({ data: folder, wrap: inMount(`mount -t tmpfs -o ro none ${folder}`) })).rejects.toThrow(
      /is not writable/,
    )
    await expect(
      startManager({ data: folder, wrap: inMount(`mount -t tmpfs -o size=16k none ${folder}`) }),
    ).rejects.toThrow(/No space is left|database or disk is full/)
    rmSync(folder, { recursive: true })
  },
)

test('a call tells a stranger nothing and never answers 5xx for broken input', async () => {
  const broken = await ask(`${manager.http}/app/login`, {
    method: 'POST',
    headers: { 'x-requested-with': 'test' },
    body: '{',
  })
  expect(broken.status).toBeLessThan(500)
  expect((await post(manager.http, 'no/such/call')).status).toBe(404)
})
