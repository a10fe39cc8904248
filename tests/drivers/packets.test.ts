import type { PacketRow } from '@/model/troubleshooting/request'
import { type Packet, packetReader, pcapOf } from '@/server/drivers/tools/packets'

// As tcpdump 4.99 prints with -nn -tt -e -xx.

function read(text: string) {
  const packets: Packet[] = []
  const lines: string[] = []
  const reader = packetReader(
    one => packets.push(one),
    line => lines.push(line),
  )
  for (const line of text.split('\n')) reader.take(line)
  reader.end()
  return { packets, lines, dropped: reader.dropped() }
}
const rows = (text: string): PacketRow[] => read(text).packets.map(one => one.row)

const arp = `listening on eth0, link-type EN10MB (Ethernet), snapshot length 256 bytes
1700000000.000123 02:00:5e:10:00:03 > ff:ff:ff:ff:ff:ff, ethertype ARP (0x0806), length 42: Request who-has 10.77.0.1 tell 10.77.0.3, length 28
	0x0000:  ffff ffff ffff 0200 5e10 0003 0806 0001
	0x0010:  0800 0604 0001 0200 5e10 0003 0a4d 0003
	0x0020:  0000 0000 0000 0a4d 0001`
const udp = `1700000001.5 not a packet
1700000001.500000 02:00:5e:10:00:03 > 02:00:5e:10:00:01, ethertype IPv4 (0x0800), length 75: 10.77.0.3.40000 > 10.77.0.1.53: 1+ A? a.test. (24)
	0x0000:  0200 5e10 0001 0200 5e10 0003 0800 4500
	0x0010:  003d 0000 4000 4011 0000 0a4d 0003 0a4d
	0x0020:  0001 9c40 0035 0029 0000
2 packets captured
2 packets received by filter
7 packets dropped by kernel`

test('rows tell time, ends, protocol, the length on the wire and what tcpdump says of it', () => {
  const { packets, lines, dropped } = read(`${arp}\n${udp}`)
  expect(packets.map(one => one.row)).toEqual([
    {
      ...{ at: 1_700_000_000_000.123, source: '10.77.0.3', destination: '10.77.0.1', protocol: 'ARP', length: 42 },
      info: 'Request who-has 10.77.0.1 tell 10.77.0.3, length 28',
    },
    {
      ...{ at: 1_700_000_001_500, source: '10.77.0.3:40000', destination: '10.77.0.1:53', protocol: 'UDP', length: 75 },
      info: '1+ A? a.test. (24)',
    },
  ])
  expect(lines[1]).toBe('1700000001.5 not a packet')
  expect(dropped).toBe(7)
})

test('the file: its head, and each packet with its time, both lengths and its bytes', () => {
  const { packets } = read(`${arp}\n${udp}`)
  const file = pcapOf(
    packets[0]?.link ?? -1,
    packets.map(one => one.record),
  )
  expect(file.subarray(0, 24).toString('hex')).toBe('d4c3b2a1020004000000000000000000ffff000001000000')
  const second = file.subarray(24 + 16 + 42)
  expect([0, 4, 8, 12].map(at => second.readUInt32LE(at))).toEqual([1_700_000_001, 500_000, 42, 75])
  expect(second.length).toBe(16 + 42)
})

test('all interfaces (Linux cooked), IPv6, and a VLAN tag', () => {
  const cooked = `listening on any, link-type LINUX_SLL2 (Linux cooked v2), snapshot length 256 bytes
1700000000.000000 eth0  In  ifindex 2 02:00:5e:10:00:01 ethertype IPv6 (0x86dd), length 76: fe80::1.546 > ff02::1:2.547: dhcp6 solicit
	0x0000:  86dd 0000 0000 0002 0001 0006 0200 5e10
	0x0010:  0001 0000 6000 0000 0008 1101 fe80 0000
	0x0020:  0000 0000 0000 0000 0000 0001 ff02 0000
	0x0030:  0000 0000 0000 0000 0001 0002 0222 0223
	0x0040:  0008 0000`
  expect(read(cooked).packets[0]?.link).toBe(276)
  expect(rows(cooked)[0]).toMatchObject({
    ...{ source: '[fe80::1]:546', destination: '[ff02::1:2]:547', protocol: 'UDP', length: 76 },
    info: 'dhcp6 solicit',
  })
  const tagged = `1700000000.000000 02:00:5e:10:00:03 > 02:00:5e:10:00:01, ethertype 802.1Q (0x8100), length 102: vlan 20, p 0, ethertype IPv4 (0x0800), 10.77.0.3 > 10.77.0.1: ICMP echo request, id 1, seq 1, length 64
	0x0000:  0200 5e10 0001 0200 5e10 0003 8100 0014
	0x0010:  0800 4500 0054 0000 4000 4001 0000 0a4d
	0x0020:  0003 0a4d 0001`
  expect(rows(tagged)[0]).toMatchObject({
    ...{ source: '10.77.0.3', destination: '10.77.0.1', protocol: 'ICMP', length: 102 },
  })
})

test('cut short, or of a link that it does not know, a packet is listed with what is known', () => {
  const short = `1700000000.000000 02:00:5e:10:00:03 > 02:00:5e:10:00:01, ethertype IPv4 (0x0800), length 98: [|ip]
	0x0000:  0200 5e10 0001 0200 5e10 0003 0800 4500`
  expect(rows(short)[0]).toMatchObject({
    ...{ source: '02:00:5e:10:00:03', destination: '02:00:5e:10:00:01', protocol: 'IPv4', length: 98 },
  })
  const unknown = `listening on usb0, link-type USB_LINUX (USB)\n1700000000.000000 something\n\t0x0000:  0200`
  expect(rows(unknown)[0]).toMatchObject({ source: '', destination: '', length: 2, info: 'something' })
})
