// Phones that are told of the portal by DHCP (RFC 8910) and ask it by themselves (RFC 8908): a gateway on Debian, clients
// that trust an authority of the house.
import { makeAuthority, type Pair, sign } from '@/server/networks/certificates/x509'
import { curl, isIn, macs } from './_guests'
import { lab, until } from './_lab'
import { type House, portalHouse } from './_portal'

const name = 'wifi.house.example'
const ca = '/run/house-ca.crt'
type Client = 'c1' | 'c2'

let house: House
let authority: Pair

/** The options of a lease anew, as hexadecimal digits. */
async function offered(client: Client): Promise<string> {
  const capture = lab.sh(client, `timeout 50 tcpdump -c 1 -xx -s 1500 -ni eth0 'udp src port 67' 2>/run/tcpdump`)
  await until(async () => (await lab.sh(client, 'cat /run/tcpdump')).stdout.includes('listening on'))
  await lab.sh(client, 'busybox udhcpc -n -q -i eth0 -s /bin/true -O 114 >/dev/null 2>&1')
  const lines = (await capture).stdout.match(/^\s+0x[0-9a-f]+: .*$/gm) ?? []
  return lines.join('').replace(/0x[0-9a-f]+:|\s/g, '')
}
/** What DHCP tells a client that asks for option 114. */
async function toldOf(client: Client): Promise<string | undefined> {
  const bytes = Buffer.from(await offered(client), 'hex').toString('latin1')
  return /https:\/\/[a-z0-9.:-]+\/portal\/[0-9a-f-]{36}\/api/.exec(bytes)?.[0]
}
const stateOf = async () =>
  ((await house.owner.must('guests/announced/get', {})).result as { state: string }[]).map(one => one.state)

type Said = { captive: boolean; 'user-portal-url': string; 'seconds-remaining'?: number; 'bytes-remaining'?: number }
/** What the gateway's name server answers a client, for curl: clients of the lab keep no name server. */
async function resolved(client: Client, url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const { stdout } = await lab.in(client, ['busybox', 'nslookup', hostname, '192.168.20.1'])
  const [, address = ''] = /Name:\s+\S+\s+Address(?: 1)?:\s+(\S+)/.exec(stdout) ?? []
  return [hostname, port, address].join(':')
}
const asks = async (client: Client, url: string, ...words: string[]) =>
  curl(client, '-m', '20', '--cacert', ca, '--resolve', await resolved(client, url), ...words, url)

/** What the API says to a client, which trusts the house's authority and nobody else. */
async function ask(client: Client, url: string): Promise<{ head: string; body: Said }> {
  const { code, stdout } = await asks(client, url, '-D', '-')
  if (code !== 0) throw new Error(`curl ended with ${code}`)
  const at = stdout.indexOf('\r\n\r\n')
  return { head: stdout.slice(0, at).toLowerCase(), body: JSON.parse(stdout.slice(at + 4)) as Said }
}

async function certify(days: number): Promise<void> {
  const names = [{ type: 'dns' as const, value: name }]
  const { certificate, key } = await sign(authority, { name, use: 'server', days, names }, Date.now())
  await house.owner.must('manager/certificate/save', { certificate, key })
}

beforeAll(async () => {
  authority = await makeAuthority('House', Date.now())
  house = await portalHouse(
    { name: 'Guests', methods: ['free', 'voucher'], minutes: 30, announce: 'issued' },
    { LANWARD_NAMES: name },
  )
  for (const client of ['c1', 'c2'] as const) await lab.in(client, ['tee', ca], { input: authority.certificate })
})
afterAll(async () => {
  for (const client of ['c1', 'c2'] as const) await lab.sh(client, `rm -f ${ca}`)
  await house?.end()
})

test('with the manager’s own certificate DHCP tells nobody of the portal', async () => {
  expect(await stateOf()).toEqual(['ownCertificate'])
  expect(await toldOf('c1')).toBeUndefined()
})

test('with a certificate of the house’s authority DHCP tells of it after a push, and its name leads there', async () => {
  await certify(90)
  expect(await stateOf()).toEqual(['push'])
  expect(await toldOf('c1')).toBeUndefined()
  await house.push()
  expect(await stateOf()).toEqual(['told'])
  const url = await until(() => toldOf('c1'))
  expect(url).toMatch(new RegExp(`^https://${name}:\\d+/portal/${house.lan.id}/api$`))
})

let url: string
test('a phone is captive, signs in where it is led, and is told so at once, with its time and its bytes', async () => {
  url = (await toldOf('c1')) ?? ''
  const { head, body } = await ask('c1', url)
  expect(head).toContain('content-type: application/captive+json')
  expect(head).toContain('cache-control: private, no-store')
  expect(body).toEqual({ captive: true, 'user-portal-url': url.replace(/\/api$/, '') })
  // The sheet that opens: TLS to the end, and no gateway's redirect.
  const { stdout } = await asks('c1', body['user-portal-url'], '-L', '-w', '\n%{url_effective}')
  const page = stdout.slice(stdout.lastIndexOf('\n') + 1)
  expect(page).toMatch(new RegExp(`^https://${name}:\\d+/portal/[0-9a-f-]{36}\\?mac=${encodeURIComponent(macs.c1)}&`))
  expect(stdout).toContain('Welcome to the Wi-Fi')
  const { code } = await house.voucher({ hours: 2, byteLimitMb: 50 })
  const form = [...new URL(page).searchParams, ['method', 'voucher'], ['code', code]]
  const data = form.flatMap(([key, value]) => ['--data-urlencode', `${key}=${value}`])
  const sent = await asks('c1', page.split('?')[0] ?? '', ...data)
  expect(sent.stdout).toContain('You are online')
  // The page came once the gateway let in: from then on the API says so, at the first time that it is asked.
  const { body: said } = await ask('c1', url)
  expect(said).toMatchObject({ captive: false, 'can-extend-session': false })
  // By the session that the list of guests shows.
  const [row] = (await house.rows(macs.c1)) as unknown as { ends: number; bytes: number }[]
  const left = ((row?.ends ?? 0) - Date.now()) / 1000
  expect(Math.abs((said['seconds-remaining'] ?? 0) - left)).toBeLessThan(30)
  expect(said['bytes-remaining']).toBeGreaterThan(49 * 1_048_576)
  expect(said['bytes-remaining']).toBeLessThanOrEqual(50 * 1_048_576)
  await until(() => isIn('c1'))
})

test('another guest is told of nothing but itself; the manager’s own network is told of nobody', async () => {
  expect((await ask('c2', url)).body.captive).toBe(true)
  const { port, pathname } = new URL(url)
  const here = await lab.tool('curl', '-sk', '-w', '%{http_code}', `https://127.0.0.1:${port}${pathname}`)
  expect(here.stdout).toMatch(/403$/)
})

test('who is removed is captive again', async () => {
  const [row] = await house.rows(macs.c1)
  await house.owner.must('guests/remove', { ids: [row?.id] })
  expect((await ask('c1', url)).body.captive).toBe(true)
})

test('a certificate that ends soon is told of no more after the next push, and an alert says so before', async () => {
  await certify(3)
  expect(await stateOf()).toEqual(['stale'])
  await until(async () => {
    const { result } = await house.owner.must('alerts/list', {})
    return (result as { type: string }[]).some(one => one.type === 'portalUntrusted')
  })
  await house.push()
  expect(await stateOf()).toEqual(['endsSoon'])
  await until(async () => (await toldOf('c2')) === undefined)
})
