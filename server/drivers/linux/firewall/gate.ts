import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import { aboutGate, gateNotes, heldRates, lansText, unmanagedPortal } from '../../unix/gate'
import { endLeftSets } from '../../unix/gate-lines'
import { type GatedLan, gateRules, gateTable, portalPlace } from '../../unix/gate-rules'
import { type LanNetwork, lans } from '../../unix/lans'
import { uplinks } from '../../unix/uplinks'
import { wans } from '../../unix/wans'
import { type Area, fileBlock } from '../area/area'
import { type RulesFile, rulesArea, rulesBlocks } from '../area/rules-file'
import { isServed } from '../base/dnsmasq'
import { lanLink, lanPort } from '../lan/lan'
import { linkOf } from '../uplinks/wan-links'
import { againPath, lansPath, portalBlocks } from './gate-portal'

export const gateFile: RulesFile = {
  name: 'lanward-gate',
  path: '/etc/lanward/gate.nft',
  description: 'Gate of guests, as set in Lanward',
  tables: [gateTable],
  after: againPath,
}

const passesOn = ({ facts }: RenderInput) => facts.kind === 'gateway' || facts.kind === 'firewall'

/** The networks whose clients are guests, on their interfaces. */
function gated({ documents, observation }: RenderInput): GatedLan[] {
  const port = lanPort(observation)
  const guests = lans(documents).filter(one => one.portal)
  return port ? guests.map(network => ({ network, link: lanLink(network, port) })) : []
}

/** Why guests could not be asked for anything, or the manager would be one of them. */
function obstacle(lan: GatedLan, { facts, observation, gate }: RenderInput): Warning | undefined {
  const lacking = missingNeed(facts, ['root', 'systemd', 'nftables'])
  if (lacking) return { code: `needs.${lacking}`, kind: 'lan', document: lan.network.id, blocks: true }
  if (!gate) return { ...aboutGate(lan), code: 'portalUnknown', blocks: true }
  if (observation?.path?.interface === lan.link) return { ...aboutGate(lan), code: 'portalManager', blocks: true }
  return unmanagedPortal(lan, observation)
}

function render(input: RenderInput): Rendered {
  const all = passesOn(input) ? gated(input) : []
  const obstacles = all.flatMap(one => obstacle(one, input) ?? [])
  const { gate } = input
  if (all.length === 0 || obstacles.length > 0 || !gate) return { blocks: [], warnings: obstacles }
  const ways = [...uplinks(input.observation?.interfaces), ...wans(input.documents).map(linkOf)]
  const outside = [...new Set(ways)].sort()
  const rates = (links: readonly string[]) => heldRates(input.facts.capabilities.includes('tc'), links, input)
  const held = all.map(one => ({ ...one, held: [rates([one.link]), rates(outside)] }))
  const follows = (network: LanNetwork) => input.facts.capabilities.includes('nftset') && isServed(network)
  const blocks: NativeBlock[] = [
    ...rulesBlocks(gateFile, gateRules(all, portalPlace(gate.url)), { kind: 'lan' }),
    fileBlock(lansPath, lansText(held, outside), { kind: 'lan' }),
    ...portalBlocks(gate),
  ]
  return { blocks, warnings: held.flatMap(one => gateNotes(one, one.held, follows)) }
}

/** The guests' gate: who may send out of a LAN with a portal, for how long, how much and how fast. */
export const gateRenderer: Renderer = {
  kinds: ['lan', 'wan'],
  render,
  fits: facts => facts.kind === 'gateway' || facts.kind === 'firewall',
}

const area = rulesArea(gateFile)

/** The table; before the networks, so that none is ever without it. */
export const gateArea: Area = {
  ...area,
  settle: (changed, all) => [...area.settle(changed, all), endLeftSets(gateFile.path)],
}
