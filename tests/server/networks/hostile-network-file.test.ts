// Network files that somebody made by hand: refused or taken, never an internal error, and nothing made of a refused one.
import { networks } from '@/db/schema'
import { codes } from '@/model/codes'
import { hostileTexts } from '../../soak/hostile-input'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

/** The real function, counted: how many run at once. */
const mockRunning = { now: 0, most: 0, all: 0 }
jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual('@node-rs/argon2')
  return {
    ...real,
    async hashRaw(...given: unknown[]) {
      mockRunning.now++
      mockRunning.all++
      mockRunning.most = Math.max(mockRunning.most, mockRunning.now)
      try {
        return await real.hashRaw(...given)
      } finally {
        mockRunning.now--
      }
    },
  }
})

let manager: Manager
let browser: Browser
type Part = Record<string, unknown>
let file: Part & { secrets: Part; groups: Part[]; documents: Part[] }
const passphrase = 'open sesame'

beforeAll(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
  const home = Number((await browser.post('networks/active')).data.networkId)
  await browser.post('groups/add', { groupName: 'Floor' })
  await browser.post('settings/ssid/save', { name: 'Staff', security: 'wpa2', key: 'correct-horse' })
  ;({ file } = (await browser.post('networks/export', { id: home, passphrase })).data as { file: typeof file })
})
afterAll(() => manager.stop())

const count = () => manager.runtime.db.select().from(networks).all().length
let made = 0
const put = (changed: unknown) =>
  browser.post('networks/import', { file: changed, networkName: `Back ${++made}`, passphrase })

test('salt, iv and tag of another length are refused at their field, before any work', async () => {
  const before = [mockRunning.all, count()]
  for (const name of ['salt', 'iv', 'tag'])
    for (const bytes of [0, 1, 7, 11, 13, 15, 17, 64, 4096]) {
      const secrets = { ...file.secrets, [name]: Buffer.alloc(bytes, 7).toString('base64url') }
      const { retCode, data } = await put({ ...file, secrets })
      expect([name, bytes, retCode, Object.keys(data.fields ?? {})]).toEqual([
        ...[name, bytes, codes.invalidInput],
        [`file.secrets.${name}`],
      ])
    }
  expect([mockRunning.all, count()]).toEqual(before)
})

/** Every place of a value, as a path. */
function* placesOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length) yield path
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* placesOf(inner, [...path, key])
}
function putAt(value: unknown, [key = '', ...rest]: readonly string[], next: unknown): unknown {
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === key ? (rest.length ? putAt(one, rest, next) : next) : one))
  const own = value as Part
  return { ...own, [key]: rest.length ? putAt(own[key], rest, next) : next }
}

test('whatever stands at whatever place: an answer that says why, and no network of a refused one', async () => {
  const odd = [
    null,
    -1,
    9e15,
    1e308,
    [],
    {},
    [[]],
    true,
    'x'.repeat(70_000),
    ...hostileTexts.filter((_, at) => at % 12 === 0),
  ]
  const places = [...placesOf(file)]
  expect(places.length).toBeGreaterThan(20)
  for (const [at, path] of places.entries())
    for (const next of odd.filter((_, which) => (which + at) % 9 === 0)) {
      const before = count()
      const { status, retCode, data } = await put(putAt(file, path, next))
      expect([path, status, retCode]).not.toEqual([path, 200, codes.unknownError])
      expect([path, next, count() - before]).toEqual([path, next, retCode === 0 ? 1 : 0])
      if (retCode === 0) await browser.post('networks/delete', { id: data.networkId })
    }
})

test('many passphrases at once are tried two at a time, as passwords are', async () => {
  mockRunning.most = 0
  const before = mockRunning.all
  const wrong = Array.from({ length: 8 }, (_, n) =>
    browser.post('networks/import', { file, networkName: `Guess ${n}`, passphrase: `guess number ${n}` }),
  )
  for (const { data } of await Promise.all(wrong)) expect(data.fields).toEqual({ passphrase: 'passphraseWrong' })
  expect([mockRunning.all - before, mockRunning.most]).toEqual([8, 2])
})
