// A directory that answers by TLS whatever it likes, at each step of a sign-in: nobody comes in by it, it is told why, and
// everybody else goes on.
import { createServer, type Server } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { BerReader } from 'ldapts'
import { generate } from 'selfsigned'
import { codes } from '@/model/codes'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { wholeDirectory } from '@/server/people/federation/ldap/directory'
import { provenPerson } from '@/server/people/federation/ldap/people'
import { later, stopTimers } from '../../drivers/_timers'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'

const bindRequest = 0x60
const searchRequest = 0x63

/** One element of BER (X.690), its length in the short or the long form. */
function ber(tag: number, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map(part => Buffer.from(part)))
  const length = body.length < 128 ? Buffer.from([body.length]) : Buffer.alloc(5, 0x84)
  if (body.length >= 128) length.writeUInt32BE(body.length, 1)
  return Buffer.concat([Buffer.from([tag]), length, body])
}
const numberOf = (n: number) => ber(2, Buffer.from([n]))
const message = (id: number, tag: number, ...content: (Buffer | string)[]) =>
  ber(0x30, numberOf(id), ber(tag, ...content))
const result = (id: number, tag: number, code: number, ...more: Buffer[]) =>
  message(id, tag, ber(10, Buffer.from([code])), ber(4, ''), ber(4, 'because'), ...more)
const bound = (id: number, code = 0) => result(id, 0x61, code)
const done = (id: number, code = 0, ...more: Buffer[]) => result(id, 0x65, code, ...more)
const attribute = (name: string, ...values: string[]) =>
  ber(0x30, ber(4, name), ber(0x31, ...values.map(one => ber(4, one))))
const entry = (id: number, ...attributes: Buffer[]) =>
  message(id, 0x64, ber(4, 'uid=ann,dc=x'), ber(0x30, ...attributes))
const ann = (id: number) => entry(id, attribute('uid', 'ann'), attribute('entryUUID', '1'))

type Step = { id: number; operation: number; socket: TLSSocket; nth: number }
/** Answers a step itself; what it leaves is answered as a good directory would. */
type Twist = (step: Step) => boolean | undefined

let key: string
let cert: string
const open: Server[] = []
let manager: Manager
const uncaught: unknown[] = []
const noteUncaught = (error: unknown) => void uncaught.push(error)

beforeAll(async () => {
  const altNames = [
    { type: 7 as const, ip: '127.0.0.1' },
    { type: 2 as const, value: 'directory.invalid' },
  ]
  const extensions = [{ name: 'subjectAltName' as const, altNames }]
  const made = await generate([{ name: 'commonName', value: 'directory' }], { extensions })
  cert = made.cert
  key = made.private
  jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  manager = await startTestManager()
  await finishedWizard(manager)
  process.on('uncaughtException', noteUncaught)
})
afterAll(async () => {
  process.off('uncaughtException', noteUncaught)
  await manager.stop()
  for (const server of open) server.close()
})

const listening = async (server: Server) => {
  open.push(server)
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  return (server.address() as { port: number }).port
}

/** A directory in which ann's password is "right", but for its twist. */
async function directoryWith(twist: Twist): Promise<number> {
  let nth = 0
  return listening(
    createTlsServer({ cert, key }, socket => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk: Buffer) => {
        const reader = new BerReader(chunk)
        reader.readSequence()
        const id = reader.readInt() ?? 0
        const operation = reader.peek() ?? 0
        if (twist({ id, operation, socket, nth: nth++ })) return
        if (operation === searchRequest) socket.write(Buffer.concat([ann(id), done(id)]))
        else if (operation === bindRequest) socket.write(bound(id))
      })
    }),
  )
}

const settings = (port: number) => ({
  ...{ enabled: true, host: '127.0.0.1', port, security: 'ldaps', ca: cert, base: 'dc=x', filter: '(uid={name})' },
  ...{ accountAttribute: 'uid', roleAttribute: 'memberOf', bindDn: 'cn=reader', bindPassword: 'Lighthouse-9' },
})
const admin = async () => {
  const browser = manager.browser()
  const input = { userName: owner.account, userPwd: passwordDigest(owner.password) }
  expect((await browser.post('login', input)).retCode).toBe(0)
  return browser
}
/** What the setting's own test says, and whether ann comes in. */
async function tried(twist: Twist) {
  const port = await directoryWith(twist)
  const browser = await admin()
  const test = await browser.post('ldap/test', { ...settings(port), name: 'ann' })
  expect((await browser.post('ldap/save', settings(port))).retCode).toBe(0)
  const input = { userName: 'ann', userPwd: passwordDigest('right'), plainPwd: 'right' }
  const signIn = await manager.browser(`10.3.0.${open.length}`).post('login', input)
  return { test, signIn }
}

const at =
  (operation: number, answer: (step: Step) => void): Twist =>
  step => {
    if (step.operation !== operation) return undefined
    answer(step)
    return true
  }
const says = (operation: number, bytes: (id: number) => Buffer) =>
  at(operation, ({ id, socket }) => socket.write(bytes(id)))
const referral = ber(0xa3, ber(4, 'ldaps://127.0.0.1:1/dc=y'))
const nested = (levels: number): Buffer => (levels === 0 ? ber(4, 'x') : ber(0x30, nested(levels - 1)))

test('the same directory without a twist knows her, and lets in whom a group gives a role', async () => {
  const { test, signIn } = await tried(() => undefined)
  expect(test).toMatchObject({ retCode: 0, data: { person: { dn: 'uid=ann,dc=x' } } })
  expect(signIn.retCode).toBe(codes.ssoNoRole)
})

test('one that was looked for before is asked where it was found, whatever its name says now; its certificate has to have the name', async () => {
  const port = await directoryWith(() => undefined)
  const unset = { security: 'ldaps', groupFilter: '', groupBase: '' } as const
  const found = { ...wholeDirectory({ ...settings(port), ...unset, host: 'directory.invalid' }), address: '127.0.0.1' }
  expect(await provenPerson(found, 'ann', 'right')).toMatchObject({ account: 'ann' })
  const other = { ...found, host: 'elsewhere.invalid' }
  await expect(provenPerson(other, 'ann', 'right')).rejects.toThrow(/elsewhere\.invalid/)
})

test('entries that refer elsewhere are not followed, and odd names of attributes change nothing', async () => {
  let knocks = 0
  const elsewhere = await listening(createServer(() => void knocks++))
  const reference = (id: number) => message(id, 0x73, ber(4, `ldaps://127.0.0.1:${elsewhere}/dc=y`))
  const odd = ['__proto__', 'constructor', 'toString', ''].map(name => attribute(name, 'ben'))
  const twist = at(searchRequest, ({ id, socket }) =>
    socket.write(Buffer.concat([reference(id), entry(id, attribute('uid', 'ann'), ...odd), reference(id), done(id)])),
  )
  const { test } = await tried(twist)
  expect(test).toMatchObject({ retCode: 0, data: { person: { dn: 'uid=ann,dc=x', groups: [] } } })
  expect([knocks, 'ben' in {}]).toEqual([0, false])
})

test('a group’s own name is not what an attribute of it says', async () => {
  const twist: Twist = ({ id, operation, socket, nth }) => {
    if (operation !== searchRequest || nth === 1) return undefined
    socket.write(Buffer.concat([entry(id, attribute('dn', 'cn=admins,dc=x')), done(id)]))
    return true
  }
  const input = { ...settings(await directoryWith(twist)), groupFilter: '(member={dn})', name: 'ann' }
  expect(await (await admin()).post('ldap/test', input)).toMatchObject({
    ...{ retCode: codes.directoryFailed, data: { detail: expect.stringContaining('“dn”') } },
  })
})

/** The same twist; `more` hears of each of its answers. */
function counted(twist: Twist, more: () => void): Twist {
  return step => {
    const answered = twist(step)
    if (answered) more()
    return answered
  }
}
afterEach(() => jest.useRealTimers())

test('a byte now and then: the sign-in ends by itself, and nobody else waits for it', async () => {
  const drip = at(bindRequest, ({ id, socket }) => {
    const bytes = ber(0x30, numberOf(id), ber(0x61, Buffer.alloc(5000)))
    let sent = 0
    const timer = setInterval(
      () => (socket.writable ? socket.write(bytes.subarray(sent, ++sent)) : clearInterval(timer)),
      50,
    )
  })
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const port = await directoryWith(counted(drip, begin))
  const browser = await admin()
  stopTimers()
  let over = false
  const asked = browser.post('ldap/test', { ...settings(port), name: 'ann' }).finally(() => {
    over = true
  })
  await begun
  await admin()
  expect(over).toBe(false)
  expect((await later(asked)).data).toMatchObject({ detail: 'The server did not answer in time.' })
})

const silent: [string, Twist][] = [
  ['noise instead of an answer to the login', says(bindRequest, () => Buffer.from('ffee00'.repeat(9), 'hex'))],
  ['a length that goes on past everything', says(bindRequest, () => Buffer.from('3084ffffffff020101', 'hex'))],
  ['an indefinite length', says(searchRequest, () => Buffer.from('3080020101640000', 'hex'))],
  ['a number of the message that is none', says(bindRequest, () => ber(0x30, ber(4, 'x'), ber(0x61, '')))],
  ['an empty message', says(searchRequest, () => ber(0x30))],
  ['another message’s answer', says(bindRequest, id => bound(id + 9))],
]

test('what is no answer is waited for so long and no longer, each by itself', async () => {
  const browser = await admin()
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  let left = silent.length
  const answered = () => --left === 0 && begin()
  stopTimers()
  const asked = silent.map(async ([name, twist]) => {
    const port = await directoryWith(counted(twist, answered))
    const { retCode, data } = await browser.post('ldap/test', { ...settings(port), name: 'ann' })
    return [name, retCode, typeof data.detail === 'string' && data.detail !== '']
  })
  await begun
  await admin()
  expect(await later(Promise.all(asked))).toEqual(silent.map(([name]) => [name, codes.directoryFailed, true]))
  expect(uncaught).toEqual([])
})

test.each<[string, Twist]>([
  ['a thousand levels', says(searchRequest, id => message(id, 0x64, nested(1000)))],
  ['an entry cut in its middle', at(searchRequest, ({ id, socket }) => socket.end(ann(id).subarray(0, 30)))],
  ['an end at the login', at(bindRequest, ({ socket }) => socket.destroy())],
  ['an end at the search', at(searchRequest, ({ socket }) => socket.destroy())],
  ['an end after the entry', at(searchRequest, ({ id, socket }) => socket.end(ann(id)))],
  ['an entry of two megabytes', says(searchRequest, id => entry(id, attribute('uid', 'a'.repeat(2_000_000))))],
  ['a login that needs more', says(bindRequest, id => bound(id, 14))],
  ['a login refused', says(bindRequest, id => bound(id, 49))],
  [
    'an attribute in place of the entry’s own name',
    says(searchRequest, id =>
      Buffer.concat([entry(id, attribute('uid', 'ann'), attribute('dn', 'uid=owner,dc=x')), done(id)]),
    ),
  ],
  [
    'two of them',
    says(searchRequest, id => Buffer.concat([entry(id, attribute('uid', 'ann'), attribute('dn', 'a', 'b')), done(id)])),
  ],
  [
    'an empty one',
    says(searchRequest, id => Buffer.concat([entry(id, attribute('uid', 'ann'), attribute('dn')), done(id)])),
  ],
  ['a search that it is too busy for', says(searchRequest, id => done(id, 51))],
  ['a referral', says(searchRequest, id => done(id, 10, referral))],
  [
    'entries without end',
    at(searchRequest, ({ id, socket }) => {
      const more = () =>
        socket.writable && socket.write(Buffer.concat(Array(200).fill(ann(id))), () => setImmediate(more))
      more()
    }),
  ],
])('%s: nobody comes in, the reason is told, and the next one is served', async (_, twist) => {
  const { test, signIn } = await tried(twist)
  expect(test).toMatchObject({ retCode: codes.directoryFailed, data: { detail: expect.stringMatching(/[a-zA-Z]{4}/) } })
  expect(signIn.retCode).toBe(codes.wrongPassword)
  expect(JSON.stringify([test.data, signIn.data])).not.toContain('Lighthouse')
  await admin()
  expect(uncaught).toEqual([])
})
