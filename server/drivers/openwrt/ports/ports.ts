import type { PortProfileFields } from '@/model/profiles/port'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import type { Facts } from '../../observation'
import { cannot, type Placed, placedPorts, portWarning } from '../../port-profiles'
import { mirrorsOf } from '../../unix/mirror'
import type { PortTrait } from '../../words'
import { mirrorFileBlocks } from '../uci/files'
import { prefix } from '../uci/package'
import { type Options, uciBlock } from '../uci/uci'
import { mirrorHook, mirrorText } from './mirror'
import { portVlans, vlanInterrupts } from './port-vlans'

// Ports as `device` sections of our own. A bridge that does not tell VLANs apart stays so: the first `bridge-vlan` would
// take every port and the LAN's own interface with it, in sections that are not ours.

const section = (port: string) => `network.${prefix}port_${port.replaceAll(/\W/g, '_')}`

/** netifd sets speeds from 23.05 on. */
function setsSpeed({ firmware = '' }: Facts): boolean {
  const [, year, month] = /\b(\d\d)\.(\d\d)\b/.exec(firmware) ?? []
  return year === undefined || Number(year) * 100 + Number(month) >= 2305
}

/** `duplex` is a flag; from 1 Gbit/s on a link has to be negotiated. */
function speedOptions(speed: PortProfileFields['speed']): Options {
  if (speed === 'keep') return []
  if (speed === 'auto') return [['autoneg', '1']]
  const [, megabits = '', duplex] = /^(\d+)(half|full)$/.exec(speed) ?? []
  return [
    ['speed', megabits],
    ['duplex', duplex === 'full' ? '1' : '0'],
    ['autoneg', Number(megabits) >= 1000 ? '1' : '0'],
  ]
}

function optionsOf({ enabled, isolation, speed }: PortProfileFields, facts: Facts): Options {
  return [
    ...(enabled ? [] : ([['enabled', '0']] as const)),
    ...(isolation === 'keep' ? [] : ([['isolate', isolation === 'on' ? '1' : '0']] as const)),
    ...(setsSpeed(facts) ? speedOptions(speed) : []),
  ]
}

const lackingOf = (data: PortProfileFields, facts: Facts): PortTrait[] => [
  ...(data.description ? ['ifAlias' as const] : []),
  ...(data.poe === 'keep' ? [] : ['pethPsePortAdminEnable' as const]),
  ...(data.stormLimit === undefined ? [] : ['stormLimit' as const]),
  ...(data.lag === undefined ? [] : ['lag' as const]),
  ...(data.mirrorTo === undefined || facts.capabilities.includes('tc') ? [] : ['mirror' as const]),
  ...(data.speed === 'keep' || setsSpeed(facts) ? [] : ['speed' as const]),
]

function portParts(placed: Placed, facts: Facts): { blocks: NativeBlock[]; warnings: Warning[] } {
  const { profile, named } = placed
  const { name } = named.face
  const { configuredBy } = named.port
  const options = optionsOf(profile.data, facts)
  const warnings = lackingOf(profile.data, facts).map(what => cannot(what, placed))
  if (options.length === 0) return { blocks: [], warnings }
  if (configuredBy !== undefined) {
    const values = { profile: profile.name, port: name, by: configuredBy }
    return { blocks: [], warnings: [...warnings, portWarning('portUnmanaged', profile, values)] }
  }
  const about = { kind: 'portProfile', document: profile.id }
  return { blocks: [uciBlock(section(name), 'device', [['name', name], ...options], about)], warnings }
}

/** A name that can stand in a script as it is. */
const plain = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

function mirrored(placed: readonly Placed[], { facts, observation }: RenderInput): Rendered {
  if (!observation || !facts.capabilities.includes('tc')) return { blocks: [], warnings: [] }
  const { observers, warnings } = mirrorsOf(placed, observation)
  const copied = placed.flatMap(({ profile, named }) => {
    const [port, observer] = [named.face.name, observers.get(named.face.name)]
    const { mirrorTraffic: traffic } = profile.data
    return observer && plain.test(port) && plain.test(observer)
      ? [{ port, observer, traffic, document: profile.id }]
      : []
  })
  const documents = [...new Set(copied.map(one => one.document))]
  const about = { kind: 'portProfile', ...(documents.length === 1 && { document: documents[0] }) }
  const blocks = copied.length > 0 ? mirrorFileBlocks(mirrorText(copied), mirrorHook, about) : []
  return { blocks, warnings, carries: documents }
}

function render(input: RenderInput): Rendered {
  const { facts, observation, documents } = input
  const { placed, warnings } = placedPorts(documents, observation, facts.kind)
  const parts = placed.map(one => portParts(one, facts))
  const vlans = portVlans(placed, observation)
  const mirror = mirrored(placed, input)
  return {
    blocks: [...parts.flatMap(one => one.blocks), ...vlans.blocks, ...mirror.blocks],
    warnings: [...warnings, ...parts.flatMap(one => one.warnings), ...vlans.warnings, ...mirror.warnings],
    ...(mirror.carries?.length && { carries: mirror.carries }),
  }
}

/** Sockets of a router: off, isolated, at a speed of their own; their VLANs where its bridge tells them apart, and copies where tc is there. */
export const portsRenderer: Renderer = {
  kinds: ['portProfile'],
  render,
  interrupts: (block, seen) => {
    const { id, text } = block
    if (!id.startsWith(`uci:network.${prefix}port_`)) return vlanInterrupts(block, seen)
    const port = seen.ports?.find(one => id === `uci:${section(one.interface)}`)
    return port && /\.(?:enabled='0'|isolate='1'|speed=)/.test(text) ? { interfaces: [port.interface] } : undefined
  },
}
