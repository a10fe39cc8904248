import type { Interface } from '../observation'
import { wanInterfaces } from '../wan'

/** Names of a gateway's interfaces to the internet: by their name or public address, and by the default route. */
export function uplinks(interfaces: readonly Interface[] = []): string[] {
  const named = new Set(wanInterfaces(interfaces).map(index => interfaces[index]?.name))
  return interfaces
    .filter(one => one.type !== 'loopback' && (named.has(one.name) || one.defaultRoute === true))
    .map(one => one.name)
    .sort()
}
