import type { Bss, Radio } from '@/server/drivers/observation'
import type { HistoryStore } from '@/server/history/history'
import { slotTotals } from '@/server/history/query'
import type { Range } from '@/server/history/tiers'
import type { View } from './client-view'
import type { Client } from './clients-merge'

// How a network's Wi-Fi does now, as its access points tell.

/** Octets of the range asked for, where any access point counted them: down is to the clients. */
export type SsidNow = {
  ssid: string
  /** Devices that broadcast it. */
  devices: number[]
  /** Absent where none of them tells. */
  clients?: number
  downOctets?: number
  upOctets?: number
}
/** `carriers`: devices with a radio. */
export type WirelessNow = { ssids: SsidNow[]; carriers: number[] }

/** How often each value is in use, most first. */
export type Used = { value: number; radios: number }[]
/** The radios of one band that answer. */
export type BandUse = {
  band: NonNullable<Radio['band']>
  /** On, and switched off. */
  on: number
  off: number
  channels: Used
  widths: Used
  powers: Used
}

/** By SSID: who broadcasts it, and how many are in it. */
export function countBySsid(views: readonly View[], clients: Iterable<Client>): Map<string, SsidNow> {
  const found = new Map<string, SsidNow>()
  const take = ({ device, stations }: View, { ssid, clients: told }: Bss) => {
    const one = found.get(ssid) ?? { ssid, devices: [] }
    found.set(ssid, one)
    if (one.devices.at(-1) !== device) one.devices.push(device)
    // Who names its clients is counted by them.
    const more = stations ? 0 : told
    if (more !== undefined) one.clients = (one.clients ?? 0) + more
  }
  for (const view of views) for (const bss of view.bss ?? []) if (bss.up) take(view, bss)
  for (const { wifi, ssid } of clients) {
    const one = wifi && ssid !== undefined ? found.get(ssid) : undefined
    if (one) one.clients = (one.clients ?? 0) + 1
  }
  return found
}

/** Totals of a range are read once for everybody who asks within this time. */
const keptMs = 60_000
type Totals = { at: number; totals: ReturnType<typeof slotTotals> }
const kept = new WeakMap<HistoryStore, Map<string, Totals>>()

function totalsOf(history: HistoryStore, network: number, range: Range, now: number): Totals['totals'] {
  const known = kept.get(history) ?? new Map<string, Totals>()
  kept.set(history, known)
  const held = known.get(`${network} ${range}`)
  if (held && now - held.at < keptMs) return held.totals
  const totals = slotTotals(history, { of: 'network', id: network }, range, now)
  known.set(`${network} ${range}`, { at: now, totals })
  return totals
}

export function wirelessNow(
  views: readonly View[],
  clients: Iterable<Client>,
  { history, network, range = '1d', now }: { history: HistoryStore; network: number; range?: Range; now: number },
): WirelessNow {
  const totals = totalsOf(history, network, range, now)
  const ssids = [...countBySsid(views, clients).values()].map(one => {
    const slot = history.slotOf({ of: 'network', id: network }, one.ssid)
    const day = slot < 0 ? undefined : totals[slot]
    return { ...one, ...(day && { downOctets: day.outOctets, upOctets: day.inOctets }) }
  })
  return { ssids, carriers: views.flatMap(view => (view.radios?.length ? [view.device] : [])) }
}

const usedOf = (values: readonly (number | undefined)[]): Used => {
  const counts = new Map<number, number>()
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, radios]) => ({ value, radios }))
    .sort((a, b) => b.radios - a.radios || a.value - b.value)
}

/** By band what the radios of these views use, those that are on. */
export function bandUse(views: readonly View[]): BandUse[] {
  const radios = views.flatMap(view => view.radios ?? [])
  return (['2g', '5g', '6g'] as const).flatMap(band => {
    const all = radios.filter(one => one.band === band)
    const on = all.filter(one => one.up !== false)
    if (all.length === 0) return []
    return {
      band,
      on: on.length,
      off: all.length - on.length,
      channels: usedOf(on.map(one => one.channel)),
      widths: usedOf(on.map(one => one.widthMhz)),
      powers: usedOf(on.map(one => one.txPowerDbm)),
    }
  })
}
