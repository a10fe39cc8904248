import { networkInterfaces } from 'node:os'
import type { Host, ManagerPath } from '../../observation'

type Own = { mac: string; address: string }

const freshMs = 10_000
let known: { at: number; own: Own[] } | undefined

/** This machine's own MAC addresses, each with one of its addresses; asked of the system every few seconds at most. */
export function ownAddresses(now = Date.now()): Own[] {
  if (known && now - known.at < freshMs && now >= known.at) return known.own
  const own = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(one => !one.internal)
    .map(({ mac, address }) => ({ mac, address }))
  known = { at: now, own }
  return own
}

/** The port that the switch hears this machine on. Undefined where its tables do not show it, as behind a router. */
export function managerPath(hosts: readonly Host[], local: string, own: readonly Own[]): ManagerPath | undefined {
  for (const { mac, address } of own) {
    const port = hosts.find(host => host.mac === mac && host.source !== 'arp')?.port
    if (port !== undefined) return { peer: address, local, port }
  }
  return undefined
}
