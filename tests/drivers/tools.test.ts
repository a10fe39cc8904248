import type { RequestOf } from '@/model/troubleshooting/request'
import { refusedOf } from '@/server/drivers/tools/capture'
import { iperfReader } from '@/server/drivers/tools/iperf'
import {
  digAnswers,
  echoesOf,
  getentAnswers,
  hopOf,
  neighboursOf,
  nslookupAnswers,
  pingReader,
  pingTarget,
  stepOf,
} from '@/server/drivers/tools/parse'
import type { Vantage } from '@/server/drivers/vantage'

// What is read of programs of several systems, as they print it.

const read = (text: string) => {
  const reader = pingReader()
  for (const line of text.split('\n')) reader.take(line)
  return reader.figures()
}

const iputils = `PING 10.77.0.1 (10.77.0.1) 56(84) bytes of data.
64 bytes from 10.77.0.1: icmp_seq=1 ttl=64 time=0.100 ms
no answer yet for icmp_seq=2
64 bytes from 10.77.0.1: icmp_seq=3 ttl=64 time=0.300 ms
64 bytes from 10.77.0.1: icmp_seq=3 ttl=64 time=9.000 ms (DUP!)
From 10.77.0.9 icmp_seq=4 Destination Host Unreachable`
const busybox = `PING 192.168.1.1 (192.168.1.1): 56 data bytes
64 bytes from 192.168.1.1: seq=0 ttl=64 time=0.500 ms
64 bytes from 192.168.1.1: seq=2 ttl=64 time=1.500 ms

--- 192.168.1.1 ping statistics ---
4 packets transmitted, 2 packets received, 50% packet loss
round-trip min/avg/max = 0.500/1.000/1.500 ms`

test.each([
  ['iputils, so far', iputils, { sent: 4, received: 2, minMs: 0.1, avgMs: 0.2, maxMs: 0.3, jitterMs: 0.2 }],
  ['busybox, with its summary', busybox, { sent: 4, received: 2, minMs: 0.5, avgMs: 1, maxMs: 1.5, jitterMs: 1 }],
  ['nothing yet', 'PING 10.0.0.1 (10.0.0.1) 56(84) bytes of data.', { sent: 0, received: 0 }],
  ['nothing answered', '3 packets transmitted, 0 received, 100% packet loss, time 2040ms', { sent: 3, received: 0 }],
])('a ping in figures: %s', (_, text, figures) => expect(read(text)).toEqual(figures))

test('without an answer there is no time, not zero', () => {
  expect(echoesOf(3, [])).toEqual({ sent: 3, received: 0 })
})

test.each([
  ['PING gw.lan (192.168.1.1) 56(84) bytes of data.', '192.168.1.1'],
  ['PING gw.lan(2001:db8::1 (2001:db8::1)) 56 data bytes', '2001:db8::1'],
  ['PING 10.0.0.1 (10.0.0.1): 56 data bytes', '10.0.0.1'],
  ['ping: nobody: Name or service not known', undefined],
])('the address behind a name: %s', (text, address) => expect(pingTarget(text)).toBe(address))

test.each([
  ['From 10.0.0.1 icmp_seq=1 Time to live exceeded', { address: '10.0.0.1', reached: false, stopped: false }],
  [
    '64 bytes from 10.0.0.9: icmp_seq=1 ttl=63 time=1.23 ms',
    { address: '10.0.0.9', ms: 1.23, reached: true, stopped: false },
  ],
  ['From 10.0.0.1 icmp_seq=1 Destination Net Unreachable', { address: '10.0.0.1', reached: false, stopped: true }],
  ['1 packets transmitted, 0 received', { reached: false, stopped: false }],
])('a step on the way: %s', (text, step) => expect(stepOf(text)).toEqual(step))

test.each([
  [
    ' 1  192.168.1.1  0.345 ms',
    { hop: 1, address: '192.168.1.1', sent: 1, received: 1, minMs: 0.345, avgMs: 0.345, maxMs: 0.345 },
  ],
  [' 2  *', { hop: 2, sent: 1, received: 0 }],
  [
    '12  10.0.0.3  1.5 ms !N',
    { hop: 12, address: '10.0.0.3', sent: 1, received: 1, minMs: 1.5, avgMs: 1.5, maxMs: 1.5 },
  ],
  ['traceroute to 8.8.8.8 (8.8.8.8), 30 hops max, 46 byte packets', undefined],
])('a line of traceroute: %s', (line, hop) => expect(hopOf(line)).toEqual(hop))

test('neighbors, by ip and by /proc/net/arp; an entry without a MAC address has none', () => {
  expect(
    neighboursOf(`10.0.0.2 dev eth1 lladdr 02:00:5e:10:00:03 REACHABLE
10.0.0.7 dev eth1  FAILED
fe80::1 dev eth0 lladdr 02:00:5e:10:00:04 router STALE
nonsense`),
  ).toEqual([
    { address: '10.0.0.2', mac: '02:00:5e:10:00:03', interface: 'eth1', state: 'REACHABLE' },
    { address: '10.0.0.7', interface: 'eth1', state: 'FAILED' },
    { address: 'fe80::1', mac: '02:00:5e:10:00:04', interface: 'eth0', state: 'STALE' },
  ])
  expect(
    neighboursOf(`IP address       HW type     Flags       HW address            Mask     Device
192.168.1.2      0x1         0x2         02:00:5e:10:00:05     *        br-lan
192.168.1.3      0x1         0x0         00:00:00:00:00:00     *        br-lan`),
  ).toEqual([
    { address: '192.168.1.2', mac: '02:00:5e:10:00:05', interface: 'br-lan' },
    { address: '192.168.1.3', interface: 'br-lan' },
  ])
})

test('names, by dig, by the nslookup of bind and of busybox, and by getent', () => {
  expect(digAnswers('; comment\nwww.test.\t300\tIN\tCNAME\thost.test.\nhost.test. 300 IN A 10.0.0.1')).toEqual([
    'host.test',
    '10.0.0.1',
  ])
  expect(nslookupAnswers('Server:\t\t10.0.0.1\nAddress:\t10.0.0.1#53\n\nName:\twww.test\nAddress: 10.0.0.9\n')).toEqual(
    ['10.0.0.9'],
  )
  expect(
    nslookupAnswers(
      'Server:\t\t127.0.0.1\nAddress:\t127.0.0.1:53\n\nwww.test\tcanonical name = host.test\nName:\thost.test\nAddress: 10.0.0.9\n',
    ),
  ).toEqual(['host.test', '10.0.0.9'])
  expect(nslookupAnswers("Server:\t\t127.0.0.1\nAddress:\t127.0.0.1:53\n\n** server can't find x: NXDOMAIN")).toEqual(
    [],
  )
  expect(getentAnswers('10.0.0.1 STREAM www.test\n10.0.0.1 DGRAM\n10.0.0.1 RAW', false)).toEqual(['10.0.0.1'])
  expect(getentAnswers('10.0.0.1  www.test alias', true)).toEqual(['www.test'])
})

const iperf = (text: string) => {
  const reader = iperfReader()
  for (const line of text.split('\n')) reader.take(line)
  return reader.figures()
}

test('iperf3: each second, and the sums of the end that received; without a sum nothing is measured yet', () => {
  const seconds = `Connecting to host 10.77.0.1, port 5201
[  5] local 10.77.0.3 port 50002 connected to 10.77.0.1 port 5201
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec  115 MBytes  964690 Kbits/sec    0    400 KBytes
[  5]   1.00-2.00   sec  97.7 MBytes  819200 Kbits/sec    3    400 KBytes`
  expect(iperf(seconds)).toEqual({ rates: [964_690_000, 819_200_000] })
  const sums = `- - - - - - - - - - - - - - - - - - - - - - - - -
[  5]   0.00-2.00   sec  212.7 MBytes  891945 Kbits/sec    3             sender
[  5]   0.00-2.04   sec  1.50 GBytes  871404 Kbits/sec                  receiver

iperf Done.`
  expect(iperf(`${seconds}\n${sums}`)).toMatchObject({
    ...{ bps: 871_404_000, bytes: 1.5 * 1024 ** 3, seconds: 2.04, resent: 3 },
  })
  // Backwards there is no window to tell, and the receiver is this end.
  const back = '[  5]   0.00-1.00   sec  1000 KBytes  8192 Kbits/sec'
  expect(iperf(back)).toEqual({ rates: [8_192_000] })
})

// libpcap 1.10.5 warns about `any` first, where 1.10.3 said nothing.
const promiscuous = `tcpdump: WARNING: any: That device doesn't support promiscuous mode
(Promiscuous mode not supported on the "any" device)
`
test.each([
  [
    '',
    "tcpdump: can't parse filter expression: syntax error\n",
    'filter',
    "can't parse filter expression: syntax error",
  ],
  [promiscuous, 'tcpdump: illegal token: `\n', 'filter', 'illegal token: `'],
  ['', 'tcpdump: any: No such device exists\n', 'interface', 'any: No such device exists'],
])('%stcpdump refuses: %s', async (before, error, field, said) => {
  const vantage = { run: async () => ({ code: 1, text: before + error }) } as unknown as Vantage
  const request = { tool: 'capture', interface: 'any', filter: 'x' } as RequestOf<'capture'>
  expect(await refusedOf(vantage, request, AbortSignal.timeout(60_000))).toEqual({ field, said })
})
