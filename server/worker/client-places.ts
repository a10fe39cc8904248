import type { Client } from './clients-merge'

// Where clients were seen for certain, so that tables that forget at different times make no moves. Pure, but for the book.

/** Weaker evidence of one that left an access point is believed after so long: until then it is what others forget later. */
const leftMs = 600_000

type Place = Pick<Client, 'device' | 'port' | 'vlan' | 'wifi' | 'evidence'> & { at: number }
/** MAC → the place by the best evidence. */
export type ClientPlaceBook = Map<string, Place>

/** A station's access point knows best, then a port with nothing managed behind it. */
const ranks = { station: 3, port: 2, link: 1, address: 0 } as const
const rankOf = ({ evidence }: Pick<Client, 'evidence'>) => ranks[evidence ?? 'address']

/** Whoever is seen at a place by weaker evidence than before stays where it was; who left the Wi-Fi is not there. */
function placeOne(book: ClientPlaceBook, client: Client, isThere: (device: number) => boolean, now: number): boolean {
  const { mac, device, port, vlan, wifi, evidence } = client
  const before = book.get(mac)
  const isKnown = before?.device !== undefined && isThere(before.device)
  if (!before || !isKnown || rankOf(client) >= rankOf(before)) {
    book.set(mac, { device, port, vlan, wifi, evidence, at: now })
    return true
  }
  if (!before.wifi) {
    before.at = now
    Object.assign(client, { device: before.device, port: before.port, vlan: before.vlan, evidence: before.evidence })
    // They were of the other place's port.
    delete client.downBps
    delete client.upBps
    return true
  }
  // A port where nothing managed is seen behind it: it is plugged in there.
  if (evidence !== 'port' && now - before.at < leftMs) return false
  book.set(mac, { device, port, vlan, wifi, evidence, at: now })
  return true
}

/** Puts clients where the best evidence of the last minutes has them. `isThere`: a device that the network still has. */
export function holdPlaces(
  book: ClientPlaceBook,
  clients: Map<string, Client>,
  isThere: (device: number) => boolean,
  now: number,
): void {
  for (const client of clients.values()) if (!placeOne(book, client, isThere, now)) clients.delete(client.mac)
  for (const [mac, { at }] of book) if (!clients.has(mac) && now - at >= leftMs) book.delete(mac)
}
