import type { PacketRow } from '@/model/troubleshooting/request'
import { clean } from '../unix/text'

// What tcpdump prints of packets (`-tt -e -xx`), back into packets: rows to list, and the bytes for a pcap file. So nothing
// is written on the device, and nothing has to be fetched from it.

/** Numbers of link types in pcap files, by tcpdump's names: https://www.tcpdump.org/linktypes.html. */
const linkTypes: Readonly<Record<string, number>> = {
  ...{ NULL: 0, EN10MB: 1, PPP: 9, RAW: 101, IEEE802_11: 105, LOOP: 108, LINUX_SLL: 113 },
  ...{ IEEE802_11_RADIO: 127, IPV4: 228, IPV6: 229, LINUX_SLL2: 276 },
}

export type Packet = { row: PacketRow; link: number; record: Uint8Array }

/** Where the network's header begins, and its Ethernet type; undefined where the link is of another kind or the packet too short. */
function network(link: number, data: Buffer): { type: number; at: number } | undefined {
  const version = (data[0] ?? 0) >> 4
  if (link === linkTypes.RAW || link === linkTypes.IPV4 || link === linkTypes.IPV6)
    return { type: version === 6 ? 0x86dd : 0x0800, at: 0 }
  if (link === linkTypes.LINUX_SLL && data.length >= 16) return { type: data.readUInt16BE(14), at: 16 }
  if (link === linkTypes.LINUX_SLL2 && data.length >= 20) return { type: data.readUInt16BE(0), at: 20 }
  if (link !== linkTypes.EN10MB || data.length < 14) return undefined
  let [type, at] = [data.readUInt16BE(12), 14]
  // Tags of VLANs.
  while ((type === 0x8100 || type === 0x88a8) && data.length >= at + 4) [type, at] = [data.readUInt16BE(at + 2), at + 4]
  return { type, at }
}

const ipv4 = (data: Buffer, at: number) => [...data.subarray(at, at + 4)].join('.')

function ipv6(data: Buffer, at: number): string {
  const groups = Array.from({ length: 8 }, (_, index) => data.readUInt16BE(at + index * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

const mac = (data: Buffer, at: number) =>
  [...data.subarray(at, at + 6)].map(one => one.toString(16).padStart(2, '0')).join(':')

const protocols: Readonly<Record<number, string>> = {
  ...{
    1: 'ICMP',
    2: 'IGMP',
    6: 'TCP',
    17: 'UDP',
    47: 'GRE',
    50: 'ESP',
    58: 'ICMPv6',
    89: 'OSPF',
    112: 'VRRP',
    132: 'SCTP',
  },
}
const withPorts = new Set([6, 17, 132])
const types: Readonly<Record<number, string>> = {
  2048: 'IPv4',
  2054: 'ARP',
  34525: 'IPv6',
  35020: 'LLDP',
  34958: 'EAPOL',
}

type Ends = Pick<PacketRow, 'source' | 'destination' | 'protocol'>

function ofIp(data: Buffer, at: number, type: number): Ends | undefined {
  const isSix = type === 0x86dd
  if (data.length < at + (isSix ? 40 : 20)) return undefined
  const next = data[at + (isSix ? 6 : 9)] ?? 0
  const body = at + (isSix ? 40 : ((data[at] ?? 0) & 15) * 4)
  const [from, to] = isSix ? [ipv6(data, at + 8), ipv6(data, at + 24)] : [ipv4(data, at + 12), ipv4(data, at + 16)]
  // Only the first part of a packet that was cut in parts has ports.
  const isPart = !isSix && (data.readUInt16BE(at + 6) & 0x1fff) > 0
  const has = withPorts.has(next) && !isPart && data.length >= body + 4
  const end = (address: string, offset: number) =>
    has ? `${isSix ? `[${address}]` : address}:${data.readUInt16BE(body + offset)}` : address
  return { source: end(from, 0), destination: end(to, 2), protocol: protocols[next] ?? `IP ${next}` }
}

/** Between whom a packet goes; empty where the link does not tell. */
export function endsOf(link: number, data: Buffer): Ends {
  const found = network(link, data)
  const known = found && types[found.type]
  const protocol = known ?? (found && found.type >= 0x600 ? `0x${found.type.toString(16)}` : '')
  if (found && (known === 'IPv4' || known === 'IPv6')) {
    const ends = ofIp(data, found.at, found.type)
    if (ends) return ends
  }
  if (found && known === 'ARP' && data.length >= found.at + 28)
    return { source: ipv4(data, found.at + 14), destination: ipv4(data, found.at + 24), protocol }
  if (link !== linkTypes.EN10MB || data.length < 12) return { source: '', destination: '', protocol }
  return { source: mac(data, 6), destination: mac(data, 0), protocol }
}

function recordOf(seconds: number, micros: number, data: Buffer, length: number): Uint8Array {
  const head = Buffer.alloc(16)
  for (const [at, value] of [seconds, micros, data.length, length].entries()) head.writeUInt32LE(value, at * 4)
  return Buffer.concat([head, data])
}

/** A pcap file (version 2.4, microseconds). */
export function pcapOf(link: number, records: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(24)
  head.writeUInt32LE(0xa1b2c3d4, 0)
  head.writeUInt16LE(2, 4)
  head.writeUInt16LE(4, 6)
  head.writeUInt32LE(65_535, 16)
  head.writeUInt32LE(link, 20)
  return Buffer.concat([head, ...records])
}

const summary = /^(\d{9,10})\.(\d{6}) (.*)$/
const bytesLine = /^\t0x[0-9a-f]{4,5}: {2}((?:[0-9a-f]{2,4} ?){1,8})/
const linkLine = /link-type (\w+)/
const infoCharacters = 200

type Open = { seconds: number; micros: number; text: string; hex: string }

/** Reads tcpdump line by line; `packet` hears of each that is whole, `other` of every line that is no part of one. */
export function packetReader(packet: (packet: Packet) => void, other: (line: string) => void) {
  let link = 1
  let dropped: number | undefined
  let open: Open | undefined
  const close = () => {
    if (!open) return
    const { seconds, micros, text, hex } = open
    open = undefined
    const data = Buffer.from(hex, 'hex')
    const [, told, rest = text] = /,? ?\blength (\d+): (.*)$/.exec(text) ?? []
    const length = Math.max(Number(told ?? 0), data.length)
    const info = rest.replace(/^\S+ > \S+: /, '')
    const row = {
      at: seconds * 1000 + micros / 1000,
      ...endsOf(link, data),
      length,
      info: clean(info, infoCharacters) ?? '',
    }
    packet({ row, link, record: recordOf(seconds, micros, data, length) })
  }
  return {
    take(line: string): void {
      const bytes = open && bytesLine.exec(line)
      if (open && bytes) {
        open.hex += (bytes[1] ?? '').replaceAll(' ', '')
        return
      }
      close()
      const [, seconds, micros, text = ''] = summary.exec(line) ?? []
      if (seconds !== undefined) {
        open = { seconds: Number(seconds), micros: Number(micros), text, hex: '' }
        return
      }
      link = linkTypes[linkLine.exec(line)?.[1] ?? ''] ?? link
      const lost = /^(\d+) packets? dropped by kernel/.exec(line)?.[1]
      if (lost !== undefined) dropped = Number(lost)
      if (line.trim()) other(line)
    },
    /** The last one is whole when nothing follows it. */
    end: close,
    dropped: () => dropped,
  }
}
