import { deviceState } from '@/model/device-state'
import { byUrgency, type Urgency } from '@/model/urgency'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { holds, type StoredColumn, searchText, sortRows } from './device-query'
import { type StoredDevice, storedDevice, storedDevices, type Tally } from './stored-devices'

// The rows of each network's devices in memory, with what lists are made of: their orders, and the text that is searched.
// SQLite itself notes which rows were written, whoever wrote them; those alone are read again.

/** Rows stand at places; what is kept beside them is by place. */
type Held = {
  rows: StoredDevice[]
  /** Device → its row's place. */
  places: Map<number, number>
  /** Made when a row is searched first. */
  texts: (string | undefined)[]
  /** Places in order, by column and direction. */
  orders: Map<string, { field: StoredColumn; places: Int32Array }>
  /** By place, in the order of names. */
  ranks?: Int32Array
  tally?: readonly Tally[]
}
type Index = Map<number, Held>

// Temporary: of this connection alone, and nothing of the file. A transaction that is rolled back takes its notes along.
const watch = `
CREATE TEMP TABLE changed_devices (id INTEGER PRIMARY KEY);
CREATE TEMP TRIGGER device_added AFTER INSERT ON main.devices WHEN new.id NOT IN changed_devices
  BEGIN INSERT INTO changed_devices VALUES (new.id); END;
CREATE TEMP TRIGGER device_written AFTER UPDATE ON main.devices WHEN new.id NOT IN changed_devices
  BEGIN INSERT INTO changed_devices VALUES (new.id); END;
CREATE TEMP TRIGGER device_removed AFTER DELETE ON main.devices WHEN old.id NOT IN changed_devices
  BEGIN INSERT INTO changed_devices VALUES (old.id); END;
CREATE TEMP TRIGGER group_renamed AFTER UPDATE OF name ON main.device_groups
  BEGIN INSERT INTO changed_devices SELECT id FROM devices WHERE device_group = new.id AND id NOT IN changed_devices; END;`

type Watched = {
  byNetwork: Index
  /** Ids of rows that were written since the last time. */
  takeChanged(): number[]
  /** Whether another connection wrote since the last time: no trigger of this one tells what. */
  wroteElsewhere(): boolean
}
const indexPart = part<Watched>('deviceIndex')

function watched(runtime: Runtime): Watched {
  const held = indexPart.find(runtime)
  if (held) return held
  const { sqlite } = runtime
  sqlite.exec(watch)
  const read = sqlite.prepare('SELECT id FROM temp.changed_devices').pluck()
  const forget = sqlite.prepare('DELETE FROM temp.changed_devices')
  const versionNow = () => sqlite.pragma('data_version', { simple: true }) as number
  let version = versionNow()
  const made: Watched = {
    byNetwork: new Map(),
    takeChanged() {
      const ids = read.all() as number[]
      if (ids.length > 0) forget.run()
      return ids
    },
    wroteElsewhere() {
      const before = version
      version = versionNow()
      return version !== before
    },
  }
  indexPart.start(runtime, made)
  return made
}

function put(held: Held, row: StoredDevice, place: number): void {
  held.rows[place] = row
  held.texts[place] = undefined
  held.places.set(row.id, place)
}

/** Orders that the row's change does not touch stay. */
function change(held: Held, row: StoredDevice, place: number): void {
  const before = held.rows[place]
  put(held, row, place)
  held.tally = undefined
  if (before?.name !== row.name) forgetOrders(held)
  else for (const [key, { field }] of held.orders) if (before[field] !== row[field]) held.orders.delete(key)
}

function forgetOrders(held: Held): void {
  held.orders.clear()
  held.ranks = undefined
  held.tally = undefined
}

function add(held: Held, row: StoredDevice): void {
  put(held, row, held.rows.length)
  forgetOrders(held)
}

/** The last row takes the place of the one that goes. */
function remove(held: Held, id: number, place: number): void {
  const last = held.rows.pop()
  held.texts.pop()
  held.places.delete(id)
  if (last && last.id !== id) put(held, last, place)
  forgetOrders(held)
}

function renew(runtime: Runtime, index: Index, id: number): void {
  const row = storedDevice(runtime, id)
  for (const [network, held] of index) {
    const place = held.places.get(id)
    const here = row?.network === network
    if (place === undefined) here && add(held, row)
    else if (here) change(held, row, place)
    else remove(held, id, place)
  }
}

/** So many at once are read quicker with all the others. */
const mostSingly = 2000

/** What is known of a network's devices, as the database has them now. */
function heldOf(runtime: Runtime, network: number): Held {
  // What a transaction wrote may be taken back: it is read, and not kept.
  if (runtime.sqlite.inTransaction) return heldFrom(storedDevices(runtime, network))
  const { byNetwork, takeChanged, wroteElsewhere } = watched(runtime)
  const changed = takeChanged()
  if (wroteElsewhere() || changed.length > mostSingly) byNetwork.clear()
  else for (const id of changed) renew(runtime, byNetwork, id)
  const held = byNetwork.get(network) ?? heldFrom(storedDevices(runtime, network))
  byNetwork.set(network, held)
  return held
}

function heldFrom(rows: StoredDevice[]): Held {
  const places = new Map(rows.map((row, place) => [row.id, place]))
  return { rows, places, texts: new Array(rows.length), orders: new Map() }
}

/** Orders that are kept of a network: the columns that people sort by at a time. */
const mostOrders = 8

function orderOf(held: Held, field: StoredColumn, direction: 'asc' | 'desc'): Int32Array {
  const key = `${field} ${direction}`
  const known = held.orders.get(key)
  if (known) return known.places
  const sorted = sortRows(held.rows, { direction, read: row => row[field], rankOf: rankOf(held) })
  const places = Int32Array.from(sorted, row => held.places.get(row.id) ?? 0)
  if (held.orders.size >= mostOrders) held.orders.delete([...held.orders.keys()][0] ?? '')
  held.orders.set(key, { field, places })
  return places
}

/** Where a row stands in the order of names: as equal rows of any column have it. */
function rankOf(held: Held): (row: StoredDevice) => number {
  if (!held.ranks) {
    held.ranks = new Int32Array(held.rows.length)
    const alike = sortRows(held.rows, { direction: 'asc', read: () => undefined })
    for (const [rank, row] of alike.entries()) held.ranks[held.places.get(row.id) ?? 0] = rank
  }
  const { ranks, places } = held
  return row => ranks[places.get(row.id) ?? 0] ?? 0
}

/** All devices of a network, in no order. Nobody may change them. */
export const indexedDevices = (runtime: Runtime, network: number): readonly StoredDevice[] =>
  heldOf(runtime, network).rows

export type Wanted = {
  keeps?: ((row: StoredDevice) => boolean) | undefined
  /** In lower case; '' for all. */
  text: string
  direction: 'asc' | 'desc'
  /** The column they are ordered by; of one that polls tell what each row has of it. */
  by: StoredColumn | ((row: StoredDevice) => number | undefined)
}

/** Those of a network's devices that are asked for, in order. */
export function orderedDevices(
  runtime: Runtime,
  network: number,
  { keeps, text, direction, by }: Wanted,
): readonly StoredDevice[] {
  const held = heldOf(runtime, network)
  const hasText = (place: number, row: StoredDevice) => {
    const all = held.texts[place] ?? searchText(row)
    held.texts[place] = all
    return holds(row, all, text)
  }
  const found: StoredDevice[] = []
  for (const place of typeof by === 'string' ? orderOf(held, by, direction) : held.rows.keys()) {
    const row = held.rows[place] as StoredDevice
    if ((!keeps || keeps(row)) && (!text || hasText(place, row))) found.push(row)
  }
  return typeof by === 'string' ? found : sortRows(found, { direction, read: by, rankOf: rankOf(held) })
}

/** How many devices of each kind and state a network has; warnings: no password, or a reading that fails. */
export function tallyOf(runtime: Runtime, network: number): readonly Tally[] {
  const held = heldOf(runtime, network)
  held.tally ??= counted(held.rows)
  return held.tally
}

const needsLook = ({ openLogin, status, reason }: StoredDevice) => openLogin || (status === 1 && reason !== '')

function counted(rows: readonly StoredDevice[]): Tally[] {
  const found = new Map<string, Tally>()
  for (const row of rows) {
    const { kind, status } = row
    const key = `${kind} ${status}`
    const one = found.get(key) ?? { kind, status, count: 0, silent: 0, warnings: 0 }
    one.count += 1
    if (deviceState(row) === 'silent') one.silent += 1
    if (needsLook(row)) one.warnings += 1
    found.set(key, one)
  }
  return [...found.values()]
}

/** How grave it is that a device needs a person, and since when it does, where that is known. */
export function urgencyOf({ status, statusAt, reason, reasonAt, seenAt, openLogin }: Troubled): Urgency {
  if (status === 0) return { level: 'critical', since: statusAt }
  // Since when it takes a login without a password, nobody knows.
  const since = openLogin ? undefined : deviceState({ status, reason }) === 'silent' ? seenAt : reasonAt
  return { level: 'warning', ...(since !== undefined && { since }) }
}
type Troubled = Pick<StoredDevice, 'status' | 'statusAt' | 'reason' | 'reasonAt' | 'seenAt' | 'openLogin'>

/** Devices that need a person, the most urgent first. */
export function troubledDevices(runtime: Runtime, network: number, most: number): number[] {
  const rows = heldOf(runtime, network).rows.filter(row => row.status === 0 || needsLook(row))
  const found = rows.map(row => ({ id: row.id, ...urgencyOf(row) }))
  found.sort((a, b) => byUrgency(a, b) || a.id - b.id)
  return found.slice(0, most).map(row => row.id)
}
