import { lookup } from 'node:dns/promises'
import { isIP, SocketAddress } from 'node:net'
import { networkInterfaces } from 'node:os'
import { DeviceError } from './driver'

/** As the system writes it, without an IPv4 address dressed as an IPv6 one, and without its zone. */
function plain(address: string): string {
  const bare = address.split('%')[0] ?? ''
  const family = isIP(bare)
  if (family !== 6) return bare
  const text = new SocketAddress({ address: bare, family: 'ipv6' }).address
  const low = /^::(?:ffff:)?(?:0:)?(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1]
  return low ?? text
}

/** Loopback, an unspecified address, which the system takes for loopback, or one of this machine's own. */
export function isOwnAddress(address: string): boolean {
  const text = plain(address)
  if (/^(127|0)\./.test(text) || text === '::' || text === '::1') return true
  return Object.values(networkInterfaces()).some(list => list?.some(one => plain(one.address) === text))
}

/**
 * The address to connect to. With `notSelf` a name is resolved here, once, and what leads to this machine is refused as if
 * no route led there.
 */
export async function addressFor({ address, notSelf }: { address: string; notSelf?: boolean }): Promise<string> {
  if (!notSelf) return address
  const literal = isIP(address.split('%')[0] ?? '') !== 0
  const found = literal
    ? address
    : await lookup(address).then(
        one => one.address,
        cause => {
          throw new DeviceError('noRoute', 'name not found', { cause })
        },
      )
  if (isOwnAddress(found)) throw new DeviceError('noRoute')
  return found
}
