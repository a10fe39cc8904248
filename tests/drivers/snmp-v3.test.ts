import { createSocket } from 'node:dgram'
import snmp from 'net-snmp'
import { type Credential, isDeviceError, type Reason } from '@/server/drivers/driver'
import { oid } from '@/server/drivers/snmp/protocol/ber'
import { discover, get, greet, openChannel } from '@/server/drivers/snmp/protocol/transport'
import { decrypt, encrypt, localizedKey } from '@/server/drivers/snmp/protocol/usm'
import { walk } from '@/server/drivers/snmp/protocol/walk'
import { stopTimers, waitIsOver } from './_timers'

// SNMPv3 against an agent of other hands (the net-snmp package): every digest with every cipher, and every wrong secret.

type V3 = Extract<Credential, { type: 'snmp3' }>
const auths = ['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512'] as const
// The agent has no DES: OpenSSL 3 has none. Its vector is below.
const privs = ['aes', 'aes256b', 'aes256r'] as const
const authKey = 'maplesyrup12'
const privKey = 'tannenbaum34'
const names = { description: '1.3.6.1.2.1.1.1.0', column: '1.3.6.1.4.1.99999.1.1' }

let port = 0
let agent: { close(): void; getAuthorizer(): { addUser(user: object): void }; getMib(): unknown }

const users = auths.flatMap(auth => privs.map(priv => ({ auth, priv, name: `${auth}-${priv}` })))

beforeAll(async () => {
  const probe = createSocket('udp4')
  await new Promise<void>(done => probe.bind(0, '127.0.0.1', done))
  port = probe.address().port
  await new Promise<void>(done => probe.close(() => done()))
  agent = snmp.createAgent(
    { port, address: '127.0.0.1', accessControlModelType: snmp.AccessControlModelType.None },
    // What it cannot read it does not answer.
    () => waitIsOver(),
  )
  const authorizer = agent.getAuthorizer()
  authorizer.addUser({ name: 'plain', level: snmp.SecurityLevel.noAuthNoPriv })
  authorizer.addUser({
    name: 'signed',
    level: snmp.SecurityLevel.authNoPriv,
    authProtocol: snmp.AuthProtocols.sha256,
    authKey,
  })
  for (const { auth, priv, name } of users)
    authorizer.addUser({
      name,
      level: snmp.SecurityLevel.authPriv,
      authProtocol: snmp.AuthProtocols[auth],
      authKey,
      privProtocol: snmp.PrivProtocols[priv],
      privKey,
    })
  const mib = agent.getMib() as {
    registerProvider(provider: object): void
    setScalarValue(name: string, value: unknown): void
  }
  const scalar = (name: string, at: string) =>
    mib.registerProvider({
      name,
      type: snmp.MibProviderType.Scalar,
      oid: at,
      scalarType: snmp.ObjectType.OctetString,
      maxAccess: snmp.MaxAccess['read-only'],
    })
  scalar('description', '1.3.6.1.2.1.1.1')
  mib.setScalarValue('description', 'Sealed box')
  for (let i = 1; i <= 30; i++) {
    scalar(`row${i}`, `${names.column}.${i}`)
    mib.setScalarValue(`row${i}`, `value ${i}`)
  }
})
afterAll(() => agent.close())
beforeEach(stopTimers)
afterEach(() => jest.useRealTimers())

const credential = (more: Partial<V3>): V3 => ({
  type: 'snmp3',
  user: 'sha256-aes',
  level: 'authPriv',
  authProtocol: 'sha256',
  authKey,
  privProtocol: 'aes',
  privKey,
  ...more,
})
const channelFor = (more: Partial<V3>) => openChannel({ address: '127.0.0.1', port, credential: credential(more) })

async function descriptionFor(more: Partial<V3>): Promise<string> {
  const found = await get(await channelFor(more), [names.description])
  return String(found.get(names.description)?.value)
}
const reasonFor = async (more: Partial<V3>): Promise<Reason | 'none'> =>
  channelFor(more)
    .then(greet)
    .then(
      () => 'none' as const,
      error => {
        if (isDeviceError(error)) return error.reason
        throw error
      },
    )

test('an engine is found without any secret', async () => {
  expect((await discover('127.0.0.1', port))?.engineId).toMatch(/^80[\da-f]{8,}$/)
})

test.each(users)('$auth and $priv read a value', async ({ auth, priv, name }) => {
  expect(await descriptionFor({ user: name, authProtocol: auth, privProtocol: priv })).toBe('Sealed box')
})

test('DES gives the cipher text of its standard (FIPS 46, the worked example)', () => {
  const key = Buffer.from('133457799bbcdff10000000000000000', 'hex')
  const block = Buffer.from('85e813540f0ab405', 'hex')
  const clock = { boots: 1, time: 1 }
  expect(decrypt('des', key, clock, Buffer.alloc(8), block).toString('hex')).toBe('0123456789abcdef')
  const sealed = encrypt('des', key, clock, Buffer.from('not a multiple of eight'))
  expect(decrypt('des', key, clock, sealed.salt, sealed.data).toString()).toBe('not a multiple of eight\0')
})

test('a key is localised as RFC 3414 A.3 shows', () => {
  const engine = Buffer.from('000000000000000000000002', 'hex')
  const key = (auth: 'md5' | 'sha') => localizedKey(auth, Buffer.from('maplesyrup'), engine).toString('hex')
  expect(key('md5')).toBe('526f5eed9fcce26f8964c2930787d82b')
  expect(key('sha')).toBe('6695febc9288e36282235fc7151f128497b38f3f')
})

test('without privacy, and without anything', async () => {
  expect(await descriptionFor({ user: 'signed', level: 'authNoPriv' })).toBe('Sealed box')
  expect(await descriptionFor({ user: 'plain', level: 'noAuthNoPriv' })).toBe('Sealed box')
})

test('a table is walked through an encrypted channel', async () => {
  const { columns, failure } = await walk(await channelFor({}), [oid(names.column)])
  expect(failure).toBeUndefined()
  expect(columns[0]?.values.map(String)).toContain('value 30')
  expect(columns[0]?.values).toHaveLength(30)
})

test.each([
  ['an unknown user', { user: 'nobody' }],
  ['a wrong authentication key', { authKey: 'wrong-key-1234' }],
  ['a wrong authentication protocol', { authProtocol: 'md5' }],
  ['a wrong privacy key', { privKey: 'wrong-key-1234' }],
  ['no privacy key at all', { privKey: undefined }],
] satisfies [string, Partial<V3>][])('%s: credentials', async (_, more) => {
  expect(await reasonFor(more)).toBe('credentials')
})
