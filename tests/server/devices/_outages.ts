// Random outages in random trees of devices, as polls see them: which device is named as the cause when people are told.
import { rootOf, type Standing } from '@/server/devices/incidents/causes'
import type { Parent } from '@/server/devices/incidents/wiring'
import { randomOf } from '../../soak/random'

const pollMs = 30_000
const offlineMs = 120_000
/** One poll of a hundred is lost though the device is well. */
const lossShare = 0.01

type Site = { parents: Map<number, Parent>; phase: number[]; dead: Set<number>; mute: Set<number> }

/** Device 0 hangs at the manager. Up to two fail; some were silent for long before and forward all the same. */
function siteOf(random: () => number): Site {
  const size = 5 + Math.floor(random() * 60)
  const parents = new Map(
    Array.from({ length: size - 1 }, (_, at): [number, Parent] => [
      at + 1,
      { parent: Math.max(0, Math.floor(random() * (at + 1)) - (random() < 0.5 ? 1 : 0)) },
    ]),
  )
  const any = () => Math.floor(random() * size)
  const dead = new Set(random() < 0.15 ? [any(), any()] : [any()])
  const mute = new Set(random() < 0.2 ? [any()].filter(one => !dead.has(one)) : [])
  return { parents, dead, mute, phase: Array.from({ length: size }, () => random() * pollMs) }
}

const way = ({ parents }: Site, device: number): number[] => {
  const above = parents.get(device)?.parent
  return above === undefined ? [device] : [device, ...way({ parents } as Site, above)]
}

/** What polls have made of a device by a moment; the outage began at 0. */
function standing(site: Site, device: number, by: number, random: () => number): Standing {
  if (site.mute.has(device)) return { down: true, since: -86_400_000, seenAt: -86_430_000 }
  const cut = way(site, device).some(one => site.dead.has(one))
  const phase = site.phase[device] ?? 0
  const last = phase - pollMs
  if (!cut) {
    const answered = phase + Math.floor((by - phase) / pollMs) * pollMs
    return { down: false, since: -3_600_000, seenAt: random() < lossShare ? answered - pollMs : answered }
  }
  const since = phase + pollMs
  return since > by ? { down: false, since: -3_600_000, seenAt: last } : { down: true, since, seenAt: last }
}

/** Those that ought to be named: who failed, without being behind another that did. */
const wanted = (site: Site) =>
  [...site.dead].filter(one =>
    way(site, one)
      .slice(1)
      .every(above => !site.dead.has(above)),
  )

/** The seeds of outages whose causes were named otherwise than they were. */
export function wrongRoots(seeds: readonly number[], causeOf = rootOf): number[] {
  return seeds.filter(seed => {
    const random = randomOf(seed)
    const site = siteOf(random)
    const all = site.phase.map((_, device) => device)
    const first = Math.min(...[...site.dead].map(one => (site.phase[one] ?? 0) + pollMs))
    const standings = new Map(all.map(one => [one, standing(site, one, first + offlineMs, random)]))
    const fresh = all.filter(one => standings.get(one)?.down && !site.mute.has(one))
    const named = new Set(fresh.map(one => causeOf(one, site.parents, standings)))
    const right = wanted(site)
    return named.size !== right.length || !right.every(one => named.has(one))
  })
}
