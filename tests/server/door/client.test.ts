// Who asks, as it is judged from the peer, what the request says of its way, and the proxies that are trusted.
import type { IncomingMessage } from 'node:http'
import { clientOf } from '@/appliance/http/client'
import { prepareHeaders } from '@/appliance/http/headers'
import { isLoopback } from '@/appliance/http/hosts'
import { readConfig, wrongProxy } from '@/server/kernel/config'

const trusted = ['127.0.0.1', '::1', '10.9.0.0/24', '2001:db8:9::/48']
type Sent = Record<string, string>
const request = (peer: string, headers: Sent) =>
  ({ socket: { remoteAddress: peer }, headers: { host: 'box.local', ...headers } }) as unknown as IncomingMessage
const judged = (peer: string, headers: Sent, proxies: readonly string[] = trusted, secure = false) => {
  const client = clientOf(request(peer, headers), secure, proxies)
  return { ...client, here: isLoopback(client.address) }
}
const xff = (value: string): Sent => ({ 'x-forwarded-for': value })
const forwarded = (value: string): Sent => ({ forwarded: value })

const ways: Sent[] = [
  ...['x-forwarded-for', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'cf-connecting-ip'].map(
    name => ({ [name]: '203.0.113.9' }),
  ),
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'box.local' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 edge' },
]

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is this machine itself', peer => {
  for (const proxies of [[], trusted])
    expect(judged(peer, {}, proxies)).toEqual({
      ...{ address: peer, secure: false, host: 'box.local', told: false, here: true },
    })
})

test.each(ways)('%j from loopback came by a proxy: it is not this machine, whatever it says', headers => {
  for (const [peer, via] of [
    ['127.0.0.1', 'via 127.0.0.1'],
    ['::ffff:127.0.0.1', 'via 127.0.0.1'],
    ['::1', 'via ::1'],
  ] as const)
    expect(judged(peer, headers, [])).toEqual({
      ...{ address: via, secure: false, host: 'box.local', told: false, here: false },
    })
  expect(judged('127.0.0.1', headers).here).toBe(false)
})

test.each(ways)('%j from elsewhere is nobody’s word: the peer is who asks', headers => {
  expect(judged('192.0.2.7', headers, trusted, true)).toEqual({
    ...{ address: '192.0.2.7', secure: true, host: 'box.local', told: false, here: false },
  })
})

test.each<[string, Sent, string]>([
  ['one address', xff('203.0.113.9'), '203.0.113.9'],
  ['a spoofed left part', xff('127.0.0.1, 10.0.0.1, 203.0.113.9'), '203.0.113.9'],
  ['trusted proxies on the right', xff('6.6.6.6,203.0.113.9 , 10.9.0.4,127.0.0.1'), '203.0.113.9'],
  ['trusted ones alone', xff('10.9.0.7, 10.9.0.4'), '10.9.0.7'],
  ['blanks and empty places', xff(' ,\t203.0.113.9 ,, '), '203.0.113.9'],
  ['a port', xff('203.0.113.9:4711'), '203.0.113.9'],
  ['IPv6', xff('2001:DB8::0:7'), '2001:db8::7'],
  ['IPv6 in brackets', xff('[2001:db8::7]'), '2001:db8::7'],
  ['IPv6 in brackets with a port', xff('[2001:db8::7]:4711, [2001:db8:9::1]:80'), '2001:db8::7'],
  ['IPv4 in its IPv6 form', xff('::ffff:203.0.113.9'), '203.0.113.9'],
  ['a zone', xff('fe80::7%eth0'), 'fe80::7'],
  ['Forwarded', forwarded('for=203.0.113.9'), '203.0.113.9'],
  ['Forwarded in any case, quoted', forwarded('By=10.9.0.4 ; FOR="203.0.113.9:80";proto=https'), '203.0.113.9'],
  ['Forwarded with IPv6', forwarded('for="[2001:db8::7]:4711", for="[2001:db8:9::1]"'), '2001:db8::7'],
  ['Forwarded, a spoofed left part', forwarded('for=127.0.0.1, for=203.0.113.9, for=10.9.0.4'), '203.0.113.9'],
  ['Forwarded, a comma in quotes', forwarded('for="6.6.6.6, for=7.7.7.7", for=203.0.113.9'), '203.0.113.9'],
  ['Forwarded, a quote left open', forwarded('for="6.6.6.6, for=203.0.113.9'), '203.0.113.9'],
  ['both kinds alike', { ...xff('203.0.113.9'), ...forwarded('for=203.0.113.9') }, '203.0.113.9'],
])('a trusted proxy tells the rightmost address that is no proxy’s: %s', (_, headers, address) => {
  expect(judged('127.0.0.1', headers)).toMatchObject({ address, told: true, here: false })
  expect(judged('::ffff:10.9.0.2', headers)).toMatchObject({ address, told: true, here: false })
})

test.each<[string, Sent]>([
  ['no address at all', { via: '1.1 edge' }],
  ['X-Real-IP alone', { 'x-real-ip': '203.0.113.9' }],
  ['a name', xff('203.0.113.9, unknown')],
  ['no address of four numbers', xff('203.0.113.9, 203.0.113.256')],
  ['leading zeros', xff('203.0.113.009')],
  ['a segment', xff('203.0.113.0/24')],
  ['brackets left open', xff('[2001:db8::7')],
  ['a proxy that nobody knows before it', forwarded('for=203.0.113.9, for=_hidden')],
  ['an element that is none', forwarded('for=203.0.113.9, for 6.6.6.6')],
  ['a quote that takes the proxy’s own in', forwarded('for=6.6.6.6;x=", for="[2001:db8::7]"')],
  ['more than a chain of proxies', forwarded(`for=6.6.6.6${' '.repeat(3000)}, for=203.0.113.9`)],
  ['two kinds that differ', { ...xff('203.0.113.9'), ...forwarded('for=6.6.6.6') }],
  ['one kind that cannot be read', { ...xff('hidden'), ...forwarded('for=6.6.6.6') }],
  ['loopback', xff('127.0.0.1')],
  ['loopback as IPv6', xff('0:0:0:0:0:0:0:1')],
  ['loopback in its IPv6 form', xff('::ffff:7f00:1')],
  ['loopback of another spelling', xff('127.3.2.1')],
])('where a trusted proxy tells no address, the client is nobody in particular: %s', (_, headers) => {
  expect(judged('127.0.0.1', headers)).toMatchObject({ address: 'via 127.0.0.1', here: false })
  expect(judged('10.9.0.2', headers)).toMatchObject({ address: 'via 10.9.0.2', here: false })
})

test.each<[string, Sent, { secure: boolean; host: string }]>([
  ['both', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'net.example' }, { secure: true, host: 'net.example' }],
  ['the nearest word', { 'x-forwarded-proto': 'https, http' }, { secure: false, host: 'box.local' }],
  ['the nearest host', { 'x-forwarded-host': 'evil.example, net.example' }, { secure: false, host: 'net.example' }],
  ['no scheme', xff('203.0.113.9'), { secure: false, host: 'box.local' }],
  [
    'Forwarded, of the client’s own hop',
    forwarded('for=6.6.6.6;proto=http;host=evil.example, for=203.0.113.9;proto=HTTPS;host="net.example:8443"'),
    { secure: true, host: 'net.example:8443' },
  ],
  [
    'Forwarded beside X-Forwarded-For, which may be the client’s own',
    { ...xff('203.0.113.9'), ...forwarded('for=203.0.113.9;proto=https;host=evil.example') },
    { secure: false, host: 'box.local' },
  ],
])('a trusted proxy tells scheme and host: %s', (_, headers, told) => {
  expect(judged('127.0.0.1', headers, trusted, true)).toMatchObject(told)
})

test('what stands behind hears the judgement alone', () => {
  const sent = Object.assign({}, ...ways, { 'x-lanward-remote': '127.0.0.1' }) as Sent
  const one = request('127.0.0.1', sent)
  const reply = { setHeader: () => undefined, writeHead: () => undefined } as never
  prepareHeaders(one, reply, clientOf(one, false, []), { dev: false })
  const { 'content-security-policy': _, ...headers } = one.headers
  expect(headers).toEqual({
    ...{ host: 'box.local', 'x-lanward-remote': 'via 127.0.0.1', 'x-forwarded-for': 'via 127.0.0.1' },
    ...{ 'x-forwarded-proto': 'http', 'x-forwarded-host': 'box.local' },
  })
})

test('trusted proxies are addresses and networks; a wrong one is named', () => {
  const wrong = (LANWARD_TRUSTED_PROXIES: string) =>
    wrongProxy(readConfig({ LANWARD_CONF: '/nonexistent', LANWARD_TRUSTED_PROXIES }))
  for (const right of ['', ' 127.0.0.1 , ::1,', '10.9.0.0/24,2001:DB8::/32']) expect(wrong(right)).toBeUndefined()
  for (const one of ['localhost', '10.9.0.256', '10.9.0.0/33', '[::1]', 'fe80::1%eth0', '127.0.0.1:80'])
    expect(wrong(`127.0.0.1,${one}`)).toMatch(`LANWARD_TRUSTED_PROXIES: ${one} is no address or network.`)
  expect(wrong('10.9.0.1/24')).toMatch('LANWARD_TRUSTED_PROXIES: 10.9.0.1/24 has host bits behind its prefix.')
})
