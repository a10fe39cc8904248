import type { Interface, WanReading } from './observation'

/** Not routed on the internet: RFC 1918, 6598, 3927, loopback; IPv6 unique-local and link-local. */
export const privateAddress = (address: string): boolean =>
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|127\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe80)/i.test(
    address,
  )

const named = /(^|[^a-z])(wan|internet|pppoe|wwan)/i

/**
 * A gateway's way to the internet, by index: an interface named so, or with a public IPv4 address (a public IPv6
 * address stands on LANs too). Empty where no interface says so.
 */
export function wanInterfaces(interfaces: readonly Interface[]): number[] {
  return interfaces.flatMap((one, index) => {
    const leads =
      named.test(`${one.name} ${one.alias ?? ''}`) ||
      one.addresses?.some(address => !address.includes(':') && !privateAddress(address))
    return leads && one.type !== 'loopback' ? [index] : []
  })
}

export const wanStates = ['online', 'degraded', 'offline'] as const
export type WanState = (typeof wanStates)[number]

/** What a way is known by on its device. */
export const wanKey = ({ document, interface: name }: Pick<WanReading, 'document' | 'interface'>): string =>
  document ?? name ?? ''
