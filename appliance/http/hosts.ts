import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** The name or address in a Host header, without port and brackets, lower case; undefined when it is no host at all. */
export function hostName(header: string | undefined): string | undefined {
  if (!header || header.length > 260) return undefined
  const match = /^(?:\[([0-9a-f:.%]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header)
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '')
}

/**
 * Whether a request for this Host may be answered: IP literals, localhost, *.local, this machine's own name and the
 * configured ones. A page elsewhere that lets its own name point here (DNS rebinding) is so refused.
 */
export function acceptedHost(header: string | undefined, configured: readonly string[], own = hostname()): boolean {
  const name = hostName(header)
  if (!name) return false
  const mine = own.toLowerCase()
  return (
    isIP(name) !== 0 ||
    name === 'localhost' ||
    name.endsWith('.local') ||
    name === mine ||
    name === mine.split('.')[0] ||
    configured.includes(name)
  )
}

/** 127/8 and ::1, as sockets print them. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || /^(::ffff:)?127\./.test(address))
