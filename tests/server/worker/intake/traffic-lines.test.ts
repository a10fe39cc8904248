// What a gateway says of its clients' traffic, with lines that somebody made up to mislead.
import { natPairs } from '@/server/worker/intake/nat-pairs'
import { readLine } from '@/server/worker/intake/syslog-line'
import { readConnection, readLookup } from '@/server/worker/intake/traffic-lines'
import { hostileTexts } from '../../../soak/hostile-input'

const line = (text: string) => readLine(Buffer.from(text)) ?? { tag: '', text: '' }
const lookup = (text: string) => readLookup(line(text))
const connection = (text: string) => readConnection(line(text))

describe('names that clients look up', () => {
  const head = '<30>Nov 30 06:00:00 gw dnsmasq[1234]: '
  test.each([
    ['12 192.168.1.23/51234 query[A] example.com from 192.168.1.23', 'example.com', 'A', '192.168.1.23', 51_234],
    ['13 192.168.1.23/5 query[AAAA] Example.COM from 192.168.1.23', 'example.com', 'AAAA', '192.168.1.23', 5],
    ['14 192.168.1.23/5 query[type=65] x.test from 192.168.1.23', 'x.test', 'TYPE=65', '192.168.1.23', 5],
    ['15 FD00::1/53 query[HTTPS] x.test from fd00::1', 'x.test', 'HTTPS', 'fd00::1', 53],
    ['16 fe80::1%br-lan/53 query[A] x.test from fe80::1%br-lan', 'x.test', 'A', 'fe80::1', 53],
    // A client chooses the name, and cannot speak for another by it.
    ['17 10.0.0.9/53 query[A] a.test from 10.0.0.1 from 10.0.0.9', 'a.test from 10.0.0.1', 'A', '10.0.0.9', 53],
    ['18 10.0.0.9/53 query[A] a\u0007\u0000b.test from 10.0.0.9', 'a  b.test', 'A', '10.0.0.9', 53],
    ['19 10.0.0.9/53 query[A] =cmd|calc!A0 from 10.0.0.9', '=cmd|calc!a0', 'A', '10.0.0.9', 53],
  ])('%j is a record', (text, name, type, client, port) => {
    expect(lookup(head + text)).toEqual({ name, type, client, port })
  })

  test.each([
    '12 192.168.1.23/51234 forwarded example.com to 9.9.9.9',
    '12 192.168.1.23/51234 reply example.com is 192.0.2.1',
    '12 192.168.1.23/51234 cached example.com is 192.0.2.1',
    '12 192.168.1.23/51234 config router.lan is 192.168.1.1',
    '12 192.168.1.23/51234 reply query[A] a.test from 192.168.1.23',
    '12 127.0.0.1/51234 query[A] pool.ntp.org from 127.0.0.1',
    '12 192.168.1.23/51234 query[A] example.com from 192.168.1.24',
    '12 192.168.1.23/99999 query[A] example.com from 192.168.1.23',
  ])('%j is none, and no line of the log', text => {
    expect(lookup(head + text)).toBe('other')
  })

  test.each([
    `${head}started, version 2.90 cachesize 1000`,
    `${head}read /etc/hosts - 9 names`,
    `${head}query[A] example.com from 192.168.1.23`,
    `${head}12 999.168.1.23/5 query[A] example.com from 999.168.1.23`,
    `${head}12 192.168.1.23 query[A] example.com from 192.168.1.23`,
    '<30>Nov 30 06:00:00 gw dnsmasq-dhcp[1]: 12 192.168.1.23/5 DHCPACK',
    '<30>Nov 30 06:00:00 gw sshd[1]: 12 192.168.1.23/5 query[A] example.com from 192.168.1.23',
    '<30>Nov 30 06:00:00 gw dnsmasq[x y]: 12 192.168.1.23/5 query[A] example.com from 192.168.1.23',
  ])('%j is an ordinary line', text => {
    expect(lookup(text)).toBeUndefined()
  })

  test('a name without end is kept as far as a name can be', () => {
    const found = lookup(`${head}1 10.0.0.9/53 query[A] ${'a'.repeat(60_000)} from 10.0.0.9`)
    // Of a longer line than is kept nobody knows the end.
    expect(found).toBe('other')
    expect(lookup(`${head}1 10.0.0.9/53 query[A] ${'a'.repeat(5000)} from 10.0.0.9`)).toMatchObject({
      name: 'a'.repeat(255),
    })
  })
})

describe('lines of connections', () => {
  const head = '<4>Nov 30 06:00:00 gw kernel: [ 1234.567890] '
  const inside = 'IN=br-lan OUT=eth1 MAC=02:00 SRC=192.168.1.23 DST=192.0.2.7'
  const rest = 'LEN=60 TOS=0x00 PREC=0x00 TTL=63'
  test('TCP, without the kernel’s clock, and ICMP, whose own number is none of the packet', () => {
    expect(
      connection(`${head}lanward-nat-in ${inside} ${rest} ID=4711 DF PROTO=TCP SPT=40000 DPT=443 SEQ=99 SYN `),
    ).toEqual({
      ...{ side: 'in', source: '192.168.1.23', sourcePort: 40_000, target: '192.0.2.7', targetPort: 443 },
      ...{ protocol: 'TCP', packet: '4711 99' },
    })
    expect(
      connection(
        `<4>gw kernel: lanward-nat-out IN= OUT=eth1 SRC=203.0.113.5 DST=192.0.2.7 ID=9 PROTO=ICMP TYPE=8 ID=77 SEQ=1`,
      ),
    ).toEqual({ side: 'out', source: '203.0.113.5', target: '192.0.2.7', protocol: 'ICMP', packet: '9' })
    expect(connection(`${head}lanward-nat-in IN=a OUT=b SRC=FD00::1 DST=2001:DB8::2 PROTO=UDP SPT=1 DPT=2`)).toEqual({
      ...{ side: 'in', source: 'fd00::1', sourcePort: 1, target: '2001:db8::2', targetPort: 2 },
      protocol: 'UDP',
    })
  })

  test('the first of each word counts: an error’s inner packet, and what somebody adds, change nothing', () => {
    const text = `${inside} ID=1 PROTO=ICMP TYPE=3 CODE=3 [SRC=10.9.9.9 DST=10.8.8.8 ID=5 PROTO=UDP SPT=1 DPT=2 ] SRC=10.7.7.7`
    expect(connection(`${head}lanward-nat-in ${text}`)).toMatchObject({
      ...{ source: '192.168.1.23', target: '192.0.2.7', protocol: 'ICMP', packet: '1' },
    })
  })

  test.each([
    `${head}lanward-nat-in IN=a OUT=b`,
    `${head}lanward-nat-in ${inside} PROTO=`,
    `${head}lanward-nat-out IN= SRC=300.1.1.1 DST=192.0.2.7 PROTO=TCP`,
    `${head}lanward-nat-in ${inside} PROTO=<script>`,
  ])('%j bears the mark and is nothing', text => {
    expect(connection(text)).toBe('other')
  })

  test.each([
    `${head}device eth0 entered promiscuous mode`,
    `${head}x lanward-nat-in ${inside} PROTO=TCP`,
    `${head}lanward-nat-sideways ${inside} PROTO=TCP`,
    `<4>Nov 30 06:00:00 gw evil[1]: lanward-nat-in ${inside} PROTO=TCP`,
  ])('%j is an ordinary line', text => {
    expect(connection(text)).toBeUndefined()
  })

  test('whatever somebody sends is a line, a record or nothing, and never an error', () => {
    for (const text of hostileTexts)
      for (const before of [`${head}lanward-nat-in `, '<30>gw dnsmasq[1]: 1 10.0.0.9/53 query[A] ', ''])
        for (const after of ['', ' from 10.0.0.9', ' SRC=1.1.1.1 DST=2.2.2.2 PROTO=TCP']) {
          const said = line(before + text + after)
          const found = [readLookup(said), readConnection(said)].filter(one => typeof one === 'object')
          expect(JSON.stringify(found).length).toBeLessThan(2500)
        }
  })
})

test('as rsyslog of Debian 12 sent them, by kernel 6.18 and dnsmasq 2.90', () => {
  const at = '<7>Nov 30 06:22:09 vm kernel: [  938.894633] '
  const mac = 'MAC=72:fa:47:d9:23:25:e2:6d:0a:2d:19:e2:08:00'
  const rest =
    'DST=203.0.113.1 LEN=60 TOS=0x00 PREC=0x00 TTL=63 ID=16319 DF PROTO=TCP SPT=43590 DPT=80 SEQ=3794596758 ACK=0 WINDOW=64240 RES=0x00 SYN URGP=0 MARK=0x80000000 '
  const known = {
    sourcePort: 43_590,
    target: '203.0.113.1',
    targetPort: 80,
    protocol: 'TCP',
    packet: '16319 3794596758',
  }
  expect(connection(`${at}lanward-nat-in IN=lan OUT=wan ${mac} SRC=192.168.1.23 ${rest}`)).toEqual({
    ...{ side: 'in', source: '192.168.1.23', ...known },
  })
  expect(connection(`${at}lanward-nat-out IN=lan OUT=wan ${mac} SRC=203.0.113.2 ${rest}`)).toEqual({
    ...{ side: 'out', source: '203.0.113.2', ...known },
  })
  const one =
    '<30>1 2026-11-30T06:22:09.123456+00:00 gw dnsmasq 17389 - -  1 192.168.1.23/53136 query[A] x.test from 192.168.1.23'
  expect(lookup(one)).toEqual({ client: '192.168.1.23', port: 53_136, name: 'x.test', type: 'A' })
  expect(
    lookup('<30>Nov 30 06:22:09 vm dnsmasq[17389]: 3 10.0.0.9/33067 query[HTTPS] a b|c.example.com from 10.0.0.9'),
  ).toEqual({
    ...{ client: '10.0.0.9', port: 33_067, name: 'a b|c.example.com', type: 'HTTPS' },
  })
})

describe('two lines are one connection', () => {
  type Half = Parameters<ReturnType<typeof natPairs>['see']>[0]
  const half = (side: 'in' | 'out', more: Partial<Half> = {}): Half => ({
    ...{ side, source: side === 'in' ? '192.168.1.23' : '203.0.113.5', sourcePort: 40_000 },
    ...{ target: '192.0.2.7', targetPort: 443, protocol: 'TCP', packet: '7', ...more },
  })
  const whole = {
    ...{ client: '192.168.1.23', port: 40_000, outer: '203.0.113.5', outerPort: 40_000 },
    ...{ target: '192.0.2.7', targetPort: 443, protocol: 'TCP' },
  }
  let found: [object, number, number][]
  let pairs: ReturnType<typeof natPairs>
  beforeEach(() => {
    found = []
    pairs = natPairs((...one) => found.push(one))
  })

  test('in either order, with another port outside, at the time of the first', () => {
    pairs.see(half('in'), 1, 1000)
    pairs.see(half('out', { sourcePort: 1025 }), 1, 1004)
    pairs.see(half('out', { packet: '8' }), 1, 1010)
    pairs.see(half('in', { packet: '8' }), 1, 1012)
    expect(found).toEqual([
      [{ ...whole, outerPort: 1025 }, 1, 1000],
      [whole, 1, 1010],
    ])
  })

  test('never of two packets, two devices or two targets', () => {
    pairs.see(half('in'), 1, 1000)
    pairs.see(half('out', { packet: '8' }), 1, 1000)
    pairs.see(half('out'), 2, 1000)
    pairs.see(half('out', { targetPort: 80 }), 1, 1000)
    expect(found).toEqual([])
  })

  test('where packets are not numbered, the one of the same port, else the oldest', () => {
    const bare = { packet: undefined, protocol: 'UDP' }
    pairs.see(half('in', { ...bare, sourcePort: 1 }), 1, 1000)
    pairs.see(half('in', { ...bare, sourcePort: 2 }), 1, 1001)
    pairs.see(half('out', { ...bare, sourcePort: 2 }), 1, 1002)
    pairs.see(half('out', { ...bare, sourcePort: 9 }), 1, 1003)
    expect(found.map(([one]) => one)).toEqual([
      expect.objectContaining({ port: 2, outerPort: 2 }),
      expect.objectContaining({ port: 1, outerPort: 9 }),
    ])
  })

  test('a first line whose second is lost is kept without what is not known; a second one alone is the gateway’s own', () => {
    pairs.see(half('in'), 1, 1000)
    pairs.see(half('out', { target: '192.0.2.8' }), 1, 1000)
    pairs.settle(2999)
    expect(found).toEqual([])
    pairs.settle(3000)
    const { outer: _, outerPort: __, ...known } = whole
    expect(found).toEqual([[known, 1, 1000]])
    pairs.end()
    expect(found).toHaveLength(1)
  })

  test('a flood waits in bounded memory, and each of its connections is there once', () => {
    for (let at = 0; at < 20_000; at++) pairs.see(half('in', { packet: String(at + 1) }), 1, 1000)
    // Of those that look for the same, at most so many wait.
    expect(found).toHaveLength(20_000 - 64)
    for (let at = 0; at < 20_000; at++) pairs.see(half('in', { target: `t${at}` }), 2, 1000)
    expect(found.length).toBeGreaterThanOrEqual(40_000 - 4096)
    pairs.end()
    expect(found).toHaveLength(40_000)
  })
})
