import type { PortProfileFields } from '@/model/profiles/port'
import { rateKbps } from '@/model/rules'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import type { Interface, Observation } from '../../observation'
import { cannot, type Placed, placedPorts, portWarning, wantedVlans } from '../../port-profiles'
import { mirrorsOf } from '../../unix/mirror'
import type { PortTrait } from '../../words'
import { fileBlock } from '../area/area'
import { managementBlocks, switches } from '../area/management'
import { startPath, unitPath } from '../base/oneshot'
import { portsFolder, portsName, portsPath, portsScript, portsUnitText } from './ports-script'

export const portPath = (name: string): string => `${portsFolder}/${name}.conf`

type Facts = RenderInput['facts']
type Bridge = Interface | undefined
type On = { facts: Facts; bridge: Bridge; members: number; observer: string | undefined }

/** A kernel keeps 255 bytes of an interface's alias. */
function aliasOf(text: string): string {
  let cut = text
  while (Buffer.byteLength(cut) > 255) cut = [...cut].slice(0, -1).join('')
  return cut
}

/** What this port cannot do of what its profile asks; those lines are left out of its file. */
const limits: readonly { what: PortTrait; asked(data: PortProfileFields): boolean; able(on: On): boolean }[] = [
  { what: 'pethPsePortAdminEnable', asked: ({ poe }) => poe !== 'keep', able: () => false },
  { what: 'noBridge', asked: data => wantedVlans(data) !== undefined, able: ({ bridge }) => bridge !== undefined },
  {
    what: 'vlanFiltering',
    asked: data => wantedVlans(data) !== undefined,
    able: ({ bridge }) => !bridge || switches(bridge),
  },
  { what: 'isolation', asked: ({ isolation }) => isolation !== 'keep', able: ({ bridge }) => bridge !== undefined },
  {
    what: 'stormLimit',
    asked: ({ stormLimit }) => stormLimit !== undefined,
    able: ({ facts, bridge }) =>
      bridge !== undefined && (bridge.openvswitch || facts.capabilities.includes('nftables')),
  },
  { what: 'lag', asked: ({ lag }) => lag !== undefined, able: ({ bridge }) => bridge?.openvswitch === true },
  {
    what: 'mirror',
    asked: ({ mirrorTo }) => mirrorTo !== undefined,
    able: ({ facts }) => facts.capabilities.includes('tc'),
  },
  { what: 'lagAlone', asked: ({ lag }) => lag !== undefined, able: ({ bridge, members }) => !bridge || members > 1 },
]

function linesOf(
  name: string,
  data: PortProfileFields,
  left: ReadonlySet<string>,
  observer: string | undefined,
): [string, string | undefined][] {
  const mirrored = observer !== undefined && !left.has('mirror')
  const { enabled, description, speed, isolation, stormLimit, lag, lacpTimeout } = data
  const vlans = left.has('noBridge') || left.has('vlanFiltering') ? undefined : wantedVlans(data)
  const bound = lag !== undefined && !left.has('lag') && !left.has('lagAlone')
  return [
    ['port', name],
    ['link', enabled ? 'up' : 'down'],
    ['description', description ? aliasOf(description) : undefined],
    ['speed', speed === 'keep' ? undefined : speed],
    ['native', vlans && String(vlans.native)],
    ['tagged', vlans && (vlans.tagged.join(',') || undefined)],
    ['isolated', isolation === 'keep' || left.has('isolation') ? undefined : isolation],
    ['storm', stormLimit === undefined || left.has('stormLimit') ? undefined : String(rateKbps(stormLimit))],
    ['lag', bound ? String(lag) : undefined],
    ['lacp', bound ? lacpTimeout : undefined],
    ['mirror', mirrored ? observer : undefined],
    ['mirrored', mirrored ? data.mirrorTraffic : undefined],
  ]
}

const head = '# Written by Lanward. Changes made here are replaced.\n'

function portBlock(placed: Placed, on: On): { block: NativeBlock; warnings: Warning[] } {
  const { profile, named } = placed
  const { name } = named.face
  const lacking = limits.filter(one => one.asked(profile.data) && !one.able(on)).map(one => one.what)
  const lines = linesOf(name, profile.data, new Set(lacking), on.observer).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}\n`],
  )
  const about = { kind: 'portProfile', document: profile.id }
  return {
    block: fileBlock(portPath(name), head + lines.join(''), about),
    warnings: lacking.map(what => cannot(what, placed)),
  }
}

/** The moment a kernel's bridge tells VLANs apart, tagged frames pass only where a profile lists them. */
function begins(placed: readonly { one: Placed; bridge: Bridge }[]): Warning[] {
  const first = new Map<string, Placed>()
  for (const { one, bridge } of placed)
    if (bridge?.vlanFiltering === false && wantedVlans(one.profile.data) && !first.has(bridge.name))
      first.set(bridge.name, one)
  return [...first].map(([bridge, { profile }]) =>
    portWarning('portFilterBegins', profile, { profile: profile.name, bridge }),
  )
}

/** A name that can stand in a path. */
const plain = /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/

/** What every file of a port needs beside it. */
const shared = (): NativeBlock[] => [
  fileBlock(portsPath, portsScript, { kind: 'portProfile' }),
  fileBlock(unitPath(portsName), portsUnitText, { kind: 'portProfile' }),
  fileBlock(startPath(portsName), `[Unit]\nWants=${portsName}.service\n`, { kind: 'portProfile' }),
]

function render(input: RenderInput): Rendered {
  const own = managementBlocks(input, portPath)
  const { blocks, warnings } = renderPorts(input)
  const all = [...blocks, ...own.blocks]
  return { blocks: all.length > 0 ? [...all, ...shared()] : [], warnings: [...warnings, ...own.warnings] }
}

function renderPorts({ facts, observation, documents }: RenderInput): Rendered {
  const { placed, warnings } = placedPorts(documents, observation, facts.kind)
  if (placed.length === 0) return { blocks: [], warnings }
  const lacking = missingNeed(facts, ['root', 'systemd'])
  if (lacking) return { blocks: [], warnings: [{ code: `needs.${lacking}`, kind: 'portProfile', blocks: true }] }
  const usable = placed.filter(({ named }) => plain.test(named.face.name))
  const found = usable.map(one => ({ one, bridge: bridgeOf(one.named.face, observation) }))
  const able = facts.capabilities.includes('tc')
  const mirrors = able ? mirrorsOf(usable, observation ?? { takenAt: 0, depth: 'full' }) : undefined
  const made = found.map(({ one, bridge }) =>
    portBlock(one, {
      ...{ facts, bridge, members: usable.filter(other => other.profile === one.profile).length },
      observer: mirrors?.observers.get(one.named.face.name),
    }),
  )
  return {
    blocks: made.map(({ block }) => block),
    warnings: [...warnings, ...made.flatMap(one => one.warnings), ...begins(found), ...(mirrors?.warnings ?? [])],
  }
}

const bridgeOf = ({ master }: Interface, observation: Observation | undefined): Bridge =>
  observation?.interfaces?.find(({ name, type }) => name === master && type === 'bridge')

/** What takes the link for a moment or for good; a description or a storm limit does not. */
const touches = /^(?:link=down|speed=|native=|isolated=on|lag=)/m

/** Ports of a bridge, of Open vSwitch or of the kernel: a file each, and one script that makes them so. */
export const portsRenderer: Renderer = {
  kinds: ['portProfile'],
  reads: ['system'],
  render,
  interrupts: ({ id, text }) => {
    const [, name] = /^file:\/etc\/lanward\/ports\/(.+)\.conf$/.exec(id) ?? []
    return name && touches.test(text) ? { interfaces: [name] } : undefined
  },
}
