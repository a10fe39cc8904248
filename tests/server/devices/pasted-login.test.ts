// Logins and addresses as people paste them.
import ssh2 from 'ssh2'
import { credentialInput, deviceAddress } from '@/server/devices/adoption/credential-input'
import { connectSsh } from '@/server/drivers/ssh/ssh'
import { newKeyPair, type SshServer, startSshServer } from '../../drivers/ssh-server'

const key = newKeyPair().private.trim()
const judged = (privateKey: string, more = {}) =>
  credentialInput.safeParse({ type: 'ssh', user: 'root', privateKey, ...more })
const refusal = (...given: Parameters<typeof judged>) =>
  judged(...given).error?.issues.map(issue => [issue.path.join('.'), issue.message])

let server: SshServer
beforeAll(async () => {
  server = await startSshServer({ auth: context => context.method === 'publickey' })
})
afterAll(() => server.close())

test.each([
  ['as it is', key],
  ['a last line end', `${key}\n`],
  ['CRLF', `${key.replaceAll('\n', '\r\n')}\r\n`],
  ['CR alone', key.replaceAll('\n', '\r')],
  ['an empty line before', `\n${key}`],
  ['a blank before', ` ${key}`],
  ['a byte order mark before', `\uFEFF${key}`],
  ['blanks at line ends', key.replaceAll('\n', ' \t\n')],
  ['indented', key.replaceAll(/^/gm, '    ')],
])('a private key with %s is taken and logs in', async (_, pasted) => {
  const credential = credentialInput.parse({ type: 'ssh', user: 'root', privateKey: pasted })
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await connectSsh(target, AbortSignal.timeout(600_000))
  session.close()
  expect(session.method).toBe('publickey')
})

test('what is no private key is refused in the form, and says what it is', () => {
  expect(refusal('PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none')).toEqual([['privateKey', 'keyPutty']])
  expect(refusal('not a key')).toEqual([['privateKey', 'keyFormat']])
  expect(refusal(key.slice(0, 120))).toEqual([['privateKey', 'keyUnread']])
  expect(refusal(' \n ')?.[0]).toEqual(['privateKey', 'required'])
})

test('a locked key asks for its passphrase, which is not tried in the form', () => {
  const locked = ssh2.utils.generateKeyPairSync('ed25519', { cipher: 'aes256-ctr', passphrase: 'abc', rounds: 2 })
  expect(refusal(locked.private)).toEqual([['passphrase', 'required']])
  expect(refusal(locked.private, { passphrase: 'other' })).toBeUndefined()
})

test.each([
  ['fe80::1%lo', 'fe80::1%lo'],
  [' FE80::5eff:fe10:3%lo ', 'fe80::5eff:fe10:3%lo'],
  ['AP-Lobby.lan.', 'ap-lobby.lan'],
  ['ap_lobby.lan', 'ap_lobby.lan'],
  ['192.0.2.9', '192.0.2.9'],
  ['2001:db8::1', '2001:db8::1'],
])('the address %j is taken as %j', (typed, address) => {
  expect(deviceAddress.parse(typed)).toBe(address)
})

test.each([
  ['fe80::1', 'addressInterface'],
  ['febf::1', 'addressInterface'],
  ['fe80::1%no-such-link', 'addressInterface'],
  // Interfaces are told apart by their case.
  ['fe80::1%LO', 'addressInterface'],
  ['2001:db8::1%lo', 'addressFormat'],
  ['192.0.2.9%lo', 'addressFormat'],
  ['ap-lobby%lo', 'addressFormat'],
  ['fe80::1%', 'addressFormat'],
  ['fe80::zz%lo', 'addressFormat'],
  ['ap-lobby..', 'addressFormat'],
  ['.', 'addressFormat'],
])('the address %j is refused: %s', (typed, problem) => {
  expect(deviceAddress.safeParse(typed).error?.issues.map(issue => issue.message)).toContain(problem)
})
