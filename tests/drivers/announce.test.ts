import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Announcement, announcementLimits } from '@/server/drivers/announce/announcement'
import { announcements, type SegmentQuestion, segmentQuestions } from '@/server/drivers/announce/listen'
import { mdnsQuestion, readMdns } from '@/server/drivers/announce/mdns'
import { readSsdp, ssdpQuestion } from '@/server/drivers/announce/ssdp'
import { readWsDiscovery, wsDiscoveryQuestion } from '@/server/drivers/announce/ws-discovery'
import { fc } from '../_property'

// What devices say of themselves, by real sockets, and what hostile ones send: it may tell nothing, and never harms.

const never = new AbortController().signal
const ends: (() => unknown)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const name = (text: string) =>
  Buffer.concat([
    ...text.split('|').map(label => Buffer.concat([Buffer.from([Buffer.byteLength(label)]), Buffer.from(label)])),
    Buffer.from([0]),
  ])
const record = (of: Buffer, type: number, data: Buffer) =>
  Buffer.concat([of, u16(type), u16(1), Buffer.alloc(4), u16(data.length), data])
const texts = (...each: string[]) =>
  Buffer.concat(each.map(text => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])))
/** An answer of these records; the numbers of its head as told. */
const answer = (records: Buffer[], answers = records.length, questions = 0) =>
  Buffer.concat([u16(0), u16(0x8400), u16(questions), u16(answers), u16(0), u16(0), ...records])

const ipp = '_ipp|_tcp|local'
const printer = answer([
  record(name(ipp), 12, name(`Laser, hall|${ipp}`)),
  record(name(`Laser, hall|${ipp}`), 33, Buffer.concat([Buffer.alloc(6), name('BRW0080|local')])),
  record(name(`Laser, hall|${ipp}`), 16, texts('txtvers=1', 'ty=Brother HL-L2350DW', 'note=')),
])

describe('mDNS', () => {
  test('a printer says its name, its model and what it offers', () => {
    expect(readMdns(printer)).toEqual({ name: 'Laser, hall', model: 'Brother HL-L2350DW', services: ['ipp'] })
  })

  test('a name that points back to one before it is the same name', () => {
    const back = Buffer.concat([Buffer.from([4]), Buffer.from('Yard'), Buffer.from([0xc0, 12])])
    expect(readMdns(answer([record(name(ipp), 12, back)]))).toEqual({ name: 'Yard', services: ['ipp'] })
  })

  test('speakers and workstations are called without their MAC', () => {
    const raop = '_raop|_tcp|local'
    const workstation = '_workstation|_tcp|local'
    expect(readMdns(answer([record(name(raop), 12, name(`AABBCCDDEEFF@Hall|${raop}`))]))?.name).toBe('Hall')
    const desk = `desk [aa:bb:cc:dd:ee:ff]|${workstation}`
    expect(readMdns(answer([record(name(workstation), 12, name(desk))]))?.name).toBe('desk')
  })

  test('a television is called what its owner called it, and what it runs is no name', () => {
    const cast = '_googlecast|_tcp|local'
    const said = answer([
      record(name(cast), 12, name(`Chromecast-abc|${cast}`)),
      record(name(`Chromecast-abc|${cast}`), 16, texts('md=Chromecast', 'fn=Living\u0007 room\u202e')),
    ])
    expect(readMdns(said)).toEqual({ name: 'Living room', model: 'Chromecast', services: ['googlecast'] })
  })

  test.each<[string, Buffer]>([
    ['a question, not an answer', mdnsQuestion()],
    ['a name that points to itself', answer([record(Buffer.from([0xc0, 12]), 12, name('x'))])],
    ['a name that points forwards', answer([record(Buffer.from([0xc0, 40]), 12, name('x'))])],
    ['two names that point at each other', answer([record(Buffer.from([1, 65, 0xc0, 16, 0xc0, 12]), 12, name('x'))])],
    ['a label that goes on after the end', answer([Buffer.from([63, 65])])],
    ['a name of 300 bytes', answer([record(name('a'.repeat(60).concat('|').repeat(5).slice(0, -1)), 12, name('x'))])],
    ['more records than there are', answer([], 65_535)],
    ['more questions than there are', answer([], 0, 65_535)],
    [
      'a record longer than the packet',
      answer([Buffer.concat([name('x'), u16(12), u16(1), Buffer.alloc(4), u16(999)])]),
    ],
    ['more than a packet may have', Buffer.concat([printer, Buffer.alloc(announcementLimits.packetBytes)])],
    ['nothing', Buffer.alloc(0)],
  ])('%s tells nothing', (_, packet) => expect(readMdns(packet)).toBeUndefined())

  test('ten thousand pointers to one long name are read within their bound', () => {
    const long = name(Array(4).fill('a'.repeat(60)).join('|'))
    const short = record(Buffer.from([0xc0, 12]), 16, Buffer.alloc(0))
    const packet = answer([record(long, 16, Buffer.alloc(0)), ...Array(690).fill(short)])
    expect(packet.length).toBeLessThanOrEqual(announcementLimits.packetBytes)
    expect(readMdns(packet)).toEqual({ services: [] })
  })

  test('long texts and many services are cut', () => {
    const many = Array.from({ length: 60 }, (_, n) => `_s${n}|_tcp|local`)
    const said = readMdns(answer(many.map(one => record(name(one), 12, name(`${'n'.repeat(63)}|${one}`)))))
    expect(said?.services).toHaveLength(announcementLimits.services)
    expect(said?.name?.length).toBeLessThanOrEqual(announcementLimits.text)
  })
})

test('SSDP: the kind of device is told; what is no answer is not', () => {
  const said = (st: string) =>
    readSsdp(Buffer.from(`HTTP/1.1 200 OK\r\nLOCATION: http://10.0.0.1/x\r\nST: ${st}\r\n\r\n`))
  expect(said('urn:schemas-upnp-org:device:InternetGatewayDevice:1')).toEqual({
    services: ['upnp:InternetGatewayDevice'],
  })
  expect(said('upnp:rootdevice')).toEqual({ services: [] })
  expect(said(`urn:schemas-upnp-org:device:${'x'.repeat(500)}:1`)).toEqual({ services: [] })
  expect(readSsdp(ssdpQuestion())).toBeUndefined()
  expect(readSsdp(Buffer.from('HTTP/1.1 500 no\r\nST: urn:schemas-upnp-org:device:Printer:1\r\n'))).toBeUndefined()
})

test('WS-Discovery: a camera says its name and model, a computer what it is', () => {
  const match = (types: string, scopes = '') =>
    readWsDiscovery(
      Buffer.from(
        `<e:Envelope xmlns:d="x"><e:Body><d:ProbeMatches><d:ProbeMatch><d:Types>${types}</d:Types><d:Scopes>${scopes}</d:Scopes></d:ProbeMatch></d:ProbeMatches></e:Body></e:Envelope>`,
      ),
    )
  const scopes = 'onvif://www.onvif.org/hardware/P3245-V onvif://www.onvif.org/name/Yard%20west'
  expect(match('dn:NetworkVideoTransmitter tds:Device', scopes)).toEqual({
    name: 'Yard west',
    model: 'P3245-V',
    services: ['wsd:NetworkVideoTransmitter', 'wsd:Device'],
  })
  expect(match('wsdp:Device pub:Computer')).toEqual({ services: ['wsd:Device', 'wsd:Computer'] })
  expect(match('x', 'onvif://www.onvif.org/name/%E0%A4%A')?.name).toBe('%E0%A4%A')
  expect(match('', `${'<'.repeat(3000)}`)).toEqual({ services: [] })
  expect(readWsDiscovery(wsDiscoveryQuestion('x'))).toBeUndefined()
})

test('whatever bytes come, reading ends and answers stay within their bounds (fuzzed)', () => {
  const bounded = (said: Announcement | undefined) =>
    !said ||
    (said.services.length <= announcementLimits.services &&
      [said.name, said.model].every(text => (text?.length ?? 0) <= announcementLimits.text))
  const bytes = fc.uint8Array({ maxLength: 600 })
  const cut = fc.record({ at: fc.nat(printer.length - 1), byte: fc.nat(255) })
  fc.assert(
    fc.property(bytes, fc.array(cut, { maxLength: 8 }), (noise, changes) => {
      const bent = Buffer.from(printer)
      for (const { at, byte } of changes) bent[at] = byte
      const heads = [Buffer.from(noise), Buffer.concat([answer([], 40), Buffer.from(noise)]), bent]
      for (const packet of heads)
        for (const read of [readMdns, readSsdp, readWsDiscovery]) expect(bounded(read(packet))).toBe(true)
    }),
  )
})

/** Somebody on the loopback who answers a question as told. */
async function somebody(address: string, serve: (socket: Socket, port: number, from: string) => void) {
  const socket = createSocket('udp4')
  ends.push(() => socket.close())
  socket.on('message', (_, from) => serve(socket, from.port, from.address))
  socket.bind(0, address)
  await once(socket, 'listening')
  return (socket.address() as AddressInfo).port
}
const byMdns = (port: number, group = '127.0.0.9'): SegmentQuestion[] => [
  { group, port, packet: mdnsQuestion(), read: readMdns },
]
const listening = { from: ['127.0.0.1'], milliseconds: 400, signal: never }

test('answers are told of who sends them, and of those alone who were asked for', async () => {
  const port = await somebody('127.0.0.9', (socket, to, at) => socket.send(printer, to, at))
  const wanted = new Set(['127.0.0.9'])
  const heard = await announcements({ ...listening, wanted, questions: byMdns(port) })
  expect([...heard]).toEqual([['127.0.0.9', { name: 'Laser, hall', model: 'Brother HL-L2350DW', services: ['ipp'] }]])
  expect(await announcements({ ...listening, wanted: new Set(), questions: byMdns(port) })).toEqual(new Map())
})

test('who sends without end is listened to for its share', async () => {
  let read = 0
  const port = await somebody('127.0.0.9', (socket, to, at) => {
    for (let n = 0; n < 500; n++) socket.send(printer, to, at)
  })
  const [question] = byMdns(port)
  const count = (packet: Buffer) => {
    read++
    return readMdns(packet)
  }
  const counting = { ...(question as SegmentQuestion), read: count }
  await announcements({ ...listening, wanted: new Set(['127.0.0.9']), questions: [counting] })
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThanOrEqual(64)
})

test('an address that is not this machine’s, or a listener that is stopped, ends and tells nothing', async () => {
  const questions = segmentQuestions()
  expect(await announcements({ ...listening, from: ['192.0.2.1'], wanted: new Set(), questions })).toEqual(new Map())
  const stopped = AbortSignal.abort()
  expect(await announcements({ ...listening, signal: stopped, wanted: new Set(), questions })).toEqual(new Map())
})
