import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { FieldError } from '@/model/field-errors'
import { limits } from '@/model/limits'

// Which addresses a sweep may knock at: IPv4, private (rule N2), at most a /22 a segment and limits.sweepAddresses in all.

const widest = 22

export const toNumber = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
export const toAddress = (value: number): string =>
  [24, 16, 8, 0].map(shift => Math.floor(value / 2 ** shift) % 256).join('.')

/** Rule N2: 10/8, 172.16/12, 192.168/16. */
export function isPrivate(address: string): boolean {
  const [a = 0, b = 0] = address.split('.').map(Number)
  return a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)
}

export type Segment = { cidr: string; from: string; to: string; addresses: number }
/** `within`: the connected network that is too wide for a sweep, of which this is the part around this machine. */
export type Proposed = Segment & { within?: string }

/** A segment from its text; a bare address is a segment of one. Problems are keys of errors.json. */
export function parseSegment(
  text: string,
): Segment | { problem: 'segmentInvalid' | 'segmentNotPrivate' | 'segmentTooLarge' } {
  const [address = '', bits = '32', more] = text.trim().split('/')
  const prefix = Number(bits)
  if (more !== undefined || !isIPv4(address) || !/^\d{1,2}$/.test(bits) || prefix > 32)
    return { problem: 'segmentInvalid' }
  const size = 2 ** (32 - prefix)
  const first = Math.floor(toNumber(address) / size) * size
  const last = first + size - 1
  if (!isPrivate(toAddress(first)) || !isPrivate(toAddress(last))) return { problem: 'segmentNotPrivate' }
  if (prefix < widest) return { problem: 'segmentTooLarge' }
  // Network and broadcast address are no hosts, but in /31 and /32 there are none (RFC 3021).
  const spare = prefix >= 31 ? 0 : 1
  return {
    cidr: `${toAddress(first)}/${prefix}`,
    from: toAddress(first + spare),
    to: toAddress(last - spare),
    addresses: size - 2 * spare,
  }
}

export function addressesOf(segment: Segment): string[] {
  const from = toNumber(segment.from)
  return Array.from({ length: segment.addresses }, (_, index) => toAddress(from + index))
}

type Own = { address: string; cidr: string | null; internal: boolean; family: string }

const networkOf = (address: string, prefix: number) => {
  const size = 2 ** (32 - prefix)
  return `${toAddress(Math.floor(toNumber(address) / size) * size)}/${prefix}`
}

/** Private networks this machine stands in; a wide one is narrowed to the /22 around its own address. */
export function connectedSegments(
  own: readonly Own[] = Object.values(networkInterfaces()).flatMap(list => list ?? []),
): Proposed[] {
  const found = own.flatMap((one): Proposed[] => {
    if (one.internal || one.family !== 'IPv4' || !one.cidr || !isPrivate(one.address)) return []
    const bits = Number(one.cidr.split('/')[1])
    const segment = bits > 30 ? undefined : parseSegment(`${one.address}/${Math.max(widest, bits)}`)
    if (!segment || 'problem' in segment) return []
    return [bits < widest ? { ...segment, within: networkOf(one.address, bits) } : segment]
  })
  return [...new Map(found.map(segment => [segment.cidr, segment])).values()]
}

export const ownAddresses = (): Set<string> =>
  new Set(Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(one => one.address)))

/** All addresses of the segments, each once, none of this machine's; a problem at the segment that has one. */
export function sweepPlan(
  texts: readonly string[],
): { segments: Segment[]; addresses: string[] } | { index: number; problem: FieldError } {
  const segments: Segment[] = []
  for (const [index, text] of texts.entries()) {
    const parsed = parseSegment(text)
    if ('problem' in parsed) return { index, problem: parsed.problem }
    segments.push(parsed)
  }
  const own = ownAddresses()
  const addresses = [...new Set(segments.flatMap(addressesOf))].filter(address => !own.has(address))
  if (addresses.length > limits.sweepAddresses * 4) return { index: segments.length - 1, problem: 'segmentTooLarge' }
  return { segments, addresses }
}
