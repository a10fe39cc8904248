import { codes } from '@/model/codes'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
let key = ''

beforeAll(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
  await browser.post('developer-api/save', { enabled: true })
  const made = await browser.post('developer-api/keys/create', {
    name: 'Nightly',
    authorities: ['devices', 'organization_network', 'organization_network_add', 'clients', 'settings_wifi'],
    allNetworks: true,
    password: owner.password,
  })
  expect(made.data).toEqual({ id: expect.any(Number), key: expect.stringMatching(/^lw_/) })
  key = String(made.data.key)
})
afterAll(() => manager.stop())

type Told = { status: number; retCode: number; data: object; type: string; message: string }
async function told(who: Browser, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Told> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await who.raw(path, { method: 'POST', body: sent, headers })
  return { status: response.status, ...((await response.json()) as Omit<Told, 'status'>) }
}
const withKey = (path: string, body: unknown = {}) =>
  told(manager.browser(), path, body, { authorization: `Bearer ${key}` })

test('a script reads in HTTP and in words why it was refused; the body is the same as for a browser', async () => {
  expect((await withKey('networks/list')).status).toBe(200)
  const rows: [string, unknown, number, number, string][] = [
    ['devices/list', {}, 422, codes.invalidInput, 'networkId: Fill this in.'],
    [
      'devices/list',
      { networkId: 1, pageSize: 7 },
      422,
      codes.invalidInput,
      'pageSize: This is not one of the allowed values.',
    ],
    ['devices/list', '[]', 400, codes.invalidInput, 'An object is expected.'],
    ['devices/list', { networkId: 999 }, 404, codes.networkNotFound, 'This network does not exist.'],
    [
      'networks/add',
      { networkName: 'x'.repeat(65) },
      422,
      codes.invalidInput,
      'networkName: At most 64 characters. country: Fill this in. timezone: Fill this in.',
    ],
    [
      'settings/ssid/get',
      { networkId: 1, id: '0190a0de-0000-7000-8000-000000000000' },
      404,
      codes['ssid:notFound'],
      'This Wi-Fi network no longer exists.',
    ],
    ['users/list', {}, 403, codes.noAuthority, 'You do not have permission.'],
    ['account/password', {}, 403, codes.personOnly, 'Only a person who is signed in can do this, not an API key.'],
  ]
  for (const [path, body, status, retCode, message] of rows) {
    const answer = await withKey(path, body)
    expect([path, answer.status, answer.retCode, answer.type]).toEqual([path, status, retCode, 'error'])
    expect(answer.message).toBe(message)
  }
})

test('a business error to a browser is HTTP 200, session and authority are 401 and 403; all in words', async () => {
  const wrong = await told(browser, 'devices/list', { networkId: 1, pageSize: 7 })
  expect(wrong).toMatchObject({
    status: 200,
    retCode: codes.invalidInput,
    message: expect.stringContaining('pageSize'),
  })
  const nobody = await told(manager.browser(), 'devices/list', {})
  expect(nobody).toMatchObject({
    status: 401,
    retCode: codes.sessionExpired,
    message: expect.stringContaining('API key'),
  })
  const ended = manager.browser()
  ended.cookies.set('__Secure-next-auth.session-token', 'x')
  expect(await told(ended, 'devices/list', {})).toMatchObject({
    status: 401,
    message: 'Your session has ended. Sign in again.',
  })
})

test('the description of the API without a key says how to get at it', async () => {
  const response = await manager.browser().raw('openapi.json', { method: 'GET' })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ message: 'Sign in, or send an API key: Authorization: Bearer lw_…' })
})

test('a number in the words stands in them, and what no code says is not left empty', async () => {
  const unknown = await told(browser, 'no/such', {})
  expect(unknown).toMatchObject({ status: 404, message: 'The manager does not know this call.' })
  const gone = await withKey('networks/delete', { id: 1 })
  expect(gone).toMatchObject({ status: 409, retCode: codes.networkDefault })
  expect(gone.message).not.toMatch(/[{}]|^$/)
})
