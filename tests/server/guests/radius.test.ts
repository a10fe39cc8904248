// What the portal asks a RADIUS server, and which answers it believes: retries, a second server, forged datagrams.
import { createHash, createHmac } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { RadiusFields } from '@/model/profiles/radius'
import { type Account, causeOf, reportAttributes, tellServer } from '@/server/guests/radius/accounting'
import { askRadius, disconnect } from '@/server/guests/radius/client'
import { accountingRequestOf, hidden, responseTo } from '@/server/guests/radius/packet'
import { chapPassword, ntResponse } from '@/server/guests/radius/proof'
import { passTime, stopTimers, timePassed } from '../../drivers/_timers'

const secret = 'Lighthouse-Secret'
const who = { name: 'ann', password: 'a much longer password', mac: '02:00:5e:10:00:c1', ip: '10.66.0.21' }
const md5 = (...parts: (string | Buffer)[]) =>
  createHash('md5')
    .update(Buffer.concat(parts.map(one => Buffer.from(one))))
    .digest()

type Asked = { id: number; authenticator: Buffer; attributes: Map<number, Buffer>; bytes: Buffer }
function read(bytes: Buffer): Asked {
  const attributes = new Map<number, Buffer>()
  for (let at = 20; at < bytes.length; at += bytes[at + 1] ?? 99)
    attributes.set(bytes[at] ?? 0, bytes.subarray(at + 2, at + (bytes[at + 1] ?? 0)))
  return { id: bytes[1] ?? 0, authenticator: bytes.subarray(4, 20), attributes, bytes }
}
/** The password of section 5.2, taken out again. */
function plain(asked: Asked): string {
  const cipher = asked.attributes.get(2) ?? Buffer.alloc(0)
  const blocks: number[] = []
  let before = asked.authenticator
  for (let at = 0; at < cipher.length; at += 16) {
    const mask = md5(secret, before)
    before = cipher.subarray(at, at + 16)
    blocks.push(...[...before].map((byte, index) => byte ^ (mask[index] ?? 0)))
  }
  return Buffer.from(blocks).toString().replace(/\0+$/, '')
}
type Own = { attributes?: Buffer; secret?: string; id?: number; signed?: boolean | 'wrong' }
function answer(asked: Asked, code: number, { attributes = Buffer.alloc(0), signed, ...own }: Own = {}): Buffer {
  const key = own.secret ?? secret
  const mark = signed ? Buffer.concat([Buffer.from([80, 18]), Buffer.alloc(16)]) : Buffer.alloc(0)
  const body = Buffer.concat([mark, attributes])
  const head = Buffer.from([code, own.id ?? asked.id, 0, 20 + body.length])
  if (signed) {
    const sum = createHmac('md5', key)
      .update(Buffer.concat([head, asked.authenticator, body]))
      .digest()
    if (signed === 'wrong') sum[0] = (sum[0] ?? 0) ^ 1
    sum.copy(body, 2)
  }
  return Buffer.concat([head, md5(head, asked.authenticator, body, key), body])
}
const number = (type: number, value: number) => Buffer.from([type, 6, 0, 0, value >> 8, value & 255])
const vendor = (id: number, type: number, value: number) => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt8(26)
  bytes.writeUInt8(12, 1)
  bytes.writeUInt32BE(id, 2)
  bytes.writeUInt8(type, 6)
  bytes.writeUInt8(6, 7)
  bytes.writeUInt32BE(value, 8)
  return bytes
}

let open: Socket[] = []
let heard = 0
/** What a server leaves without an answer is waited for no longer. */
const hear = () => {
  heard += 1
  passTime(() => heard)
}
/** A server on loopback: `each` says what it does with the nth datagram. */
async function server(each: (asked: Asked, n: number, send: (bytes: Buffer) => void) => void) {
  const socket = createSocket('udp4')
  open.push(socket)
  const asked: Asked[] = []
  socket.on('message', (bytes: Buffer, from: RemoteInfo) => {
    asked.push(read(bytes))
    hear()
    each(read(bytes), asked.length, reply => socket.send(reply, from.port, from.address))
  })
  await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
  return { port: socket.address().port, asked }
}
beforeEach(stopTimers)
afterEach(async () => {
  await timePassed()
  jest.useRealTimers()
  for (const socket of open) socket.close()
  open = []
})

const profile = (port: number, more: object = {}): RadiusFields => ({
  ...{
    name: 'r',
    here: false,
    server: '127.0.0.1',
    port,
    secret,
    secondPort: 1812,
    accounting: false,
    accountingPort: 1813,
  },
  ...{ accountingInterval: 600, retryTimeout: 1, retries: 1, ...more },
})

test('a password is hidden as in the example of RFC 2865 section 7.1', () => {
  const authenticator = Buffer.from('0f403f9473978057bd83d5cb98f4227a', 'hex')
  expect(hidden('arctangent', 'xyzzy5461', authenticator).toString('hex')).toBe('0dbe708d93d413ce3196e43f782a0aee')
})

test('RFC 5176: a request to put somebody out is signed twice, and counts only with its own answer', async () => {
  const datagrams: Buffer[] = []
  const socket = createSocket('udp4')
  open.push(socket)
  socket.on('message', (datagram, from) => {
    datagrams.push(datagram)
    hear()
    const head = Buffer.from([41, datagram[1] ?? 0, 0, 20])
    const sum = createHash('md5').update(Buffer.concat([head, datagram.subarray(4, 20), Buffer.from(secret)]))
    socket.send(Buffer.concat([head, sum.digest()]), from.port, from.address)
  })
  await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
  const place = { host: '127.0.0.1', port: socket.address().port }
  expect(await disconnect({ ...place, secret }, '02:00:00:00:00:0a')).toBe(true)
  const [packet = Buffer.alloc(0)] = datagrams
  expect([packet[0], packet.subarray(20, 22).toString('hex')]).toEqual([40, '5012'])
  expect(packet.toString('latin1')).toContain('02-00-00-00-00-0A')
  const zero = Buffer.concat([packet.subarray(0, 4), Buffer.alloc(16), packet.subarray(20)])
  const sum = createHash('md5')
    .update(Buffer.concat([zero, Buffer.from(secret)]))
    .digest()
  expect(packet.subarray(4, 20)).toEqual(sum)
  const unsigned = Buffer.from(zero)
  unsigned.fill(0, 22, 38)
  expect(packet.subarray(22, 38)).toEqual(createHmac('md5', secret).update(unsigned).digest())
  expect(await disconnect({ ...place, secret: 'another secret' }, '02:00:00:00:00:0a')).toBe(false)
})

test('G3: the request says who and where, hides the password, and is signed by Message-Authenticator first', async () => {
  const { port, asked } = await server((one, _, send) => send(answer(one, 2)))
  expect(await askRadius(profile(port, { nasId: 'quay', protocol: 1 }), who)).toEqual({ granted: {} })
  const [one] = asked as [Asked]
  expect(plain(one)).toBe(who.password)
  expect(one.attributes.get(1)?.toString()).toBe('ann')
  expect(one.attributes.get(31)?.toString()).toBe('02-00-5E-10-00-C1')
  expect(one.attributes.get(32)?.toString()).toBe('quay')
  expect(one.attributes.get(8)?.join('.')).toBe('10.66.0.21')
  expect(one.attributes.get(7)?.readUInt32BE()).toBe(1)
  expect(one.bytes.toString('latin1')).not.toContain(who.password)
  expect(one.bytes[20]).toBe(80)
  const blank = Buffer.from(one.bytes)
  blank.fill(0, 22, 38)
  expect(createHmac('md5', secret).update(blank).digest().equals(one.bytes.subarray(22, 38))).toBe(true)
})

test('what the server grants is read: time, idle time, bytes, rates', async () => {
  const attributes = Buffer.concat([number(27, 3600), number(28, 600), vendor(14_122, 8, 8_000_000)])
  const all = Buffer.concat([attributes, vendor(14_122, 7, 512_000), vendor(14_559, 3, 5_000_000), vendor(9, 8, 1)])
  const { port } = await server((one, _, send) => send(answer(one, 2, { attributes: all })))
  expect(await askRadius(profile(port), who)).toEqual({
    granted: { seconds: 3600, idleSeconds: 600, bytes: 5_000_000, download: 8000, upload: 512 },
  })
})

test.each([
  ['a refusal', 3],
  ['a challenge, which a portal cannot meet', 11],
  ['an answer to accounting', 5],
])('%s lets nobody in', async (_, code) => {
  const { port } = await server((one, _n, send) => send(answer(one, code)))
  expect(await askRadius(profile(port), who)).toBe('refused')
})

test('G3: an unanswered request goes again as it was, so often and no more; then the second server is asked', async () => {
  const first = await server(() => undefined)
  const second = await server((one, n, send) => n === 2 && send(answer(one, 2)))
  const more = { secondServer: '127.0.0.1', secondPort: second.port, secondSecret: secret }
  expect(await askRadius(profile(first.port, more), who)).toEqual({ granted: {} })
  expect([first.asked.length, second.asked.length]).toEqual([2, 2])
  expect(first.asked[0]?.bytes.equals(first.asked[1]?.bytes as Buffer)).toBe(true)
  expect(await askRadius(profile(first.port, { retries: 2 }), who)).toBe('silent')
  expect(first.asked).toHaveLength(5)
})

test('a server that is off, or has no name, is silent and not refusing', async () => {
  expect(await askRadius(profile(9), who)).toBe('silent')
  expect(await askRadius(profile(9, { server: 'no-such-server.invalid' }), who)).toBe('silent')
})

test('a server to which no route leads is silent, and ends nothing', async () => {
  expect(await askRadius(profile(1812, { server: '255.255.255.255' }), who)).toBe('silent')
})

test.each(['127.0.0.1', 'localhost', '0.0.0.0', '::ffff:127.0.0.1'])(
  'for guests of another company nothing of this machine is asked: %s',
  async to => {
    const { port, asked } = await server((one, _, send) => send(answer(one, 2)))
    const more = { server: to, secondServer: to, secondPort: port, secondSecret: secret, notSelf: true }
    expect(await askRadius(profile(port, more), who)).toBe('silent')
    expect(asked).toEqual([])
  },
)

test('forged answers are passed by: another secret, another request, a wrong sum, half a packet', async () => {
  const { port } = await server((one, _, send) => {
    const good = answer(one, 2)
    send(answer(one, 2, { secret: 'guess' }))
    send(answer(one, 2, { id: (one.id + 1) & 255 }))
    send(answer(one, 2, { signed: 'wrong' }))
    send(Buffer.concat([good.subarray(0, 4), Buffer.alloc(16), good.subarray(20)]))
    send(good.subarray(0, 12))
    send(answer(one, 2, { attributes: Buffer.from([27, 40, 1]) }))
    send(answer(one, 3))
  })
  expect(await askRadius(profile(port), who)).toBe('refused')
})

test('CVE-2024-3596: a server that signed an answer once has to sign each', async () => {
  let signed = true
  const { port } = await server((one, _, send) => send(answer(one, 2, { signed })))
  expect(await askRadius(profile(port), who)).toEqual({ granted: {} })
  signed = false
  expect(await askRadius(profile(port), who)).toBe('silent')
})

test('a name or password that no request can hold is refused unasked', async () => {
  const { port, asked } = await server((one, _, send) => send(answer(one, 2)))
  expect(await askRadius(profile(port), { ...who, name: 'x'.repeat(254) })).toBe('refused')
  expect(await askRadius(profile(port), { ...who, password: 'é'.repeat(65) })).toBe('refused')
  expect(asked).toEqual([])
})

test('any datagram is judged without harm', () => {
  const request = { id: 7, authenticator: Buffer.alloc(16, 1), bytes: Buffer.alloc(0) }
  for (let length = 0; length < 64; length++) {
    const bytes = Buffer.alloc(length, 7)
    if (length >= 4) bytes.writeUInt16BE(length, 2)
    expect(responseTo(request, secret, bytes)).toBeUndefined()
  }
})

test('MS-CHAPv2: the response is that of RFC 2759 section 9.2, with and without a domain before the name', () => {
  const asked = {
    password: 'clientPass',
    server: Buffer.from('5b5d7c7d7b3f2f3e3c2c602132262628', 'hex'),
    peer: Buffer.from('21402324255e262a28295f2b3a337c7e', 'hex'),
  }
  for (const name of ['User', 'BIGCO\\User'])
    expect(ntResponse({ ...asked, name }).toString('hex')).toBe('82309ecd8d708b5ea08faa3981cd83544233114a3d85d6df')
})

test('CHAP and MS-CHAPv2: the password is in no request, and may be longer than PAP can hide', async () => {
  const { port, asked } = await server((one, _, send) => send(answer(one, 2)))
  const password = 'p'.repeat(200)
  expect(await askRadius(profile(port), { ...who, password })).toBe('refused')
  for (const proof of ['chap', 'mschapv2'] as const)
    expect(await askRadius(profile(port), { ...who, password, proof })).toEqual({ granted: {} })
  const [chap, mschap] = asked
  const given = chap?.attributes.get(3) ?? Buffer.alloc(0)
  expect(given).toEqual(chapPassword(given[0] ?? 0, password, chap?.attributes.get(60) ?? Buffer.alloc(0)))
  expect([chap, mschap].map(one => one?.attributes.has(2))).toEqual([false, false])
  expect(mschap?.bytes.includes(Buffer.from([0, 0, 1, 55, 25, 52]))).toBe(true)
  expect(asked.some(one => one.bytes.includes('pppp'))).toBe(false)
})

const session: Account = {
  ...{ session: '7-19', name: 'ann', classes: ['AQI='], mac: who.mac, address: who.ip },
  ...{ started: 1_800_000_000_000, bytes: 3 * 2 ** 32 + 5 },
}
const numberIn = (value: Buffer | undefined) => value?.readUInt32BE()

describe('RFC 2866: accounting', () => {
  test('a report is signed by the secret, and heard once the server says so', async () => {
    const told = await server((one, n, send) => {
      if (n === 2) send(answer(one, 5, { secret: 'another' }))
      if (n === 2) send(answer(one, 2))
      if (n === 3) send(answer(one, 5))
    })
    const to = profile(9, { accountingPort: told.port, retries: 1 })
    expect(await tellServer(to, 'start', session, session.started)).toBe(false)
    expect(await tellServer(to, 'start', session, session.started)).toBe(true)
    const [first] = told.asked
    const { bytes, authenticator } = first as Asked
    const zero = Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(16), bytes.subarray(20)])
    expect(bytes[0]).toBe(4)
    expect(authenticator).toEqual(md5(zero, secret))
    expect(responseTo(accountingRequestOf(secret, []), secret, Buffer.alloc(20))).toBeUndefined()
  })

  test('start, use and end say what was when, however late they are told', () => {
    const of = (report: 'start' | 'interim' | 'stop', more: Partial<Account>, now: number) =>
      new Map(reportAttributes({ nasId: 'quay' }, report, { ...session, ...more }, now))
    const at = session.started
    const start = of('start', {}, at + 9000)
    expect([40, 41, 55].map(type => numberIn(start.get(type)))).toEqual([1, 9, at / 1000])
    expect([44, 1, 32, 31].map(type => String(start.get(type)))).toEqual(['7-19', 'ann', 'quay', '02-00-5E-10-00-C1'])
    expect([...(start.get(25) ?? [])]).toEqual([1, 2])
    expect([43, 46, 49].map(type => start.has(type))).toEqual([false, false, false])
    const interim = of('interim', {}, at + 60_500)
    expect([40, 41, 43, 53, 46].map(type => numberIn(interim.get(type)))).toEqual([3, 0, 5, 3, 60])
    // Both directions are counted together: of one alone nothing is known.
    expect([42, 52].map(type => interim.has(type))).toEqual([false, false])
    const stop = of('stop', { ended: at + 120_000, why: 'idle', bytes: 7 }, at + 180_000)
    expect([40, 41, 43, 46, 49].map(type => numberIn(stop.get(type)))).toEqual([2, 60, 7, 120, 4])
    expect(stop.has(53)).toBe(false)
  })

  test.each([
    ['signedOut', 1],
    ['idle', 4],
    ['time', 5],
    ['removed', 6],
    ['blocked', 6],
    ['bytes', 10],
    ['closed', 15],
    ['gateway', 9],
    ['again', 1],
  ] as const)('an end by %s is terminate cause %d', (why, cause) => expect(causeOf(why)).toBe(cause))
})
