import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import type { Facts, FilterChain } from '../../observation'
import { firewallCuts } from '../../unix/firewall-path'
import { type Forward, forwardChains, forwards } from '../../unix/forwards'
import { table } from '../../unix/nft'
import { uplinks } from '../../unix/uplinks'
import { wans } from '../../unix/wans'
import { hookOf, needsUplink, type WiredRule, wiredChains, wiredRules } from '../../unix/wired-rules'
import type { WarningCode } from '../../words'
import { type RulesFile, rulesBlocks } from '../area/rules-file'
import { linkOf } from '../uplinks/wan-links'

export const rulesFile: RulesFile = {
  name: 'lanward-firewall',
  path: '/etc/lanward/firewall.nft',
  description: 'Firewall rules, as set in Lanward',
  tables: ['inet lanward'],
}

type Wanted = { rules: WiredRule[]; forwards: Forward[] }
/** What has to be let through for a document to have its effect, and where. */
type Passing = { kind: string; document: string; name: string; hook: FilterChain['hook']; forwarded: boolean }

const passing = ({ rules, forwards: list }: Wanted): Passing[] => [
  ...rules
    .filter(rule => rule.action === 'allow')
    .map(rule => ({ kind: 'wiredRule', document: rule.id, name: rule.name, hook: hookOf(rule), forwarded: false })),
  ...list.map(one => ({
    ...{ kind: 'portForward', document: one.id, name: one.name },
    ...{ hook: 'forward' as const, forwarded: true },
  })),
]

/** What ours lets through, a chain of somebody else may still stop: a packet has to pass them all. */
const stoppedBy = (wanted: Wanted, filters: readonly FilterChain[]): Warning[] =>
  passing(wanted).flatMap(({ kind, document, name, hook, forwarded }) =>
    filters
      .filter(one => one.stops && one.hook === hook && !(forwarded && one.passesForwards))
      .map(one => ({ code: 'unmanagedFirewall', kind, document, values: { rule: name, chain: one.chain } })),
  )

/** What leads to the internet: what the device shows, and the ways that are set here, up or not. */
const outsideOf = ({ observation, documents }: RenderInput): string[] =>
  [...new Set([...uplinks(observation?.interfaces), ...wans(documents).map(linkOf)])].sort()

/** Only what passes packets on between networks can judge them. */
const passesOn = ({ kind }: Facts) => kind === 'gateway' || kind === 'firewall'

function lacks({ facts }: RenderInput, wanted: Wanted, outside: readonly string[]): WarningCode | undefined {
  const need = missingNeed(facts, ['root', 'systemd', 'nftables'])
  if (need) return `needs.${need}`
  const outward = wanted.forwards.length > 0 || wanted.rules.some(needsUplink)
  return outward && outside.length === 0 ? 'noUplink' : undefined
}

function render(input: RenderInput): Rendered {
  const { facts, observation, documents } = input
  const wanted: Wanted = { rules: wiredRules(documents), forwards: forwards(documents) }
  const [first, ...more] = [...wanted.rules, ...wanted.forwards]
  if (!first || !passesOn(facts)) return { blocks: [], warnings: [] }
  const outside = outsideOf(input)
  const kind = wanted.rules.length > 0 ? 'wiredRule' : 'portForward'
  const code = lacks(input, wanted, outside)
  if (code) return { blocks: [], warnings: [{ code, kind, blocks: true }] }
  const chains = [...forwardChains(wanted.forwards, outside), ...wiredChains(wanted.rules, outside)]
  const about = more.length === 0 ? { document: first.id } : {}
  const blocks = rulesBlocks(rulesFile, table('inet lanward', chains), { kind, ...about })
  return { blocks, warnings: stoppedBy(wanted, observation?.filters ?? []) }
}

/** Firewall rules as one nftables table of our own, loaded at once or not at all. */
export const firewallRenderer: Renderer = {
  kinds: ['wiredRule', 'portForward', 'wan'],
  render,
  fits: passesOn,
  cuts: (before, next, observation) => {
    const rules = (blocks: readonly NativeBlock[]) => blocks.find(block => block.id === `file:${rulesFile.path}`)
    const wanted = rules(next.blocks)
    return wanted ? firewallCuts(rules(before.blocks), wanted, observation) : []
  },
}
