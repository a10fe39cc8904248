import type { HistoryFile } from './file'
import type { Series } from './series'

// A client is known by its network and MAC address, wired and wireless alike; here it has a number of the history's own, so
// that its rows are as short as a device's, and a client that comes again after it was forgotten is another.

/** Of one network, and how many make room at once. */
const most = { clients: 20_000, out: 2000 } as const
const dayMs = 86_400_000

type Held = { id: number; day: number }
/** `fullOn`: the day on which there was nobody to make room. */
type Network = { clients: Map<string, Held>; fullOn?: number }
export type ClientBook = {
  file: Pick<HistoryFile, 'clientsOf' | 'addClient' | 'seeClient' | 'forget' | 'forgetClients'>
  networks: Map<number, Network>
  /** Told of each series that is nobody's any more. */
  onForgotten(series: Series): void
}

export const newClientBook = (file: ClientBook['file'], onForgotten: ClientBook['onForgotten']): ClientBook => ({
  file,
  networks: new Map(),
  onForgotten,
})

function networkOf({ file, networks }: ClientBook, network: number): Network {
  const held = networks.get(network) ?? {
    clients: new Map(file.clientsOf(network).map(({ mac, id, day }) => [mac, { id, day }])),
  }
  networks.set(network, held)
  return held
}

/** The longest unmeasured of those that nobody measured today. A host that invents addresses drives out no others. */
function makeRoom(book: ClientBook, network: number, day: number): void {
  const own = networkOf(book, network)
  const old = [...own.clients].filter(([, one]) => one.day < day).sort(([, a], [, b]) => a.day - b.day)
  for (const [mac] of old.slice(0, most.out)) forgetClient(book, network, mac)
  if (old.length === 0) own.fullOn = day
}

/** A client's series at `at` (unix ms), from now on known; undefined while its network has too many. */
export function clientSeries(book: ClientBook, network: number, mac: string, at: number): Series | undefined {
  const own = networkOf(book, network)
  const day = Math.floor(at / dayMs)
  const held = own.clients.get(mac)
  if (held) {
    if (held.day !== day) book.file.seeClient(held.id, day)
    held.day = day
    return { of: 'client', id: held.id }
  }
  if (own.clients.size >= most.clients && own.fullOn !== day) makeRoom(book, network, day)
  if (own.clients.size >= most.clients) return undefined
  const id = book.file.addClient(network, mac, day)
  own.clients.set(mac, { id, day })
  return { of: 'client', id }
}

/** Its number is nobody's from now on. One that was never measured gets one for that: what access points told of it goes, too. */
export function forgetClient(book: ClientBook, network: number, mac: string): void {
  const { clients } = networkOf(book, network)
  const id = clients.get(mac)?.id ?? book.file.addClient(network, mac, 0)
  clients.delete(mac)
  const series: Series = { of: 'client', id }
  book.file.forget(series, { network, mac })
  book.onForgotten(series)
}

/** All of a network. */
export function forgetClients(book: ClientBook, network: number): void {
  const { clients } = networkOf(book, network)
  book.file.forgetClients(network)
  book.networks.delete(network)
  for (const { id } of clients.values()) book.onForgotten({ of: 'client', id })
}
