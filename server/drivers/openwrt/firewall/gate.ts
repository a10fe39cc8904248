import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { gateNotes, type Held, heldRates, lansText, unmanagedPortal } from '../../unix/gate'
import { restoreScript } from '../../unix/gate-kept'
import { type GatedLan, gateRules, portalPlace } from '../../unix/gate-rules'
import { lans } from '../../unix/lans'
import { importedLan } from '../imported/lan-imported'
import { followBlocks, portalBlocks } from '../lan/gate-portal'
import { outside } from '../ports/limits'
import { lanBridge, vlanDevice, vlanNetwork } from '../ports/vlans'
import { gateFile, gateFiles, keptGuests, plainFileBlocks, rulesBlocks } from '../uci/files'

/** The networks whose clients are guests, on their interfaces. */
function gated({ documents, observation, imported }: RenderInput): GatedLan[] {
  const bridge = lanBridge(observation)
  return lans(documents).flatMap(network => {
    const theirs = importedLan(network, imported)
    const link = theirs
      ? observation?.networks?.find(one => one.name === theirs.name)?.device
      : bridge && vlanDevice(bridge, network.vlan)
    return network.portal && link !== undefined ? [{ network, link }] : []
  })
}

/** Why guests could not be asked for anything, or the manager would be one of them. */
function obstacle(lan: GatedLan, { facts, observation, gate, imported }: RenderInput): Warning | undefined {
  const { id, name } = lan.network
  const about = { kind: 'lan', document: id, values: { lan: name }, blocks: true }
  if (!facts.capabilities.includes('uhttpd')) return { ...about, code: 'needs.uhttpd' }
  // Connections of guests would go past the gate after their first packets.
  if (facts.capabilities.includes('flowOffload')) return { ...about, code: 'portalOffload' }
  if (!gate) return { ...about, code: 'portalUnknown' }
  if (observation?.path?.interface === lan.link) return { ...about, code: 'portalManager' }
  const netifd = importedLan(lan.network, imported)?.name ?? vlanNetwork(lan.network.vlan)
  return unmanagedPortal(lan, observation, [netifd])
}

// Sourced by the system's own scripts, which wait for it.
const hook = (when: string, words: string) => `# Written by Lanward. Changes made here are replaced.
case $ACTION in ${when}) sh ${gateFiles.restore.path} ${words}</dev/null >/dev/null 2>&1 & ;; esac
`

/** A device without a clock of its own begins with the time of its newest file, and learns the real one later. */
const keepingBlocks = (): NativeBlock[] => [
  ...plainFileBlocks(gateFiles.restore, restoreScript(keptGuests, gateFiles.lans.path), { kind: 'lan' }),
  ...plainFileBlocks(gateFiles.iface, hook('ifup', ''), { kind: 'lan' }),
  ...plainFileBlocks(gateFiles.ntp, hook('step|stratum', 'again '), { kind: 'lan' }),
]

function render(input: RenderInput): Rendered {
  const { facts, gate } = input
  // Without fw4 the networks themselves are not made (lan.ts).
  const all = facts.kind === 'gateway' && facts.capabilities.includes('fw4') ? gated(input) : []
  const obstacles = all.flatMap(one => obstacle(one, input) ?? [])
  if (all.length === 0 || obstacles.length > 0 || !gate) return { blocks: [], warnings: obstacles }
  const ways = outside(input)
  const rates = (links: readonly string[]): Held => heldRates(facts.capabilities.includes('htb'), links, input)
  const held = all.map(one => ({ ...one, held: [rates([one.link]), rates(ways)] }))
  const followed = facts.capabilities.includes('nftset')
  const blocks = [
    ...rulesBlocks(gateFile, gateRules(all, portalPlace(gate.url)), { kind: 'lan' }),
    ...plainFileBlocks(gateFiles.lans, lansText(held, ways), { kind: 'lan' }),
    ...portalBlocks(gate),
    ...keepingBlocks(),
    ...(followed ? all.flatMap(({ network }) => followBlocks(network)) : []),
  ]
  return { blocks, warnings: held.flatMap(one => gateNotes(one, one.held, () => followed)) }
}

/** The guests' gate: who may send out of a LAN with a portal, for how long, how much and how fast. */
export const gateRenderer: Renderer = {
  kinds: ['lan', 'wan'],
  render,
  fits: ({ kind }) => kind === 'gateway',
}
