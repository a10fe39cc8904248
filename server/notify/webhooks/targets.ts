import { lookup as ask } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { ipv6Groups, isInSegment } from '@/model/addresses'
import { normalSegments, type WebhookSegments, webhookSegments } from '@/model/notify/webhook-segments'
import { type OwnSettings, readOwnOrDefaults } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { takeFormer } from '@/server/kernel/settings'
import { isHostOrganization } from '@/server/people/accounts/actor'

// Where a webhook may go. Whoever makes one says where the manager connects to: its own services, and those of the LANs
// it stands in, are out of reach unless somebody who keeps the manager allowed their segment.

export type Address = { address: string; family: number }
/** All addresses of a name. */
export type Lookup = (host: string) => Promise<readonly Address[]>
export const systemLookup: Lookup = host => ask(host, { all: true })

/** RFC 6890 and its later entries, RFC 6598, RFC 5737, RFC 2544, RFC 7526, RFC 5771, RFC 1112. */
const closed4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]
/** Of IPv6 only global unicast is public (RFC 4291), without what tunnels to IPv4 (Teredo, 6to4) and documentation. */
const closed6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
/** RFC 6052: an IPv4 address stands in the last 32 bits. */
const nat64 = '64:ff9b::/96'

const embedded4 = (address: string): string => {
  const [high = 0, low = 0] = (ipv6Groups(address) ?? []).slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Is this no host of the internet? What is no plain address (`fe80::1%eth0`) counts as none. */
export function isInternal(address: string): boolean {
  if (isInSegment('0.0.0.0/0', address)) return closed4.some(segment => isInSegment(segment, address))
  if (isInSegment(nat64, address)) return isInternal(embedded4(address))
  return !isInSegment('2000::/3', address) || closed6.some(segment => isInSegment(segment, address))
}

const ownSegments = (): string[] =>
  Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(one => one.cidr ?? one.address))

/** Is this the manager itself, or beside it in a LAN? IPv6 addresses there are public as a rule, and no firewall is between. */
export function isNear(address: string, own: readonly string[]): boolean {
  const plain = isInSegment(nat64, address) ? embedded4(address) : address
  return own.some(segment => isInSegment(segment, plain))
}

/** Why nothing is sent to a target: keys of webhooks.json reasons. */
export type Blocked = { blocked: 'targetPrivate' | 'targetHttp' | 'noAddress' }
export const isBlocked = (error: unknown): error is Blocked =>
  typeof error === 'object' && error !== null && 'blocked' in error
const block = (blocked: Blocked['blocked']): never => {
  throw Object.assign(new Error(blocked), { blocked })
}

export const allowedSegments = ({ db }: Runtime): readonly string[] =>
  normalSegments(readOwnOrDefaults(db, webhookSegments).segments)

export const webhookSettings: OwnSettings<WebhookSegments> = {
  kind: webhookSegments,
  former: ({ db }) => takeFormer(db, 'webhooks'),
}

/** Those in reach of an organization's webhooks: of the LANs that the manager stands in, none is another company's. */
export const segmentsFor = (runtime: Runtime, organization: number): readonly string[] =>
  isHostOrganization(runtime.db, organization) ? allowedSegments(runtime) : []

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')
const family = (address: string): number => (address.includes(':') ? 6 : 4)

/** The address that stands in a target instead of a name. */
export function literalOf(url: URL): string | undefined {
  const host = bareHost(url)
  return isInSegment('0.0.0.0/0', host) || ipv6Groups(host) ? host : undefined
}

/**
 * The addresses of a target that may be connected to, asked for once: the connection goes to these and asks no more, so
 * that no second answer leads elsewhere. Throws Blocked. http goes only to segments that were allowed: nothing on the
 * way is kept out of it.
 */
export async function addressesOf(
  url: URL,
  allowed: readonly string[],
  lookup: Lookup,
  own: readonly string[] = ownSegments(),
): Promise<Address[]> {
  const literal = literalOf(url)
  const found = literal ? [{ address: literal, family: family(literal) }] : await lookup(bareHost(url))
  if (!found.length) block('noAddress')
  const isAllowed = ({ address }: Address) => allowed.some(segment => isInSegment(segment, address))
  const isPublic = ({ address }: Address) => !isInternal(address) && !isNear(address, own)
  const open = found.filter(one => isAllowed(one) || (url.protocol === 'https:' && isPublic(one)))
  if (!open.length) block(url.protocol === 'http:' && found.some(isPublic) ? 'targetHttp' : 'targetPrivate')
  return open
}
