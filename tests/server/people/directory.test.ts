// What a directory must not be able to do to the manager, over real sockets; and what is typed stays one value of a filter.
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { FilterParser } from 'ldapts'
import { generate } from 'selfsigned'
import { withDirectory } from '@/server/people/federation/ldap/connection'
import { type Directory, directoryShape } from '@/server/people/federation/ldap/directory'
import { filled, isFilter } from '@/server/people/federation/ldap/filter'

test.each([
  ['ann', '(uid=ann)'],
  ['*', '(uid=\\2a)'],
  ['*)(uid=*', '(uid=\\2a\\29\\28uid=\\2a)'],
  ['a\\2a', '(uid=a\\5c2a)'],
  ['a\0', '(uid=a\\00)'],
  ['{name}{dn}$&', '(uid={name}{dn}$&)'],
  ['Zoë', '(uid=Zoë)'],
])('%s is one value of the filter', (name, filter) => {
  expect(filled('(uid={name})', { name })).toBe(filter)
  expect(FilterParser.parseString(filter).toString()).toMatch(/^\(uid=[^()*]*\)$/)
})

test('a filter that does not parse, or lacks its place, is none', () => {
  const bad = [
    '',
    '(uid=x)',
    '(uid={name}',
    '(&(uid={name})',
    '(uid={name}))',
    '(uid={name})(cn=x)',
    'uid',
    '(uid={dn})',
  ]
  expect(bad.filter(one => isFilter(one, 'name'))).toEqual([])
  expect(isFilter('(&(objectClass=user)(!(flags:1.2.840.113556.1.4.803:=2))(uid={name}))', 'name')).toBe(true)
  expect(isFilter('(member={dn})', 'dn')).toBe(true)
})

let ca: string
let key: string
const open: Server[] = []
beforeAll(async () => {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }]
  const made = await generate([{ name: 'commonName', value: 'directory' }], { extensions })
  ca = made.cert
  key = made.private
})
afterEach(() => Promise.all(open.splice(0).map(server => new Promise(done => server.close(done)))))

async function directoryAt(server: Server, security: Directory['security']): Promise<Directory> {
  open.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const given = { enabled: true, host: '127.0.0.1', port, security, ca, base: 'dc=x', filter: '(uid={name})' }
  return { ...directoryShape.parse({ ...given, accountAttribute: 'uid' }), bindPassword: '' }
}
const bind = (directory: Directory) => withDirectory(directory, client => client.bind('cn=x', 'secret'))

/** Answers the first that comes, and notes all that comes. */
function answering(answer: Buffer, seen: Buffer[]) {
  return (socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(answer))
    socket.on('data', chunk => seen.push(chunk))
  }
}
const agreed = Buffer.from('300c02010178070a010004000400', 'hex')
const startTls = '1.3.6.1.4.1.1466.20037'

test('a server that answers without end, or in endless pieces, is left', async () => {
  // Search references to nobody: the smallest that is read as a message.
  const flood = Buffer.concat(Array(400_000).fill(Buffer.from('300502010a7300', 'hex')))
  const server = createTlsServer({ cert: ca, key }, answering(flood, []))
  await expect(bind(await directoryAt(server, 'ldaps'))).rejects.toThrow(/closed/)
})

test.each([
  ['refuses', Buffer.from('300c02010178070a013404000400', 'hex'), /refuses StartTLS/],
  // Its bind response would be the answer to the bind that comes by TLS.
  ['says more in clear', Buffer.concat([agreed, Buffer.from('300c02010261070a010004000400', 'hex')]), /refuses/],
  ['begins more in clear', Buffer.concat([agreed, Buffer.from('3050', 'hex')]), /refuses/],
  ['says too much', Buffer.concat([Buffer.from('3084000fffff', 'hex'), Buffer.alloc(8192)]), /refuses/],
  ['is no directory', Buffer.from('SSH-2.0-x\r\n'), /./],
])('with StartTLS a server that %s gets no password', async (_, answer, reason) => {
  const seen: Buffer[] = []
  await expect(bind(await directoryAt(createServer(answering(answer, seen)), 'starttls'))).rejects.toThrow(reason)
  const said = Buffer.concat(seen).toString('latin1')
  expect([said.includes(startTls), said.includes('secret')]).toEqual([true, false])
})

test('a certificate that another signed, and an agreement without TLS, get no password', async () => {
  const other = await generate([{ name: 'commonName', value: 'other' }])
  const seen: Buffer[] = []
  const server = createTlsServer({ cert: other.cert, key: other.private }, answering(agreed, seen))
  await expect(bind(await directoryAt(server, 'ldaps'))).rejects.toThrow(/certificate|self/i)
  const plain = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(agreed)
      socket.once('data', hello => {
        seen.push(hello)
        socket.end('no TLS')
      })
    })
  })
  await expect(bind(await directoryAt(plain, 'starttls'))).rejects.toThrow(/./)
  expect(Buffer.concat(seen).toString('latin1')).not.toContain('secret')
})
