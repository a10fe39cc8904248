import type { FieldError } from './field-errors'

/** IP addresses as numbers and back, segments, and the problems of rule P1 and N2: pure, without a dependency. */

/** A dotted quad as a number from 0 to 2^32-1; leading zeros are refused, since some systems read them as octal. */
export function ipv4Number(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || parts.some(part => !/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255))
    return undefined
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0)
}

export const ipv4Text = (value: number): string =>
  [24, 16, 8, 0].map(shift => Math.floor(value / 2 ** shift) % 256).join('.')

/** An IPv6 address as its eight groups; zones (`%eth0`) are refused. RFC 4291 section 2.2, the mixed form included. */
export function ipv6Groups(text: string): number[] | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const tail = dotted && ipv4Number(dotted[2] as string)
  if (dotted && tail === undefined) return undefined
  const plain = dotted
    ? `${dotted[1]}${Math.floor((tail as number) / 65_536).toString(16)}:${((tail as number) % 65_536).toString(16)}`
    : text
  const halves = plain.split('::')
  if (halves.length > 2) return undefined
  const [head, rest] = halves.map(half => (half === '' ? [] : half.split(':')))
  const written = [...(head ?? []), ...(rest ?? [])]
  if (written.some(group => !/^[0-9a-f]{1,4}$/i.test(group))) return undefined
  const missing = 8 - written.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...(head ?? []), ...Array<string>(Math.max(0, missing)).fill('0'), ...(rest ?? [])]
  return groups.map(group => Number.parseInt(group, 16))
}

/** A segment, or a host with its segment: `address` as written, `first` and `last` of the segment, both included. */
export type Segment4 = { address: number; prefix: number; first: number; last: number }

/** `192.168.1.5/24`; host bits are allowed here, see `cidr4Problem`. */
export function segment4(text: string): Segment4 | undefined {
  const [, dotted, bits] = /^([\d.]+)\/(\d{1,2})$/.exec(text) ?? []
  const address = ipv4Number(dotted ?? '')
  const prefix = Number(bits)
  if (address === undefined || prefix > 32 || bits !== String(prefix)) return undefined
  const size = 2 ** (32 - prefix)
  const first = Math.floor(address / size) * size
  return { address, prefix, first, last: first + size - 1 }
}

/** The segment of an address and a prefix length. Throws nothing: undefined for a wrong address. */
export const segmentOf = (address: string, prefix: number): Segment4 | undefined => segment4(`${address}/${prefix}`)
export const contains4 = (segment: Pick<Segment4, 'first' | 'last'>, address: number): boolean =>
  address >= segment.first && address <= segment.last
/** Whether two segments, or two ranges of addresses, ports or VLANs, share a value. */
export const overlap = (a: { first: number; last: number }, b: { first: number; last: number }): boolean =>
  a.first <= b.last && b.first <= a.last
/** Whether a host of the segment: not its own first (network) and last (broadcast) address. RFC 3021 for /31 and /32. */
export const isHostOf = (segment: Segment4, address: number): boolean =>
  contains4(segment, address) && (segment.prefix >= 31 || (address !== segment.first && address !== segment.last))
/** `255.255.255.0` of 24. */
export const mask4 = (prefix: number): string => ipv4Text(2 ** 32 - 2 ** (32 - prefix))
/** 24 of `255.255.255.0`; undefined when it is no mask. */
export function prefixOfMask(text: string): number | undefined {
  const number = ipv4Number(text)
  const bits = number === undefined ? '' : number.toString(2).padStart(32, '0')
  return /^1*0*$/.test(bits) && bits !== '' ? bits.replaceAll('0', '').length : undefined
}

const privateSegments = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(text => segment4(text) as Segment4)
/** Rule N2: the whole range lies in 10/8, 172.16/12 or 192.168/16. */
export const isPrivate4 = ({ first, last }: { first: number; last: number }): boolean =>
  privateSegments.some(one => contains4(one, first) && contains4(one, last))

// RFC 6890 (0/8, 127/8), RFC 5771 (224/4), RFC 1112 (240/4, the broadcast address in it).
const noHosts = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4'].map(text => segment4(text) as Segment4)

/** Rule P1: what a host can have. The problem's message key, or undefined. */
export function hostIpv4Problem(text: string): FieldError | undefined {
  const number = ipv4Number(text)
  if (number === undefined) return 'ipv4'
  return noHosts.some(one => contains4(one, number)) ? 'hostAddress' : undefined
}

/** Rule P1: no loopback, unspecified, multicast or IPv4-mapped address. */
export function hostIpv6Problem(text: string): FieldError | undefined {
  const groups = ipv6Groups(text)
  if (!groups) return 'ipv6'
  const mapped = groups.slice(0, 5).every(group => group === 0)
  return (groups[0] as number) >= 0xff00 || mapped ? 'hostAddress' : undefined
}

/** Rule P1: a segment's address has no bit set behind the prefix, so that what is shown is what is meant. */
export function cidr4Problem(text: string): FieldError | undefined {
  const segment = segment4(text)
  if (!segment) return 'cidr4'
  return segment.address === segment.first ? undefined : 'hostBits'
}

export function cidr6Problem(text: string): FieldError | undefined {
  const [, address = '', bits] = /^([0-9a-f:.]+)\/(\d{1,3})$/i.exec(text) ?? []
  const groups = ipv6Groups(address)
  const prefix = Number(bits)
  if (!groups || prefix > 128 || bits !== String(prefix)) return 'cidr6'
  const written = groups.map(group => group.toString(2).padStart(16, '0')).join('')
  return written.slice(prefix).includes('1') ? 'hostBits' : undefined
}

/** Rule N2: a segment within the private ranges. */
export function privateSegmentProblem(text: string): FieldError | undefined {
  const problem = cidr4Problem(text)
  if (problem) return problem
  return isPrivate4(segment4(text) as Segment4) ? undefined : 'privateSegment'
}

/** Rules N2 and P1: an interface's own address with its prefix, `192.168.1.1/24`, a host of a private segment of /8 to /30. */
export function interfaceAddressProblem(text: string): FieldError | undefined {
  const segment = segment4(text)
  if (!segment || segment.prefix < 8 || segment.prefix > 30) return 'interfaceAddress'
  if (!isPrivate4(segment)) return 'privateSegment'
  return isHostOf(segment, segment.address) ? undefined : 'notAHost'
}

/** Rule A17 and the firewall: an address or a segment of either version. */
export function addressOrSegmentProblem(text: string): FieldError | undefined {
  if (!text.includes('/')) return ipv4Number(text) === undefined && !ipv6Groups(text) ? 'addressOrSegment' : undefined
  const problem = text.includes(':') ? cidr6Problem(text) : cidr4Problem(text)
  return problem === undefined || problem === 'hostBits' ? problem : 'addressOrSegment'
}

/** A segment of either version in bits: an address is one of full length. */
type Bits = { version: 4 | 6; bits: string; prefix: number }
const mappedBits = 96

const binary = (value: number, width: number) => value.toString(2).padStart(width, '0')

function addressBits(text: string): (Omit<Bits, 'prefix'> & { mapped?: boolean }) | undefined {
  const four = ipv4Number(text)
  if (four !== undefined) return { version: 4, bits: binary(four, 32) }
  const groups = ipv6Groups(text)
  if (!groups) return undefined
  const bits = groups.map(group => binary(group, 16)).join('')
  // IPv4-mapped (RFC 4291 section 2.5.5.2) is how a dual-stack socket tells an IPv4 peer.
  const mapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  return mapped ? { version: 4, bits: bits.slice(mappedBits), mapped } : { version: 6, bits }
}

function segmentBits(text: string): Bits | undefined {
  const [address = '', prefix] = text.split('/')
  const found = addressBits(address)
  if (!found) return undefined
  const written = Number(prefix) - (found.mapped ? mappedBits : 0)
  return { ...found, prefix: prefix === undefined ? found.bits.length : Math.max(0, written) }
}

/** Whether `address` lies in `segment` (an address or a segment that `addressOrSegmentProblem` takes), of either version. */
export function isInSegment(segment: string, address: string): boolean {
  const wide = segmentBits(segment)
  const one = addressBits(address)
  return !!wide && !!one && wide.version === one.version && one.bits.startsWith(wide.bits.slice(0, wide.prefix))
}

/** One way to write an address or segment: always with its prefix, IPv6 as RFC 5952 has it, IPv4-mapped as IPv4. */
export function normalSegment(text: string): string {
  const found = segmentBits(text)
  if (!found) return text
  const width = found.version === 4 ? 8 : 16
  const parts = found.bits.match(new RegExp(`.{${width}}`, 'g')) ?? []
  const numbers = parts.map(part => Number.parseInt(part, 2))
  const address = found.version === 4 ? numbers.join('.') : shortIpv6(numbers)
  return `${address}/${found.prefix}`
}

/** RFC 5952: the longest run of zero groups, of two at least, becomes `::`. */
function shortIpv6(groups: readonly number[]): string {
  const text = groups.map(group => group.toString(16)).join(':')
  const runs = text.match(/(?:^|:)0(?::0)+(?=:|$)/g) ?? []
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return longest === ''
    ? text
    : text
        .replace(longest, ':')
        .replace(/^:(?!:)/, '::')
        .replace(/([^:]):$/, '$1::')
}

/**
 * Whose an address counts as where something is counted by address: one IPv4 address, an IPv6 /64, since whoever has one
 * of its addresses takes any other (RFC 8981). A zone (`%eth0`) is left out; what is no address stands for itself.
 */
export function bucketOf(address: string): string {
  const [plain = ''] = address.split('%')
  const found = addressBits(plain)
  if (!found) return address
  return found.version === 4 ? normalSegment(plain).replace(/\/32$/, '') : normalSegment(`${lowest64(found.bits)}/64`)
}

const lowest64 = (bits: string): string =>
  `${[0, 16, 32, 48].map(at => Number.parseInt(bits.slice(at, at + 16), 2).toString(16)).join(':')}::`

/** A MAC address that a device made up itself, as phones do for each network (IEEE 802c): it is no maker's. */
export const isPrivateMac = (mac: string): boolean => (Number.parseInt(mac.slice(0, 2), 16) & 2) !== 0
