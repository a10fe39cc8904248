import { and, eq, isNull, lt, not, sql } from 'drizzle-orm'
import { clientEvents, clients, clientTimes } from '@/db/schema'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import type { Client } from '@/server/worker/clients-merge'

// What is kept of a network's clients beyond their connection.

export type KnownClient = typeof clients.$inferSelect
export type ClientEvent = (typeof clientEvents.$inferSelect)['what']

/**
 * Of one network; beyond, and longer ago, those go that were seen longest ago and that nobody named. One that roams all day
 * takes no event of the others.
 */
export const kept = { clients: 20_000, events: 50_000, days: 31, eventsOfOne: 1000 } as const
const dayMs = 86_400_000

/** Where a client hangs: what `moved` compares. */
export type Place = { device?: number | null; port?: string | null; ssid?: string | null; band?: string | null }
/** As of an event. */
type Addresses = { address?: string | null; former?: string | null }
/** A radio that is not told is none that it moved to. */
const samePlace = (a: Place, b: Place) =>
  a.device === (b.device ?? null) &&
  a.port === (b.port ?? null) &&
  a.ssid === (b.ssid ?? null) &&
  (a.band == null || b.band == null || a.band === b.band)

/** Prepared once for each open database: there are tens of thousands of clients. */
const prepared = new WeakMap<Runtime['sqlite'], ReturnType<typeof statements>>()
const statements = (sqlite: Runtime['sqlite']) => ({
  find: sqlite.prepare<
    [number, string],
    Pick<KnownClient, 'id' | 'device' | 'port' | 'ssid' | 'band' | 'address'> & { online: 0 | 1 }
  >('SELECT id, online, device, port, ssid, band, address FROM clients WHERE network = ? AND mac = ?'),
  named: sqlite.prepare<[number, string], Pick<KnownClient, 'name' | 'hostname'> & { watched: 0 | 1 }>(
    'SELECT name, hostname, watched FROM clients WHERE network = ? AND mac = ?',
  ),
  add: sqlite.prepare(
    `INSERT INTO clients (network, mac, hostname, address, online, first_seen_at, seen_at, wifi, device, port, ssid, band, vlan)
     VALUES (@network, @mac, @name, @address, 1, @at, @since, @wifi, @device, @port, @ssid, @band, @vlan)`,
  ),
  renew: sqlite.prepare(
    `UPDATE clients SET online = 1, wifi = @wifi, device = @device, port = @port, ssid = @ssid, band = @band, vlan = @vlan,
       hostname = coalesce(nullif(@name, ''), hostname), address = coalesce(nullif(@address, ''), address),
       seen_at = CASE WHEN @came THEN @since ELSE seen_at END
     WHERE id = @id`,
  ),
  leave: sqlite.prepare('UPDATE clients SET online = 0, seen_at = ? WHERE network = ? AND mac = ? AND online = 1'),
  tell: sqlite.prepare(
    `INSERT INTO client_events (network, mac, at, what, device, port, ssid, band, address, former)
     VALUES (@network, @mac, @at, @what, @device, @port, @ssid, @band, @address, @former)`,
  ),
})
export function clientRows({ sqlite }: Pick<Runtime, 'sqlite'>) {
  const held = prepared.get(sqlite) ?? statements(sqlite)
  prepared.set(sqlite, held)
  return held
}

const isIpv4 = (address: string) => address.includes('.')

/** Whether it has another IPv4 address than before; of several none is the one. Those of IPv6 change by themselves. */
const hasMoved = (former: string, { address = '', addresses = [address] }: Client): boolean =>
  isIpv4(former) && isIpv4(address) && former !== address && addresses.filter(isIpv4).length === 1

/**
 * A client that is there. Answers what happened to it: `joined` where it was not there, `moved` where it was elsewhere;
 * `known`: whether it was ever seen before; `from`: where it was; `former`: the address that it has no longer.
 */
export function noteHere(
  runtime: Pick<Runtime, 'sqlite'>,
  network: number,
  client: Client,
  at: number,
): { what?: 'joined' | 'moved'; known: boolean; from?: Place; former?: string } {
  const rows = clientRows(runtime)
  const {
    mac,
    wifi,
    device = null,
    port = null,
    ssid = null,
    band = null,
    vlan = null,
    name = '',
    address = '',
  } = client
  const values = { network, mac, device, port, ssid, band, vlan, name, address, wifi: Number(wifi), at }
  const since = Math.min(at, client.since)
  const found = rows.find.get(network, mac)
  if (!found) {
    rows.add.run({ ...values, since })
    return { what: 'joined', known: false }
  }
  const what = !found.online ? 'joined' : samePlace(found, client) ? undefined : 'moved'
  rows.renew.run({ ...values, id: found.id, came: what ? 1 : 0, since: what === 'moved' ? at : since })
  const former = hasMoved(found.address, client) ? { former: found.address } : {}
  return { ...(what && { what }), known: true, from: found, ...former }
}

/** From now on nobody is known to be there; each was seen last when something was last written of its network. */
export function leaveAll({ db, sqlite }: Pick<Runtime, 'db' | 'sqlite'>): { network: number; mac: string }[] {
  const there = eq(clients.online, true)
  const rows = db.select({ network: clients.network, mac: clients.mac }).from(clients).where(there).all()
  sqlite.exec(
    `UPDATE clients SET online = 0,
       seen_at = max(seen_at, coalesce((SELECT max(at) FROM client_events e WHERE e.network = clients.network), 0))
     WHERE online = 1`,
  )
  return rows
}

/** A client that no device sees any more. */
export const noteGone = (runtime: Pick<Runtime, 'sqlite'>, network: number, mac: string, at: number): void =>
  void clientRows(runtime).leave.run(at, network, mac)

/** Adds to a client's way. */
export const addClientEvent = (
  runtime: Pick<Runtime, 'sqlite'>,
  event: { network: number; mac: string; at: number; what: ClientEvent } & Place & Addresses,
): void =>
  void clientRows(runtime).tell.run({
    device: null,
    port: null,
    ssid: null,
    band: null,
    address: null,
    former: null,
    ...event,
  })

/** What was done with a client, where it is or was last (`place`); of one that was never seen nothing is kept. */
export function addDeed(
  { runtime, network, now }: { runtime: Pick<Runtime, 'sqlite'>; network: { id: number }; now: number },
  mac: string,
  what: Extract<ClientEvent, 'kicked' | 'blocked' | 'unblocked' | 'released' | 'timeUp' | 'blockEnded'>,
  place: Place | undefined = clientRows(runtime).find.get(network.id, mac),
  addresses: Addresses = {},
): void {
  if (!place) return
  const { device = null, port = null, ssid = null, band = null } = place
  addClientEvent(runtime, { network: network.id, mac, at: now, what, device, port, ssid, band, ...addresses })
}

const named = sql`(${clients.name} <> '' OR ${clients.note} <> '')`

/** Those of a network with too many events of their own. */
const restless = (db: Runtime['db'], network: number) =>
  db
    .select({ mac: clientEvents.mac })
    .from(clientEvents)
    .where(eq(clientEvents.network, network))
    .groupBy(clientEvents.mac)
    .having(sql`count(*) > ${kept.eventsOfOne}`)
    .all()
    .map(({ mac }) => and(eq(clientEvents.network, network), eq(clientEvents.mac, mac)))

/** Forgets what is too old or too much, of every network. */
export function trimClients({ db }: Pick<Runtime, 'db'>, now: number): void {
  const before = now - kept.days * dayMs
  db.transaction(() => {
    db.delete(clients)
      .where(and(eq(clients.online, false), not(named), lt(clients.seenAt, before)))
      .run()
    db.delete(clientEvents).where(lt(clientEvents.at, before)).run()
    for (const { network } of db.selectDistinct({ network: clients.network }).from(clients).all()) {
      keepNewest(db, clients, eq(clients.network, network), kept.clients, {
        by: [clients.online, clients.seenAt, clients.id],
        except: named,
      })
      for (const own of restless(db, network)) keepNewest(db, clientEvents, own, kept.eventsOfOne)
      keepNewest(db, clientEvents, eq(clientEvents.network, network), kept.events)
    }
    // Their time goes with them, once nothing of it is in force.
    db.delete(clientTimes)
      .where(
        and(
          isNull(clientTimes.block),
          sql`NOT EXISTS (SELECT 1 FROM clients c WHERE c.network = ${clientTimes.network} AND c.mac = ${clientTimes.mac})`,
        ),
      )
      .run()
  })
}

/** Names that people gave, by MAC. */
export const givenNames = ({ db }: Pick<Runtime, 'db'>, network: number): Map<string, string> =>
  new Map(
    db
      .select({ mac: clients.mac, name: clients.name })
      .from(clients)
      .where(and(eq(clients.network, network), sql`${clients.name} <> ''`))
      .all()
      .map(({ mac, name }) => [mac, name]),
  )
