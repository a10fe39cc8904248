import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../driver'
import type { Facts, FilterChain } from '../observation'
import { firewallCuts } from '../unix/firewall-path'
import { table } from '../unix/nft'
import { uplinks } from '../unix/uplinks'
import { hookOf, needsUplink, type WiredRule, wiredChains, wiredRules } from '../unix/wired-rules'
import { fileBlock } from './area'
import { type Oneshot, unitPath, unitText, wantsPath, wantsText } from './oneshot'

export const rulesPath = '/etc/lanward/firewall.nft'
export const service: Oneshot = {
  name: 'lanward-firewall',
  file: rulesPath,
  description: 'Firewall rules, as set in Lanward',
  after: 'nftables.service\nWants=network-pre.target\nBefore=network-pre.target',
  start: [`/usr/sbin/nft -f ${rulesPath}`],
  stop: ['-/usr/sbin/nft delete table inet lanward'],
}

/** What ours lets through, a chain of somebody else may still stop: a packet has to pass them all. */
function stoppedBy(rules: readonly WiredRule[], filters: readonly FilterChain[]): Warning[] {
  return rules
    .filter(rule => rule.action === 'allow')
    .flatMap(rule =>
      filters
        .filter(one => one.stops && one.hook === hookOf(rule))
        .map(one => ({
          code: 'foreignFirewall',
          kind: 'wiredRule',
          document: rule.id,
          values: { rule: rule.name, chain: one.chain },
        })),
    )
}

/** Only what passes packets on between networks can judge them. */
const passesOn = ({ kind }: Facts) => kind === 'gateway' || kind === 'firewall'

const lacks = ({ facts }: RenderInput): string | undefined =>
  ['root', 'systemd', 'nftables'].find(need => !facts.capabilities.includes(need))

function render(input: RenderInput): Rendered {
  const { facts, observation, documents } = input
  const rules = wiredRules(documents)
  if (rules.length === 0 || !passesOn(facts)) return { blocks: [], warnings: [] }
  const lacking = lacks(input)
  if (lacking) return { blocks: [], warnings: [{ code: `needs.${lacking}`, kind: 'wiredRule', blocks: true }] }
  const outside = uplinks(observation?.interfaces)
  if (outside.length === 0 && rules.some(needsUplink))
    return { blocks: [], warnings: [{ code: 'noUplink', kind: 'wiredRule', blocks: true }] }
  const text = table('inet lanward', wiredChains(rules, outside))
  const only = rules.length === 1 && { document: rules[0]?.id }
  const blocks: NativeBlock[] = [
    fileBlock(rulesPath, text, { kind: 'wiredRule', ...only }),
    fileBlock(unitPath(service.name), unitText(service)),
    fileBlock(wantsPath(service.name), wantsText(service.name)),
  ]
  return { blocks, warnings: stoppedBy(rules, observation?.filters ?? []) }
}

/** Firewall rules as one nftables table of our own, loaded at once or not at all. */
export const firewallRenderer: Renderer = {
  kinds: ['wiredRule'],
  render,
  fits: passesOn,
  cuts: (before, next, observation) => {
    const rules = (blocks: readonly NativeBlock[]) => blocks.find(block => block.id === `file:${rulesPath}`)
    const wanted = rules(next.blocks)
    return wanted ? firewallCuts(rules(before.blocks), wanted, observation) : []
  },
}
