import { lookup } from 'node:dns/promises'
import { ipv4Number } from '@/model/addresses'
import type { DesiredDocument } from '@/server/drivers/driver'
import { radiusHere } from '@/server/drivers/radius-here'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'

// Access points ask RADIUS servers by address alone: of a name they are given what the manager's resolver says.

type Known = { at: number; address: string | undefined; asked?: Promise<void> | undefined }
const names = part<Map<string, Known>>('radiusNames', () => new Map())

const freshMs = 600_000
/** A name that was not found is asked for again sooner. */
const againMs = 30_000
const waitMs = 3_000

const servers = ['server', 'secondServer'] as const
type Radius = Partial<Record<(typeof servers)[number], string>>
const isName = (server: string | undefined): server is string =>
  server !== undefined && server !== radiusHere && ipv4Number(server) === undefined && !server.includes(':')

/** The same of several each time, IPv4 first: a plan must not change with the resolver's order. */
async function addressOf(name: string): Promise<string | undefined> {
  const found = await lookup(name, { all: true })
  return found.toSorted((a, b) => a.family - b.family || (a.address < b.address ? -1 : 1))[0]?.address
}

/** Asks where it is due; an address that was known stays while nobody answers. */
async function refresh(known: Map<string, Known>, name: string): Promise<void> {
  const held = known.get(name)
  const due = Date.now() - (held?.at ?? 0) > (held?.address === undefined ? againMs : freshMs)
  if (held?.asked ?? !due) return held?.address === undefined ? held?.asked : undefined
  const asked = addressOf(name)
    .catch(() => held?.address)
    .then(address => void known.set(name, { at: Date.now(), address }))
  known.set(name, { at: held?.at ?? 0, address: held?.address, asked })
  // Nobody waits for what is only to be confirmed.
  if (held?.address === undefined) await Promise.race([asked, new Promise(done => setTimeout(done, waitMs).unref())])
}

const made = new WeakMap<DesiredDocument, Map<string, DesiredDocument>>()

/** The same document for the same addresses: what is made of it is made once for all devices. */
function withServers(document: DesiredDocument, radius: Radius, addresses: Radius): DesiredDocument {
  const key = JSON.stringify(addresses)
  const own = made.get(document) ?? new Map<string, DesiredDocument>()
  made.set(document, own)
  const held = own.get(key) ?? { ...document, data: { ...document.data, radius: { ...radius, ...addresses } } }
  own.set(key, held)
  return held
}

/** Documents with the addresses of RADIUS servers in the place of their names; a name that nobody knows stays. */
export async function withRadiusAddresses(runtime: Runtime, documents: DesiredDocument[]): Promise<DesiredDocument[]> {
  const named = documents.flatMap(({ data }) => {
    const radius = data.radius as Radius | undefined
    return radius ? servers.map(field => radius[field]).filter(isName) : []
  })
  if (named.length === 0) return documents
  const known = names.of(runtime)
  await Promise.all([...new Set(named)].map(name => refresh(known, name)))
  return documents.map(document => {
    const radius = document.data.radius as Radius | undefined
    if (!radius || !servers.some(field => isName(radius[field]))) return document
    const found = servers.flatMap(field => {
      const name = radius[field]
      const address = isName(name) ? known.get(name)?.address : undefined
      return address === undefined ? [] : [[field, address] as const]
    })
    return withServers(document, radius, Object.fromEntries(found))
  })
}
