import type { Interface, Observation } from '@/server/drivers/observation'

/** Lower comes first: a global address (2000::/3), then a unique local one (fc00::/7, RFC 4193); others reach nobody. */
function rank(address: string): number | undefined {
  const first = Number.parseInt(address.split(':')[0] || '0', 16)
  if (first >= 0x2000 && first <= 0x3fff) return 0
  return first >= 0xfc00 && first <= 0xfdff ? 1 : undefined
}

/**
 * The IPv6 address by which others reach a device, without its prefix; of several that of the interface the manager
 * speaks to, global before local. Empty: its interfaces have IPv6, and none of that kind. Undefined: no interface tells
 * of IPv6.
 */
export function ownIpv6({ interfaces = [], path }: Pick<Observation, 'interfaces' | 'path'>): string | undefined {
  const asked = (one: Interface) =>
    one.key === path?.interface || one.addresses?.some(each => bare(each) === path?.local)
  const told = [...interfaces]
    .sort((a, b) => Number(asked(b) ?? false) - Number(asked(a) ?? false))
    .flatMap(one => one.addresses ?? [])
    .map(bare)
    .filter(address => address.includes(':'))
  if (told.length === 0) return undefined
  const ranked = told.flatMap(address => {
    const place = rank(address)
    return place === undefined ? [] : [{ address, place }]
  })
  return ranked.find(one => one.place === 0)?.address ?? ranked[0]?.address ?? ''
}

const bare = (address: string) => address.replace(/[/%].*/, '').toLowerCase()
