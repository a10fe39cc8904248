import { takesSetting } from '@/model/abilities'
import { type Assign, reachesAny } from '@/model/assign'
import { isLibrary } from '@/model/registry'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import type { DocumentRow } from '@/server/kernel/documents'
import { pathOf } from '@/server/networks/groups/groups'
import { isAssigned } from '../plan/assigned'
import type { NetworkDocuments } from '../plan/desired'
import type { LeftOut } from '../plan/left-out'
import type { ListedDevice } from '../plan/plan'
import type { SyncStatus } from '../plan/sync-cache'

// On how many devices a network's settings are, for those that are not on all that they were given to.

export type Reason = Pick<LeftOut, 'effect' | 'code' | 'values'> & {
  /** How many devices say it, and the first of them by name. */
  count: number
  devices: { id: number; name: string }[]
}
/** A setting that does not reach everything it was given to. */
export type Reach = {
  /** The document; of a setting without a list its kind. */
  id: string
  kind: string
  name: string
  /** Whether it was given to any device at all, or to a group. */
  given: boolean
  /** Devices that it was given to and that could have it, those that will have it, and those of them where a part is missing. */
  of: number
  on: number
  partly: number
  reasons: Reason[]
}

export type Stand = { device: ListedDevice; standing: Pick<SyncStatus, 'leftOut' | 'unfit' | 'modified'> }

/** Devices and reasons named of one setting; more are counted. */
const named = 3
const reasonsKept = 5

const ranks = { moot: 0, part: 1, held: 2, out: 2 } as const
const worst = (all: readonly LeftOut[]) => Math.max(0, ...all.map(one => ranks[one.effect]))

type Found = { device: ListedDevice; left: LeftOut[] }

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const held = groups.get(key)
    if (held) held.push(one)
    else groups.set(key, [one])
  }
  return groups
}

/** By document what devices say of it. */
function byDocument(stands: readonly Stand[]): Map<string, Found[]> {
  const said = stands.flatMap(({ device, standing }) =>
    [...grouped(standing.leftOut, one => one.document)].map(([document, left]) => ({ document, device, left })),
  )
  return grouped(said, one => one.document)
}

function reasonsOf(found: readonly Found[]): Reason[] {
  const reasons = new Map<string, Reason>()
  for (const { device, left } of found)
    for (const { effect, code, values } of left) {
      const key = `${code} ${JSON.stringify(values)}`
      const held = reasons.get(key) ?? { effect, code, values, count: 0, devices: [] }
      held.count += 1
      if (held.devices.length < named) held.devices.push({ id: device.id, name: device.name })
      reasons.set(key, held)
    }
  // What is not there at all is said before what is there in part.
  const sorted = [...reasons.values()].sort((a, b) => ranks[b.effect] - ranks[a.effect] || b.count - a.count)
  return sorted.slice(0, reasonsKept)
}

const nobody: Assign = { all: false, groups: [], devices: [] }
type Wanted = Pick<Reach, 'id' | 'kind' | 'name' | 'given'> & { isGiven(device: ListedDevice): boolean }

/** What a network gives to devices: its documents, and what it sets without a list. Helpers of others are given to nobody. */
function wantedOf({ rows, assigns, groups, singles }: NetworkDocuments): Wanted[] {
  const paths = new Map<number | null, number[]>()
  const path = ({ group }: ListedDevice) => {
    const held = paths.get(group) ?? pathOf(groups, group)
    paths.set(group, held)
    return held
  }
  const listed = rows
    .filter(row => !isLibrary(row.kind))
    .map(({ id, kind, name }): Wanted => {
      const assign = assigns.get(id) ?? nobody
      const isGiven = (device: ListedDevice) => isAssigned(assign, device.id, path(device))
      return { id, kind, name, given: reachesAny(assign), isGiven }
    })
  const set = grouped(
    singles.filter(row => row.data !== '{}'),
    row => row.kind,
  )
  const applies =
    (device: ListedDevice) =>
    ({ scope, scopeId }: DocumentRow) =>
      scope === 'network' || (scope === 'group' ? path(device).includes(scopeId) : scopeId === device.id)
  const whole = [...set].map(
    ([kind, own]): Wanted => ({
      ...{ id: kind, kind, name: '', given: true },
      isGiven: device => own.some(applies(device)),
    }),
  )
  return [...listed, ...whole]
}

/** Settings of a network that are not on every device they were given to and that could have them. */
export function reachOf(network: NetworkDocuments, stands: readonly Stand[], isOn: (id: string) => boolean): Reach[] {
  const found = byDocument(stands)
  const unread = stands.some(({ standing }) => standing.modified === undefined)
  const can = ({ device, standing }: Stand, kind: string) =>
    standing.modified !== undefined && takesSetting(abilitiesOf(device), kind) && !standing.unfit.includes(kind)
  return wantedOf(network).flatMap(({ isGiven, ...wanted }) => {
    const { id, kind } = wanted
    const said = found.get(id) ?? []
    const isHere = (one: Stand) => can(one, kind) && isGiven(one.device)
    if (said.length === 0 && (unread || !isOn(id) || stands.length === 0 || stands.some(isHere))) return []
    const moot = said.filter(one => worst(one.left) === ranks.moot).length
    const missing = said.filter(one => worst(one.left) === ranks.out).length
    const partly = said.filter(one => worst(one.left) === ranks.part).length
    const of = stands.filter(isHere).length - moot
    if (missing + partly === 0 && of > 0) return []
    return [{ ...wanted, of, on: Math.max(0, of - missing), partly, reasons: reasonsOf(said) }]
  })
}
