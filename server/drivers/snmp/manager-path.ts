import { networkInterfaces } from 'node:os'
import type { Host, ManagerPath } from '../observation'

type Own = { mac: string; address: string }

/** This machine's own MAC addresses, each with one of its addresses. */
export const ownAddresses = (): Own[] =>
  Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(one => !one.internal)
    .map(({ mac, address }) => ({ mac, address }))

/** The port that the switch hears this machine on. Undefined where its tables do not show it, as behind a router. */
export function managerPath(hosts: readonly Host[], local: string, own: readonly Own[]): ManagerPath | undefined {
  for (const { mac, address } of own) {
    const port = hosts.find(host => host.mac === mac && host.source !== 'arp')?.port
    if (port !== undefined) return { peer: address, local, port }
  }
  return undefined
}
