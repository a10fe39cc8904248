import { and, eq, or, sql } from 'drizzle-orm'
import { clients } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'

/** Who has an address now, or had it last. */
export type Holder = { mac: string; name?: string }

const inNetwork = (network: number) => eq(clients.network, network)

/** Whose these addresses are, as far as somebody is known to have them: who is there comes before who was there last. */
export function holdersOf({ db }: Runtime, network: number, addresses: readonly string[]): Map<string, Holder> {
  const wanted = sql`${clients.address} IN (SELECT value FROM json_each(${JSON.stringify(addresses)}))`
  const { mac, name, hostname, address } = clients
  const rows = db
    .select({ mac, name, hostname, address })
    .from(clients)
    .where(and(inNetwork(network), wanted))
    .orderBy(clients.online, clients.seenAt)
    .all()
  return new Map(
    rows.map(row => {
      const called = row.name || row.hostname
      return [row.address, { mac: row.mac, ...(called && { name: called }) }]
    }),
  )
}

/** More are not looked for: who looks for so many has to say more. */
const mostNamed = 500

/** Addresses of clients that have a text in their name or their MAC address. */
export function addressesNamed({ db }: Runtime, network: number, text: string): string[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const holds = (column: typeof clients.name | typeof clients.hostname | typeof clients.mac) =>
    sql`instr(lower(${column}), ${wanted}) > 0`
  return db
    .selectDistinct({ address: clients.address })
    .from(clients)
    .where(
      and(
        inNetwork(network),
        sql`${clients.address} <> ''`,
        or(holds(clients.name), holds(clients.hostname), holds(clients.mac)),
      ),
    )
    .limit(mostNamed)
    .all()
    .map(row => row.address)
}
