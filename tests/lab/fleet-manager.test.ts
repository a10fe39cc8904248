import { ask } from '../appliance/_manager'
import { type LabManager, type LabStatus, lab, manager, until } from './_lab'

// The built manager with its worker thread, polls at their real pace: over HTTP alone, as a browser or a script sees it.
const account = { account: 'marta7', password: 'Tr0ub4dor&3x' }
let site: LabStatus
let one: LabManager
const cookies = new Map<string, string>()

async function post(path: string, body: object = {}): Promise<{ retCode: number; data: Record<string, unknown> }> {
  const answer = await fetch(`${one.local}/app/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  })
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  return (await answer.json()) as { retCode: number; data: Record<string, unknown> }
}
async function ok(path: string, body: object = {}): Promise<Record<string, unknown>> {
  const { retCode, data } = await post(path, body)
  if (retCode !== 0) throw new Error(`${path}: ${retCode} ${JSON.stringify(data)}`)
  return data
}
type Row = { id: number; name: string; status: number; uptimeSeconds?: number }
const rows = async () => (await ok('devices/list')).result as Row[]

beforeAll(async () => {
  site = await lab.up()
  one = await manager({ env: { LANWARD_SETUP_CODE: 'off', LANWARD_HTTP: 'console' } })
  await ok('wizard/unlock', { code: '' })
  const place = { country: 'PT', timezone: 'UTC', language: 'en' }
  await ok('wizard/general', { step: 'general', name: 'Lab', ...place })
  await ok('wizard/account', { step: 'account', email: '', repeat: account.password, ...account })
  await ok('wizard/finish')
})
afterAll(() => one?.end())

test('a switch by SNMPv3 and a gateway by SSH are online within one poll', async () => {
  const { user, authPassword, privPassword } = site.credentials.snmpV3
  const levels = { level: 'authPriv', authProtocol: 'sha', privProtocol: 'aes' }
  const { hostKey } = await ok('devices/fingerprint', { address: site.addresses.gw })
  const { user: root, password } = site.credentials.ssh
  const { jobId } = await ok('devices/adopt', {
    devices: [
      {
        address: site.addresses.sw1,
        credential: { type: 'snmp3', user, authKey: authPassword, privKey: privPassword, ...levels },
      },
      { address: site.addresses.gw, hostKey, credential: { type: 'ssh', user: root, password } },
    ],
  })
  await until(async () => (await ok('devices/adopt/result', { jobId })).state === 'done')
  const online = await until(async () => {
    const seen = await rows()
    return seen.length === 2 && seen.every(row => row.status === 1) && seen
  })
  expect(online.map(row => row.name)).toEqual(['gw', 'sw1'])
  for (const row of online) expect(row.uptimeSeconds).toBeGreaterThan(0)
})

test('live events reach a browser that listens', async () => {
  const control = new AbortController()
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stream = await fetch(`${one.local}/app/events`, { headers: { cookie }, signal: control.signal })
  const reader = stream.body?.getReader()
  const { id } = (await rows())[0] as Row
  await ok('devices/config/save', { id, remarks: 'by the stairs' })
  let text = ''
  for (const end = Date.now() + 60_000; !text.includes('"topic":"device"') && Date.now() < end; ) {
    const part = await reader?.read()
    text += Buffer.from(part?.value ?? []).toString('utf8')
  }
  control.abort()
  expect(text).toContain('"topic":"device"')
})

test('killed and started again: every acknowledged device is there, and polled', async () => {
  await one.kill9()
  await one.restart()
  expect((await ask(`${one.local}/app/health`)).status).toBe(200)
  const seen = await rows()
  expect(seen.map(row => row.name)).toEqual(['gw', 'sw1'])
  // Nothing was polled yet: what is shown is what was known, without live values.
  await until(async () => (await rows()).every(row => row.status === 1 && row.uptimeSeconds !== undefined))
})

test('a device polled each minute: rates after the second poll', async () => {
  const { id } = (await rows()).find(row => row.name === 'gw') as Row
  const polled = await until(
    async () => {
      const { reading, polls } = (await ok('devices/info', { id })) as {
        reading: { interfaces?: { inBps?: number }[] }
        polls: { rounds: number }
      }
      return polls.rounds >= 2 && reading.interfaces?.some(one => one.inBps !== undefined) && polls
    },
    { timeoutMs: 240_000, everyMs: 1000 },
  )
  expect(polled.rounds).toBeLessThanOrEqual(4)
})
