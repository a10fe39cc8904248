import { and, eq, inArray } from 'drizzle-orm'
import { clients, networks } from '@/db/schema'
import { isPrivateMac } from '@/model/addresses'
import { deviceName } from '@/server/devices/inventory/stored-devices'
import { fleetOf } from '@/server/devices/link/fleet'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { raiseAlert } from '@/server/notify/alerts/raise'
import type { ClientChanges, ClientNews } from '@/server/worker/client-changes'
import type { Client } from '@/server/worker/clients-merge'
import {
  addClientEvent,
  type ClientEvent,
  clientRows,
  leaveAll,
  noteGone,
  noteHere,
  type Place,
  trimClients,
} from './known'
import { type TurnBook, turnOf } from './turns'

// Writes down who comes, moves and goes, from what the device worker tells.

const everyMs = 30_000
const trimMs = 3_600_000
/**
 * So long a client may be unseen before it counts as gone: forwarding tables forget who is silent, an access point is read
 * once a minute, and after a start of the manager the first readings take their time.
 */
export const absentMs = 300_000
/** Answers of the worker in one run: each tells of thousands. */
const mostAnswers = 50
/** Of how many an organization's registry is asked at once. */
const vendorsAtOnce = 5000

type Absent = Map<number, Map<string, number>>
type Book = {
  /** The last answer that is written down. */
  token: number | undefined
  /** Network → MAC → unseen since, and not told as gone yet. */
  absent: Absent
  turns: TurnBook
  /** What is written down now: one after the other, as each begins where the one before ended. */
  writing: Promise<unknown>
}
const recordPart = part<Book>('clientRecord', () => ({
  ...{ token: undefined, absent: new Map(), turns: new Map(), writing: Promise.resolve() },
}))

const absentOf = (absent: Absent, network: number) => {
  const held = absent.get(network) ?? new Map<string, number>()
  absent.set(network, held)
  return held
}

/** Nothing is known of who is there: whoever was counts as unseen since then, until it is told of. */
function beginAnew(runtime: Runtime, book: Book, now: number): void {
  for (const { network, mac } of leaveAll(runtime)) {
    const absent = absentOf(book.absent, network)
    if (!absent.has(mac)) absent.set(mac, now)
  }
}

type Told = 'clientConnected' | 'clientDisconnected'
/** Whoever is to be told of it is. */
function alertWatched(runtime: Runtime, network: number, mac: string, type: Told, { device, ssid, port }: Place) {
  const known = clientRows(runtime).named.get(network, mac)
  if (!known?.watched) return
  const own = runtime.db
    .select({ organization: networks.organization })
    .from(networks)
    .where(eq(networks.id, network))
    .get()
  if (!own) return
  const place = [deviceName(runtime, device ?? undefined), ssid ?? port].filter(Boolean).join(', ')
  const values = { client: known.name || known.hostname || mac, place: place || '–', mac }
  raiseAlert(runtime, { type, ...own, network, ...(device && { device }), values })
}

type Happened = { told: ClientEvent | undefined; former: string | undefined }
/** Writes down what happened to one that is here: that it came or moved, and that its address is another. */
function noteEvents(runtime: Runtime, network: number, client: Client, { told, former }: Happened, now: number): void {
  const { mac, device = null, port = null, ssid = null, band = null, address = null } = client
  const about = { network, mac, at: now, device, port, ssid, band }
  // Of one that comes it is said with which address.
  if (told) addClientEvent(runtime, { ...about, what: told, address: told === 'joined' ? address : null })
  if (told === 'joined') alertWatched(runtime, network, mac, 'clientConnected', { device, port, ssid })
  else if (former) addClientEvent(runtime, { ...about, what: 'address', address, former })
}

/** Answers the MACs that were never seen before. */
function writeNetwork(runtime: Runtime, book: Book, { network, here, gone }: ClientNews, now: number): string[] {
  const fresh: string[] = []
  const absent = absentOf(book.absent, network)
  for (const client of here) {
    const away = absent.delete(client.mac)
    const { what: seen, known, from, former } = noteHere(runtime, network, client, now)
    if (!known) fresh.push(client.mac)
    // Who roams between two access points does nothing strange.
    const isTurn = seen === 'moved' && from && !client.wifi
    const what = isTurn ? turnOf(book.turns, `${network} ${client.mac}`, [from, client], now) : seen
    // Somebody who was unseen for a moment did not come anew.
    const told = what === 'joined' && away ? undefined : what
    noteEvents(runtime, network, client, { told, former }, now)
  }
  for (const mac of gone) {
    noteGone(runtime, network, mac, now)
    absent.set(mac, now)
  }
  return fresh
}

/** Who was unseen for long is gone, since it was seen last. */
function endAbsent(runtime: Runtime, { absent }: Book, now: number): void {
  for (const [network, macs] of absent) {
    for (const [mac, since] of macs) {
      if (now - since < absentMs) continue
      macs.delete(mac)
      const last = clientRows(runtime).find.get(network, mac)
      if (!last) continue
      const { device, port, ssid, band } = last
      addClientEvent(runtime, { network, mac, at: since, what: 'left', device, port, ssid, band })
      alertWatched(runtime, network, mac, 'clientDisconnected', last)
    }
    if (macs.size === 0) absent.delete(network)
  }
}

/** One answer of the worker, in one transaction. A network that is deleted meanwhile is passed by. */
function write(runtime: Runtime, book: Book, changes: ClientChanges, now: number): string[] {
  const there = new Set(
    runtime.db
      .select({ id: networks.id })
      .from(networks)
      .all()
      .map(({ id }) => id),
  )
  const fresh = runtime.db.transaction(() => {
    if (changes.whole) beginAnew(runtime, book, now)
    const found = changes.networks.flatMap(one => (there.has(one.network) ? writeNetwork(runtime, book, one, now) : []))
    if (!changes.more) endAbsent(runtime, book, now)
    return found
  })
  book.token = changes.token
  return fresh
}

/** Gives MACs their vendor; one that a device made up itself has none. */
async function nameVendors(runtime: Runtime, macs: readonly string[]): Promise<void> {
  const asked = [...new Set(macs.filter(mac => !isPrivateMac(mac)))].slice(0, vendorsAtOnce)
  if (asked.length === 0) return
  const file = `${runtime.config.root}/node_modules/oui-data/index.json`
  const found = Object.entries(await fleetOf(runtime).ask('vendors', { file, macs: asked }))
  runtime.db.transaction(() => {
    for (const [mac, vendor] of found) runtime.db.update(clients).set({ vendor }).where(eq(clients.mac, mac)).run()
  })
}

const withoutVendor = ({ db }: Runtime): string[] =>
  db
    .select({ mac: clients.mac })
    .from(clients)
    .where(eq(clients.vendor, ''))
    .limit(vendorsAtOnce)
    .all()
    .map(one => one.mac)

async function record(runtime: Runtime, book: Book, now: () => number): Promise<void> {
  for (let answer = 0; answer < mostAnswers; answer++) {
    const changes = await fleetOf(runtime).ask('clientChanges', book.token)
    const fresh = write(runtime, book, changes, now())
    await nameVendors(runtime, changes.whole ? [...fresh, ...withoutVendor(runtime)] : fresh)
    if (!changes.more) return
  }
}

/** Asks the worker what is different until it has told all. */
export function recordClients(runtime: Runtime, now: () => number = Date.now): Promise<void> {
  const book = recordPart.of(runtime)
  const next = book.writing.then(() => record(runtime, book, now))
  book.writing = next.catch(() => undefined)
  return next
}

/** Writes down now who is new where one of these is not known: whoever is shown may be named at once. */
export async function recordUnknown(runtime: Runtime, network: number, macs: readonly string[]): Promise<void> {
  const own = and(eq(clients.network, network), inArray(clients.mac, [...macs]))
  const known = runtime.db.select({ id: clients.id }).from(clients).where(own).all()
  if (known.length === macs.length) return
  await recordClients(runtime).catch(error => console.error('clients:', error))
}

export function startClients(runtime: Runtime): void {
  runtime.jobs.start({ id: 'clients', every: everyMs, run: one => recordClients(one) })
  runtime.jobs.start({ id: 'clientsTrim', every: trimMs, run: one => trimClients(one, Date.now()) })
}
