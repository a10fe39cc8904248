import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { clients, devices } from '@/db/schema'
import { likelyKinds } from '@/model/found-host'
import { holding } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'
import { digitsOf, vlanOf } from '@/server/worker/client-text'
import { judgeOf } from './kind'

// What a text that is searched for finds of clients, beyond what their devices tell of them now.

const storedWords = [clients.name, clients.vendor, clients.note]
const everyWord = [...storedWords, clients.mac, clients.hostname, clients.address, clients.ssid, clients.port]

/** Fewer letters begin too many words. */
const leastOfKind = 3

const named = ({ db }: Pick<Runtime, 'db'>, network: number, text: string): number[] =>
  db
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.network, network), holding([devices.name], text)))
    .all()
    .map(({ id }) => id)

/** MACs of what is a printer, a phone …, chosen or judged, where the text begins that word. */
function ofKind(runtime: Runtime, network: number, text: string): string[] {
  const wanted = likelyKinds.filter(kind => text.length >= leastOfKind && kind.startsWith(text.toLowerCase()))
  if (wanted.length === 0) return []
  const { mac, hostname, vendor, icon } = clients
  const rows = runtime.db
    .select({ mac, hostname, vendor, icon })
    .from(clients)
    .where(eq(clients.network, network))
    .all()
  const judge = judgeOf(
    runtime,
    network,
    rows.map(row => row.mac),
  )
  const kindOf = ({ icon: chosen, ...told }: (typeof rows)[number]) => chosen || judge(told).kind
  return rows.filter(row => wanted.some(kind => kind === kindOf(row))).map(row => row.mac)
}

/** For the connected ones: MACs by what is stored or judged of them, and devices by name. */
export function alsoFound(runtime: Runtime, network: number, search: string | undefined) {
  const text = search?.trim()
  if (!text) return undefined
  const own = and(eq(clients.network, network), holding(storedWords, text))
  const stored = runtime.db.select({ mac: clients.mac }).from(clients).where(own).all()
  const also = [...stored.map(({ mac }) => mac), ...ofKind(runtime, network, text)]
  return { also, onDevices: named(runtime, network, text) }
}

/** For those that left: the same, of what is kept. */
export function holdingText(runtime: Runtime, network: number, search: string | undefined): SQL | undefined {
  const text = search?.trim()
  if (!text) return undefined
  const [on, kinds, digits, vlan] = [
    named(runtime, network, text),
    ofKind(runtime, network, text),
    digitsOf(text),
    vlanOf(text),
  ]
  return or(
    holding(everyWord, text),
    on.length > 0 ? inArray(clients.device, on) : undefined,
    kinds.length > 0 ? sql`${clients.mac} IN (SELECT value FROM json_each(${JSON.stringify(kinds)}))` : undefined,
    digits === undefined ? undefined : sql`replace(${clients.mac}, ':', '') LIKE ${`%${digits}%`}`,
    vlan === undefined ? undefined : eq(clients.vlan, vlan),
  )
}
