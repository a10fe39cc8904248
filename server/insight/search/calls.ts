import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { documents } from '@/db/schema'
import { authorityOf, isKindId, type ListKindId, listKindIds } from '@/model/registry'
import { connectedPage, offlinePage } from '@/server/devices/clients/shown'
import { fleetOf } from '@/server/devices/link/fleet'
import { call, type NetworkContext } from '@/server/kernel/call'

/** Of each sort of thing: the search shows a handful, and a list of its own shows all. */
const most = 8

type Found = Pick<NetworkContext, 'runtime' | 'actor' | 'network'>

/** Settings by their names, of the kinds that the person may read. */
function settingsNamed({ runtime, actor, network }: Found, text: string) {
  const readable = listKindIds.filter(id => actor.authorities.has(authorityOf(id)))
  const own = and(
    eq(documents.scope, 'network'),
    eq(documents.scopeId, network.id),
    inArray(documents.kind, [...readable]),
  )
  const columns = { id: documents.id, kind: documents.kind, name: documents.name }
  const rows = runtime.db.select(columns).from(documents).where(own).orderBy(documents.name).all()
  return rows
    .filter(({ name }) => name.toLowerCase().includes(text))
    .slice(0, most)
    .flatMap(({ kind, ...row }) => (isKindId(kind) ? { ...row, kind: kind as ListKindId } : []))
}

/** Those that are connected before those that left. */
async function clientsNamed({ runtime, actor, network }: Found, search: string) {
  if (!actor.authorities.has('clients')) return []
  const wanted = { search, page: 1, pageSize: most }
  const here = (await connectedPage(runtime, network.id, wanted)).result
  const left = here.length < most ? offlinePage({ runtime, network }, wanted).result : []
  return [...here, ...left].slice(0, most).map(({ mac, name, address, device, deviceName, port, ssid }) => ({
    ...{ mac, name, address, device, deviceName, port, ssid },
  }))
}

async function portsNamed({ runtime, actor, network }: Found, search: string) {
  if (!actor.authorities.has('devices')) return []
  return fleetOf(runtime).ask('ports', { network: network.id, search, most })
}

const find = call({
  tag: 'networks',
  path: 'search/find',
  scope: 'network',
  // Everything found is judged by what it is.
  authority: 'session',
  changes: false,
  input: z.strictObject({ search: z.string().trim().min(1, 'required').max(100) }),
  /**
   * Settings by name, clients by all that `clients/list` searches, those that left after the others, and ports by label
   * (with their device's name); at most eight each, and only of what the caller may read. Devices are found by `devices/list`.
   */
  async run(context, { search }) {
    const text = search.toLowerCase()
    const [clients, ports] = await Promise.all([clientsNamed(context, text), portsNamed(context, text)])
    return { settings: settingsNamed(context, text), clients, ports }
  },
})

export const searchCalls = [find] as const
