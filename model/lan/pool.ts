import { ipv4Text, segment4 } from '../addresses'

/** So many are left free for devices with addresses of their own, where there are enough. */
const free = 9
const enough = 32

/** `{poolStart, poolEnd}` that fits the gateway's address, `192.168.20.1/24`; undefined where none does. Rule P3. */
export function proposedPool(address: string): { poolStart: string; poolEnd: string } | undefined {
  const segment = segment4(address.trim())
  if (!segment || segment.prefix > 30) return undefined
  const { address: own, first, last } = segment
  const below = { first: first + 1, last: own - 1 }
  const above = { first: own + 1, last: last - 1 }
  const larger = above.last - above.first >= below.last - below.first ? above : below
  const room = larger.last - larger.first + 1
  const start = room > enough ? larger.first + free : larger.first
  return larger.last > start ? { poolStart: ipv4Text(start), poolEnd: ipv4Text(larger.last) } : undefined
}
