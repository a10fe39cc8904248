import { type AddressChange, addressChangeOf } from './address-change'
import {
  type Adopted,
  type Cut,
  type DesiredDocument,
  type Driver,
  type Interrupts,
  isAbout,
  type NativeBlock,
  type NativeConfig,
  type Rendered,
  type Renderer,
  type RenderInput,
  readsToo,
} from './driver'
import type { Facts, LldpNeighbour, Observation } from './observation'
import { renderOnce } from './render-once'
import type { UnmanagedItem } from './unmanaged'

// What a change of a device's blocks does to others, told from the last reading. Pure.

/** One managed device's last reading. */
export type Reading = { id: number; name: string; address: string; observation: Observation }
/** A managed device behind a port, with what hangs on it. */
export type Behind = { name: string; ssids: number; clients: number }
/** What stands still for a moment, and for whom. Absent clients: the device does not tell them. */
export type Interrupted = { port?: string; ssid?: string; devices: Behind[]; clients?: number }
export type Assessment = { cuts: Cut[]; interrupted: Interrupted[]; move?: AddressChange }

type Equal = Driver<unknown>['equal']

/** Blocks that a push would add, change or remove, in both their states. */
function changedBlocks(before: NativeConfig, next: NativeConfig, equal: Equal): NativeBlock[] {
  const [old, wanted] = [before, next].map(config => new Map(config.blocks.map(block => [block.id, block])))
  const changed = next.blocks.flatMap(block => {
    const other = old?.get(block.id)
    if (!other) return [block]
    return block.text === other.text || equal(block, other)
      ? []
      : [block, { ...other, kind: block.kind, document: block.document }]
  })
  return [...changed, ...before.blocks.filter(block => !wanted?.has(block.id))]
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

type Touched = { block: NativeBlock; what: Interrupts }

const touchedBy = (
  renderers: readonly Renderer[],
  blocks: readonly NativeBlock[],
  observation: Observation,
): Touched[] =>
  blocks.flatMap(block =>
    renderers.flatMap(({ interrupts }) => {
      const what = interrupts?.(block, observation)
      return what ? [{ block, what }] : []
    }),
  )

const nameOf = (observation: Observation, key: string) =>
  observation.ports?.find(port => port.interface === key)?.label ??
  observation.interfaces?.find(one => one.key === key)?.name ??
  key

/** Blocks that stop the interface or the port by which the manager comes in. */
function pathCuts(touched: readonly Touched[], observation: Observation): Cut[] {
  const way = [observation.path?.interface, observation.path?.port]
  const found = touched.flatMap(({ block, what }): Cut[] => {
    const hit = what.interfaces?.find(key => way.includes(key))
    if (hit === undefined) return []
    const values = { interface: nameOf(observation, hit) }
    return [{ code: 'interface', values, block: block.id, kind: block.kind, document: block.document }]
  })
  return [...new Map(found.map(cut => [cut.block, cut])).values()]
}

const stationsOn = (observation: Observation, ssid: string): number | undefined => {
  const own = observation.bss?.filter(one => one.ssid === ssid) ?? []
  const counts = own.flatMap(one => one.clients ?? [])
  if (counts.length > 0) return counts.reduce((sum, count) => sum + count, 0)
  return observation.stations?.filter(one => one.ssid === ssid).length
}

export const isNeighbour = ({ name, address, observation }: Reading, seen: LldpNeighbour): boolean => {
  const macs = [observation.facts?.mac, ...(observation.interfaces ?? []).map(one => one.mac)]
  if (seen.managementAddress !== undefined && seen.managementAddress === address) return true
  if (seen.chassisId !== undefined && macs.includes(seen.chassisId.toLowerCase())) return true
  return seen.systemName !== undefined && [name, observation.facts?.hostname].includes(seen.systemName)
}

const behindPort = (observation: Observation, key: string, fleet: readonly Reading[]): Reading[] =>
  (observation.neighbours ?? [])
    .filter(one => one.localPort === key)
    .flatMap(seen => fleet.find(device => isNeighbour(device, seen)) ?? [])

function onPort(observation: Observation, key: string, fleet: readonly Reading[]): Interrupted {
  const devices = behindPort(observation, key, fleet).map(({ name, observation: other }) => ({
    name,
    ssids: unique((other.bss ?? []).filter(one => one.up).map(one => one.ssid)).length,
    clients: other.stations?.length ?? other.wirelessClients ?? 0,
  }))
  const hosts = observation.hosts?.filter(host => host.port === key && host.source !== 'arp').length
  return { port: nameOf(observation, key), devices, ...(hosts !== undefined && { clients: hosts }) }
}

const onSsid = (observation: Observation, ssid: string): Interrupted => {
  const clients = stationsOn(observation, ssid)
  return { ssid, devices: [], ...(clients !== undefined && { clients }) }
}

/** Only what is there to be interrupted: a network that is not on the air yet has nobody on it. */
function interruptions(touched: readonly Touched[], observation: Observation, fleet: () => Reading[]): Interrupted[] {
  const ssids = unique(touched.flatMap(one => one.what.ssids ?? []))
  const onAir = ssids.filter(ssid => observation.bss?.some(one => one.ssid === ssid && one.up))
  const ports = unique(touched.flatMap(one => one.what.interfaces ?? [])).filter(key =>
    observation.ports?.some(port => port.interface === key),
  )
  // The others' readings are many: they are asked for only where a port is touched.
  const others = ports.length > 0 ? fleet() : []
  return [...onAir.map(ssid => onSsid(observation, ssid)), ...ports.map(key => onPort(observation, key, others))]
}

function movedCut({ from, to, block }: AddressChange, next: NativeConfig): Cut {
  const { kind, document } = next.blocks.find(one => one.id === block) ?? {}
  return { code: 'moves', values: { from, to }, block, kind, document }
}

/** Whom a push from `before` to `next` interrupts, and whether it cuts the manager's own way. */
export function assess(
  driver: Pick<Driver<unknown>, 'renderers' | 'equal'>,
  before: NativeConfig,
  next: NativeConfig,
  observation: Observation,
  fleet: () => Reading[],
): Assessment {
  const changed = changedBlocks(before, next, driver.equal)
  const touched = touchedBy(driver.renderers, changed, observation)
  const move = addressChangeOf(before, next, observation.path?.local)
  const told = driver.renderers.flatMap(({ cuts }) => cuts?.(before, next, observation) ?? [])
  const known = new Set([...told.map(cut => cut.block), move?.block])
  return {
    cuts: [
      ...(move ? [movedCut(move, next)] : []),
      ...told,
      ...pathCuts(touched, observation).filter(cut => !known.has(cut.block)),
    ],
    interrupted: interruptions(touched, observation, fleet),
    ...(move && { move }),
  }
}

/** For each device the managed one that its own way to the manager goes through: its neighbour on that port. */
export function uplinks(fleet: readonly Reading[]): [device: number, parent: number][] {
  return fleet.flatMap(({ id, observation }) => {
    const { port } = observation.path ?? {}
    if (port === undefined) return []
    const others = fleet.filter(other => other.id !== id)
    const parent = behindPort(observation, port, others)[0]
    return parent ? [[id, parent.id] as [number, number]] : []
  })
}

/** What a device has of its own, without offers of kinds that it cannot do: an access point's address is no gateway's LAN. */
export function sayable(
  items: readonly UnmanagedItem[],
  renderers: readonly Renderer[],
  facts: Facts | undefined,
): UnmanagedItem[] {
  const kinds = items.flatMap(item => item.options.flatMap(option => option.kind ?? []))
  const lacking = facts ? unfit(renderers, facts, kinds) : unique(kinds)
  return items.map(item => {
    const options = item.options.map(({ kind, field, ...rest }) =>
      kind === undefined || lacking.includes(kind) ? rest : { ...rest, kind, field },
    )
    const none = item.state === 'unmanaged' && options.every(option => !('kind' in option))
    return { ...item, options, ...(none && { state: 'unsupported' as const, why: 'noSetting' }) }
  })
}

/** Kinds that nothing on the device can do. */
export const unfit = (renderers: readonly Renderer[], facts: Facts, kinds: readonly string[]): string[] =>
  unique(kinds).filter(kind => !renderers.some(one => isAbout(one, kind) && (one.fits?.(facts) ?? true)))

export type PlanInput = RenderInput & { observation: Observation }

/** What all renderers make of the documents, each of its own kinds. */
export function renderAll(renderers: readonly Renderer[], input: PlanInput): Rendered {
  const made = renderers.map(one => renderOnce(one, input))
  return {
    blocks: made.flatMap(one => one.blocks),
    warnings: made.flatMap(one => one.warnings),
    carries: made.flatMap(one => one.carries ?? []),
    slowSeconds: Math.max(0, ...made.map(one => one.slowSeconds ?? 0)),
  }
}

const withFields = (documents: readonly DesiredDocument[], adopted: readonly Adopted[]): DesiredDocument[] =>
  documents.map(document => {
    const fields = adopted.find(one => one.document === document.id)?.fields
    return fields ? { ...document, data: { ...document.data, ...fields } } : document
  })

/**
 * What the documents have to say for one block to be as the device has it; undefined where they cannot say it: what
 * the renderer makes of the answer must be the very block.
 */
export function adoptBlock(
  { renderers, equal }: Pick<Driver<unknown>, 'renderers' | 'equal'>,
  input: PlanInput,
  seen: NativeBlock,
): Adopted[] | undefined {
  for (const renderer of renderers.filter(one => one.adopt)) {
    const documents = input.documents.filter(({ kind }) => isAbout(renderer, kind))
    const others = input.documents.filter(({ kind }) => !isAbout(renderer, kind) && readsToo(renderer, kind))
    const blocks = (of: DesiredDocument[]) => renderer.render({ ...input, documents: [...of, ...others] }).blocks
    const planned = blocks(documents).find(block => block.id === seen.id)
    if (planned && equal(planned, seen)) return []
    const adopted = planned && renderer.adopt?.(seen, planned, documents, input.imported)
    if (!adopted?.length) continue
    const made = attempt(() => blocks(withFields(documents, adopted)))?.find(block => block.id === seen.id)
    if (made && equal(made, seen)) return adopted
  }
  return undefined
}

/** The same for several: what one says, the documents say when the next is looked at. Null for one that cannot be told. */
export function adoptBlocks(
  driver: Pick<Driver<unknown>, 'renderers' | 'equal'>,
  input: PlanInput,
  seen: readonly NativeBlock[],
): { block: string; adopted: Adopted[] | null }[] {
  let { documents } = input
  return seen.map(block => {
    const adopted = adoptBlock(driver, { ...input, documents }, block) ?? null
    documents = withFields(documents, adopted ?? [])
    return { block: block.id, adopted }
  })
}

/** Values that somebody wrote on the device by hand need not be ones that a document can hold. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
