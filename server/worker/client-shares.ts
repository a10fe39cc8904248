import type { Radio } from '@/server/drivers/observation'
import type { View } from './client-view'
import type { Client } from './clients-merge'

/** How a network's clients are spread. `band` and `ssid` null: on Wi-Fi, and nobody tells which. */
export type ClientShares = {
  /** False where no device of the network tells of clients: then nothing is known, not none. */
  told: boolean
  wired: number
  bands: { band: NonNullable<Radio['band']> | null; clients: number }[]
  ssids: { ssid: string | null; clients: number }[]
}

/** Where a station is: clients have the place of the view that is last to show them, as in `merge`. */
function bandsOfStations(views: readonly View[]): Map<string, Radio['band']> {
  const found = new Map<string, Radio['band']>()
  for (const { stations, bss = [], radios = [] } of views) {
    if (!stations?.length) continue
    const bands = new Map(radios.map(one => [one.key, one.band]))
    const places = new Map(bss.map(one => [one.key, bands.get(one.radio ?? '')]))
    for (const { mac, bss: at } of stations) found.set(mac, places.get(at ?? ''))
  }
  return found
}

const add = <K>(counts: Map<K, number>, key: K, clients = 1) => counts.set(key, (counts.get(key) ?? 0) + clients)

/** Clients by band and SSID; those that a controller only counts are on its radios, where it says on which. */
export function clientShares(views: readonly View[], clients: Iterable<Client>, told: boolean): ClientShares {
  const bands = new Map<Radio['band'] | null, number>()
  const ssids = new Map<string | null, number>()
  const bandOf = bandsOfStations(views)
  let wired = 0
  for (const { wifi, mac, ssid } of clients) {
    if (!wifi) {
      wired += 1
      continue
    }
    add(bands, bandOf.get(mac) ?? null)
    add(ssids, ssid ?? null)
  }
  for (const { stations, told: counted = 0, bss = [], radios = [] } of views) {
    if (stations) continue
    let left = counted
    for (const { radio, ssid, clients: own = 0 } of bss) {
      const here = Math.min(own, left)
      if (here === 0) continue
      left -= here
      add(bands, radios.find(one => one.key === radio)?.band ?? null, here)
      add(ssids, ssid, here)
    }
    if (left > 0) {
      add(bands, null, left)
      add(ssids, null, left)
    }
  }
  return {
    told,
    wired,
    bands: [...bands].map(([band, count]) => ({ band: band ?? null, clients: count })),
    ssids: [...ssids].map(([ssid, count]) => ({ ssid, clients: count })),
  }
}
