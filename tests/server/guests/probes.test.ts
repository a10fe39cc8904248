// What systems ask for by themselves to find out whether they are kept from the internet: led to the page before sign-in, so
// that their sheet opens, and let through to the vendor's own answer after it, so that it closes. The answering script is the
// gateway's own, run by this machine's shell; a device's kernel leads to it in tests/lab/portal.test.ts.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gateKey } from '@/server/devices/change/plan/gate'
import { made } from '../../drivers/_golden'
import { type House, house } from './_house'
import { httpServer } from './_http'

const probes = [
  ['Android and ChromeOS', 'http://connectivitycheck.gstatic.com/generate_204'],
  ['iOS and macOS', 'http://captive.apple.com/hotspot-detect.html'],
  ['Windows', 'http://www.msftconnecttest.com/connecttest.txt'],
  ['Windows before 10', 'http://www.msftncsi.com/ncsi.txt'],
  ['Firefox', 'http://detectportal.firefox.com/success.txt?ipv4'],
  ['GNOME', 'http://nmcheck.gnome.org/check_network_status.txt'],
] as const
/** By these a system knows that nobody keeps it: as the whole text of the answer, or at its beginning. */
const atLarge = /^(<HTML><HEAD><TITLE>)?(Success|success|Microsoft (Connect Test|NCSI)|NetworkManager is online)/

const blocks = made('linux/gate/01-guests').blocks
const textOf = (path: string) => {
  const text = blocks.find(one => one.id === `file:${path}`)?.text
  if (text === undefined) throw new Error(`no ${path}`)
  return text
}

let one: House
let manager: Awaited<ReturnType<typeof httpServer>>
let folder: string
const guest = { mac: '02:00:00:00:0b:01', ip: '10.66.11.1' }

beforeAll(async () => {
  one = await house()
  manager = await httpServer(() => ({ status: 404, body: '' }))
  folder = mkdtempSync(join(tmpdir(), 'lanward-probes-'))
  writeFileSync(join(folder, 'lans'), `lan guests0 ${one.lan} 300 class limit\n`)
  writeFileSync(join(folder, 'ip'), `#!/bin/sh\necho "${guest.ip} dev guests0 lladdr ${guest.mac} REACHABLE"\n`)
  chmodSync(join(folder, 'ip'), 0o755)
  const script = textOf('/etc/lanward-portal/answer.sh')
    .replaceAll('/etc/lanward-portal/lans', join(folder, 'lans'))
    .replaceAll('/var/lib/lanward-portal', folder)
    .replace(/^PATH=/m, `PATH=${folder}:`)
  writeFileSync(join(folder, 'answer.sh'), script)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await manager.close()
  await one.end()
})

/** What the gateway answers to a request on port 80 of a guest whom its kernel leads to it. */
function answered(url: string): Promise<string> {
  const { host, pathname, search } = new URL(url)
  const env = {
    ...process.env,
    ...{ REMOTE_ADDR: guest.ip, PORTAL_URL: `${manager.url}/portal`, PORTAL_KEY: gateKey(one.manager.runtime, 1) },
  }
  const shell = spawn('/bin/sh', [join(folder, 'answer.sh')], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  return new Promise((done, failed) => {
    let said = ''
    shell.stdout.on('data', chunk => {
      said += chunk
    })
    shell.on('error', failed)
    shell.on('close', () => done(said))
    shell.stdin.end(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: CaptiveNetworkSupport\r\n\r\n`)
  })
}

const ledTo = (answer: string): URL => new URL(/^Location: (.*)\r$/m.exec(answer)?.[1] ?? 'about:blank')

test.each(probes)(
  'before sign-in %s is led to the page by %s, and told nothing that it takes for the internet',
  async (_, url) => {
    const answer = await answered(url)
    expect(answer).toMatch(/^HTTP\/1\.1 302 Found\r\n/)
    expect(answer).toContain('Cache-Control: no-store\r\n')
    const { origin, pathname, searchParams } = ledTo(answer)
    expect(`${origin}${pathname}`).toBe(`${manager.url}/portal/${one.lan}`)
    expect(searchParams.get('url')).toBe(url)
    const { status, text } = await one.get(searchParams)
    expect(status).toBe(200)
    expect(text).toContain('Welcome to the Wi-Fi')
    expect(text).not.toMatch(atLarge)
  },
)

test('after it each request but one for the page’s own address passes before anything leads it to the page', () => {
  const rules = textOf('/etc/lanward/gate.nft')
  // A chain is declared before it is filled.
  const chain = (name: string) => {
    const [text = ''] =
      rules
        .split(`chain ${name} {\n`)
        .at(-1)
        ?.split(/^\s*\}$/m) ?? []
    return text
      .trim()
      .split('\n')
      .map(line => line.trim())
  }
  const redirected = chain('redirected')
  const known = redirected.findIndex(line => line.endsWith('@in jump known'))
  expect(redirected.slice(0, known)).toEqual([expect.stringMatching(/ip daddr 192\.0\.2\.1 .*redirect/)])
  expect(redirected.findIndex(line => line.startsWith('tcp dport 80 redirect'))).toBeGreaterThan(known)
  expect(chain('known').at(-1)).toBe('ct mark @until ct mark @awake accept')
  // Nor is a connection kept that was led there before; the page's own address, and the gateway's, are.
  const atGateway = chain('to_gateway').slice(0, 3)
  expect(atGateway).toEqual([
    'tcp dport 19543 ct status dnat ct original ip daddr 192.0.2.1 accept',
    'tcp dport 19543 ct status dnat iifname . ether saddr @in jump stale',
    'tcp dport 19543 accept',
  ])
  expect(chain('stale').at(-1)).toBe('ct mark @until ct mark @awake goto refused')
})

test.each(probes)('who is in and was led still, as %s by a request from before, sees to be in: %s', async (_, url) => {
  await one.send(guest, { method: 'free' })
  const { searchParams } = ledTo(await answered(url))
  const { text } = await one.get(searchParams)
  expect(text).toContain('You are online')
  expect(text).toContain(`<bdi>${url}</bdi>`)
})
