import { eq, inArray } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { lastAppliedTo, partOf } from '@/server/devices/change/plan/deployments'
import { enginePart, type ListedDevice, listedColumns, planDevice } from '@/server/devices/change/plan/plan'
import { type PortalName, portalName, type Unnamed } from '@/server/devices/change/plan/portal-name'
import type { NativeConfig } from '@/server/drivers/driver'
import { findPlace, gatewaysOf, type Place } from '@/server/guests/sessions/place'
import type { Runtime } from '@/server/kernel/runtime'
import { guestLans } from '@/server/networks/settings/portals'

// Of which LANs phones are told by DHCP (RFC 8910), and why not of the others: by what gateways were given at their last
// push, and by what they would be given now.

/**
 * `told`; `push`: they will be after a push; `stale`: they are until one, though its address is good no more; `off` and
 * `unknown`: as the portal says; `unread`: the gateway was never read. The plan says that the network gives other name
 * servers (`names`), that the gateway hides who asks (`way`), or has no place for it (`cannot`: DHCP is off, or the network
 * has an option of its own).
 */
export type AnnouncedState =
  | 'told'
  | 'push'
  | 'stale'
  | 'off'
  | 'unknown'
  | 'noGateway'
  | 'unread'
  | 'names'
  | 'way'
  | 'cannot'
  | Unnamed
export type AnnouncedLan = {
  id: string
  name: string
  portal: string
  state: AnnouncedState
  /** What phones ask. */
  url?: string
}

const addresses = /https:\/\/[a-z0-9.-]+(?::\d+)?\/portal\/([0-9a-f-]{36})\/api/g

/** By the LAN's document. */
const addressesIn = ({ blocks }: NativeConfig): Map<string, string> =>
  new Map(blocks.flatMap(({ text }) => [...text.matchAll(addresses)].map(([url, lan = '']) => [lan, url])))

/** What a gateway tells since its last push. */
export function toldBy(runtime: Runtime, device: number): Map<string, string> {
  const applied = lastAppliedTo(runtime.db, device)
  return addressesIn((applied && partOf(runtime, applied.id, 'planned')) ?? { blocks: [] })
}

/** Why no gateway is to tell phones of this portal; undefined: nothing of the manager's own. */
export function notToTell(
  { policy }: Pick<Place, 'policy'>,
  named: PortalName,
): 'off' | 'unknown' | Unnamed | undefined {
  if (policy.announce === 'off') return 'off'
  if (!('name' in named)) return named.why
  return policy.announce === 'known' && !named.known ? 'unknown' : undefined
}

/** By the LAN's document: what it would tell, and why not. */
type Wanted = { urls: ReadonlyMap<string, string>; not: ReadonlyMap<string, 'names' | 'way'> } | 'unread'

async function wantedBy(runtime: Runtime, device: ListedDevice): Promise<Wanted> {
  const engine = enginePart.find(runtime)
  const plan = engine && (await planDevice(engine, device).catch(() => undefined))
  if (!plan?.known) return 'unread'
  const not = plan.warnings.flatMap(({ code, document = '' }) =>
    code === 'portalUntold.names' || code === 'portalUntold.way'
      ? [[document, code === 'portalUntold.names' ? 'names' : 'way'] as const]
      : [],
  )
  return { urls: addressesIn(plan.planned), not: new Map(not) }
}

type Gateway = { told: ReadonlyMap<string, string>; wanted: Wanted }

/** By one gateway; whatever is told and should not be comes first. */
function stateBy({ told, wanted }: Gateway, lan: string, why: AnnouncedState | undefined): AnnouncedState {
  const now = told.get(lan)
  if (why) return now === undefined ? why : 'stale'
  if (wanted === 'unread') return now === undefined ? 'unread' : 'told'
  const next = wanted.urls.get(lan)
  if (next === undefined) return now === undefined ? (wanted.not.get(lan) ?? 'cannot') : 'stale'
  return now === next ? 'told' : now === undefined ? 'push' : 'stale'
}

const worst: readonly AnnouncedState[] = ['stale', 'push', 'unread', 'names', 'way', 'cannot']

/** Every LAN with a portal of a network; `name`: what the certificate of now allows. */
export async function announcedIn(runtime: Runtime, network: number, now: number) {
  const name = portalName(runtime.config, now)
  const lans = guestLans(runtime.db, runtime.secrets, network)
  const places = (await Promise.all(lans.map(({ lan }) => findPlace(runtime, lan)))).flatMap(one => one ?? [])
  const gatewaysFor = new Map(places.map(one => [one.lan, gatewaysOf(runtime, network, one.lan)]))
  const ids = [...new Set([...gatewaysFor.values()].flat())]
  const rows = runtime.db.select(listedColumns).from(devices).where(inArray(devices.id, ids)).all()
  const gateways = new Map(
    await Promise.all(
      rows.map(
        async (row): Promise<[number, Gateway]> => [
          row.id,
          { told: toldBy(runtime, row.id), wanted: await wantedBy(runtime, row) },
        ],
      ),
    ),
  )
  const result = places.map((place): AnnouncedLan => {
    const why = notToTell(place, name)
    const own = (gatewaysFor.get(place.lan) ?? []).flatMap(id => gateways.get(id) ?? [])
    const states = own.map(one => stateBy(one, place.lan, why))
    const state = worst.find(one => states.includes(one)) ?? states[0] ?? why ?? 'noGateway'
    const url = own.map(one => one.told.get(place.lan)).find(one => one !== undefined)
    return {
      ...{ id: place.lan, name: place.lanName, portal: place.policy.name, state },
      ...(url !== undefined && { url }),
    }
  })
  return { name, result: result.toSorted((a, b) => a.name.localeCompare(b.name)) }
}

/** A gateway that still tells phones to ask where they will soon not trust, or do not any more, who answers. */
export async function isStale(runtime: Runtime, device: number, named: PortalName): Promise<boolean> {
  const port = runtime.config.portalPort
  for (const [lan, url] of toldBy(runtime, device)) {
    const place = await findPlace(runtime, lan)
    const why = place && notToTell(place, named)
    if (why && why !== 'off') return true
    if ('name' in named && !url.startsWith(`https://${named.name}:${port}/`)) return true
  }
  return false
}

export const gatewayRow = ({ db }: Runtime, id: number) =>
  db.select(listedColumns).from(devices).where(eq(devices.id, id)).get()
