import type { NativeBlock } from '../../driver'
import type { ImportedItem } from '../../unmanaged'
import { isOn, only } from './importable'
import { formerValues, importedBlock } from './imported'
import { prefix } from './package'
import { listOf, type Section } from './sections'

// Zones of the system's own firewall: whether they shut a network in, and whether they translate addresses.

export const isZone = ({ config, type }: Section) => config === 'firewall' && type === 'zone'

/** The zone that a network is in. */
export const zoneWith = (network: string, all: readonly Section[]): Section | undefined =>
  all.find(one => isZone(one) && listOf(one, 'network')?.includes(network))

export const translates = (zone: Section | undefined): boolean => isOn(zone && only(zone, 'masq'), false)

export const nameOf = (zone: Section) => only(zone, 'name')

/** Zones that the system's own forwardings lead to from a zone, or from which they lead into it. */
function beyond(zone: Section, all: readonly Section[]): (string | undefined)[] {
  const name = nameOf(zone)
  const own = all.filter(
    one =>
      one.config === 'firewall' &&
      one.type === 'forwarding' &&
      !one.name.startsWith(prefix) &&
      isOn(only(one, 'enabled'), true),
  )
  return own.flatMap(one => {
    const ends = [only(one, 'src'), only(one, 'dest')]
    return ends.includes(name) ? ends.filter(end => end !== name) : []
  })
}

const policies: Readonly<Record<string, 'open' | 'shut'>> = { ACCEPT: 'open', REJECT: 'shut', DROP: 'shut' }
const policyIn = (value: string | undefined) => policies[value?.toUpperCase() ?? '']

/** Whether what comes from a zone may do as it likes here. */
export const isOpen = (zone: Section | undefined): boolean => policyIn(zone && only(zone, 'input')) === 'open'

/** Whether a zone shuts in its one network, which then reaches the internet alone; undefined where it is neither that nor open. */
export function isolationOf(zone: Section | undefined, all: readonly Section[]): boolean | undefined {
  if (!zone || listOf(zone, 'network')?.length !== 1) return undefined
  const [input, forward] = [policyIn(only(zone, 'input')), policyIn(only(zone, 'forward'))]
  const out = (name: string | undefined) => translates(all.find(one => isZone(one) && nameOf(one) === name))
  if (input === undefined || input !== forward || !beyond(zone, all).every(out)) return undefined
  return input === 'shut'
}

/** Options of a zone that say it. */
export const wallOptions = ['input', 'forward'] as const

/** What of an imported zone is decided, shut or open. */
export function wallBlock(item: ImportedItem, shut: boolean, more: Partial<NativeBlock>): NativeBlock {
  const is = policyIn(formerValues(item, 'input')?.[0]) === 'shut'
  const value = shut === is ? undefined : shut ? 'REJECT' : 'ACCEPT'
  return importedBlock(item, Object.fromEntries(wallOptions.map(option => [option, value])), more)
}

export const isShut = (item: ImportedItem): boolean | undefined => {
  const [input, forward] = wallOptions.map(option => policyIn(formerValues(item, option)?.[0]))
  return input === forward && input !== undefined ? input === 'shut' : undefined
}
