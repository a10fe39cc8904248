import type { LikelyKind } from '@/model/found-host'
import { lastFound } from '@/server/devices/adoption/discovery'
import type { Runtime } from '@/server/kernel/runtime'
import type { Client } from '@/server/worker/clients-merge'
import { type Signs, type Vote, votedKind, votesOf } from '@/server/worker/likely-kind'
import type { Found } from '@/server/worker/sweep'

// What a client is, by all that is told of it: its name, its vendor, what it tells its switch, and what the last search
// of the network heard of it.

type Told = Pick<Client, 'mac' | 'lldp'> & { hostname?: string; vendor?: string }

/** A private MAC address has no vendor, so that none is among the signs. */
const signsOf = ({ lldp, hostname, vendor }: Told, found: Found | undefined): Signs => ({
  ...(hostname && { name: hostname }),
  ...(vendor && { vendor }),
  ...(lldp?.capabilities && { capabilities: lldp.capabilities }),
  ...(found && {
    ...(found.model && { model: found.model }),
    ...(found.objectId && { objectId: found.objectId }),
    ...(found.services && { services: found.services }),
    ...(found.ssh?.banner && { banner: found.ssh.banner }),
    ...(!hostname && found.name && { name: found.name }),
  }),
  ...((found?.description ?? lldp?.description) && { description: found?.description ?? lldp?.description }),
})

export type Judged = { kind: LikelyKind | undefined; votes: Vote[] }

/** Judges the clients of a page; what was found is looked through once. */
export function judgeOf(runtime: Runtime, network: number, macs: readonly string[]): (client: Told) => Judged {
  const wanted = new Set(macs)
  const found = new Map<string, Found>()
  for (const one of lastFound(runtime, network)) {
    const mac = one.mac?.toLowerCase()
    if (mac && wanted.has(mac)) found.set(mac, one)
  }
  return client => {
    const votes = votesOf(signsOf(client, found.get(client.mac)))
    return { kind: votedKind(votes), votes }
  }
}
