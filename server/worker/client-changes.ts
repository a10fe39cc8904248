import type { Client } from './clients-merge'

// What of the networks' clients is different since it was last told. Pure, but for the book that it keeps.

/** At most so many in one answer: it passes from one thread to the other in one piece. */
const mostAtOnce = 5000

export type ClientNews = {
  network: number
  /** New, or elsewhere, or by another name or address than before. */
  here: Client[]
  /** MACs that no device sees any more. */
  gone: string[]
}
export type ClientChanges = {
  /** To be given back with the next question: else all is told anew. */
  token: number
  /** True: nothing was told before this, so whoever is not told of is not there. */
  whole: boolean
  /** There is more: ask again at once. */
  more: boolean
  networks: ClientNews[]
}

/** MAC → what was told of it, by network. */
export type ToldClients = { token: number; of: Map<number, Map<string, string>> }

export const nothingTold = (token: number): ToldClients => ({ token, of: new Map() })

const shape = ({ device, port, ssid, band, vlan, name, address }: Client) =>
  [device, port, ssid, band, vlan, name, address].join('\n')

function newsOf(told: Map<string, string>, clients: ReadonlyMap<string, Client>, most: number) {
  const here: Client[] = []
  for (const [mac, client] of clients) {
    if (here.length >= most) break
    const now = shape(client)
    if (told.get(mac) === now) continue
    told.set(mac, now)
    here.push(client)
  }
  const gone = [...told.keys()].filter(mac => !clients.has(mac)).slice(0, most - here.length)
  for (const mac of gone) told.delete(mac)
  return { here, gone }
}

/**
 * The changes since the answer with the token `after`. What was answered before is forgotten where another token comes
 * back: whoever asked has lost it.
 */
export function changesSince(
  told: ToldClients,
  after: number | undefined,
  networks: ReadonlyMap<number, ReadonlyMap<string, Client>>,
): ClientChanges {
  const whole = after !== told.token
  if (whole) told.of.clear()
  told.token += 1
  let left = mostAtOnce
  const found: ClientNews[] = []
  for (const network of new Set([...told.of.keys(), ...networks.keys()])) {
    if (left <= 0) break
    const own = told.of.get(network) ?? new Map<string, string>()
    told.of.set(network, own)
    const news = newsOf(own, networks.get(network) ?? new Map(), left)
    if (own.size === 0) told.of.delete(network)
    left -= news.here.length + news.gone.length
    if (news.here.length + news.gone.length > 0) found.push({ network, ...news })
  }
  return { token: told.token, whole, more: left <= 0, networks: found }
}
