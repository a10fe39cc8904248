import type { NeighborList } from '@/server/drivers/driver'
import type { Bss } from '@/server/drivers/observation'

// Which access points of a network's Wi-Fi tell their clients of which others (IEEE 802.11k), in memory.

/** More than a client looks for. Nobody knows who stands beside whom: who was adopted next counts as near. */
export const mostNeighbors = 24
/** What a device did not take is not told again before this. */
const againMs = 600_000

type Place = Required<Pick<Bss, 'ssid' | 'neighbors'>> & { interface: string }
/** The access points of one SSID of a network, by device; `ids` in order while nobody came or went. */
type Group = { members: Map<number, string[]>; ids?: number[] }

export type NeighborBook = ReturnType<typeof createNeighborBook>

const places = (bss: readonly Bss[]): Place[] =>
  bss.flatMap(({ ssid, neighbors, interface: name, up }) =>
    neighbors && name && up ? [{ ssid, neighbors, interface: name }] : [],
  )

/** Those of the device itself, then of the devices on both sides of it, nearest first. */
function nearest({ members, ids = [] }: Group, device: number, own: string): string[] {
  const found = (members.get(device) ?? []).filter(element => element !== own)
  const at = ids.indexOf(device)
  for (let away = 1; found.length < mostNeighbors && (at - away >= 0 || at + away < ids.length); away++)
    for (const id of [ids[at - away], ids[at + away]]) if (id !== undefined) found.push(...(members.get(id) ?? []))
  return found.slice(0, mostNeighbors)
}

const shape = (all: readonly Place[]) => JSON.stringify(all.map(({ ssid, neighbors }) => [ssid, neighbors.own]))
const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && b.every(one => a.includes(one))

export function createNeighborBook() {
  const devices = new Map<number, { network: number; places: Place[] }>()
  const groups = new Map<string, Group>()
  const tried = new Map<number, { what: string; at: number }>()
  const nameOf = (network: number, ssid: string) => `${network}\n${ssid}`

  function forget(device: number): void {
    const held = devices.get(device)
    devices.delete(device)
    for (const { ssid } of held?.places ?? []) {
      const name = nameOf(held?.network ?? 0, ssid)
      const group = groups.get(name)
      if (group?.members.delete(device)) delete group.ids
      if (group?.members.size === 0) groups.delete(name)
    }
  }

  function note({ id, network }: { id: number; network: number }, bss: readonly Bss[]): void {
    const now = places(bss)
    const before = devices.get(id)
    if (now.length === 0 && !before) return
    if (before?.network === network && shape(before.places) === shape(now)) {
      before.places = now
      return
    }
    forget(id)
    devices.set(id, { network, places: now })
    for (const { ssid, neighbors } of now) {
      const group: Group = groups.get(nameOf(network, ssid)) ?? { members: new Map() }
      groups.set(nameOf(network, ssid), group)
      group.members.set(id, [...(group.members.get(id) ?? []), neighbors.own])
      delete group.ids
    }
  }

  return {
    /** What an access point said of its networks. */
    note,
    /** It does not answer, or is gone: others tell of it no longer. */
    forget,
    /** The lists of a device that are not as they should be; each only once, until it is well or time has passed. */
    wanted(device: number, now: number): NeighborList[] {
      const { network = 0, places: own = [] } = devices.get(device) ?? {}
      const lists = own.flatMap(({ interface: name, ssid, neighbors: { own: element, told } }) => {
        const group = groups.get(nameOf(network, ssid))
        if (!group) return []
        group.ids ??= [...group.members.keys()].sort((a, b) => a - b)
        const wanted = nearest(group, device, element)
        return same(told, wanted) ? [] : [{ interface: name, ssid, told, wanted }]
      })
      const what = JSON.stringify(lists)
      const last = tried.get(device)
      if (lists.length === 0) tried.delete(device)
      else if (last?.what === what && now - last.at < againMs) return []
      else tried.set(device, { what, at: now })
      return lists
    },
  }
}
