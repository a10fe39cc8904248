import { wan } from '@/model/internet/wan'
import { bandwidthRule } from '@/model/traffic/bandwidth'
import type { Rendered, Renderer, RenderInput, Warning } from '../../driver'
import type { Facts } from '../../observation'
import { type Limit, limitsOf, police, shapingParts } from '../../unix/bandwidth'
import { table } from '../../unix/nft'
import { uplinks } from '../../unix/uplinks'
import { limitsFile, rulesBlocks } from '../uci/files'
import { withTimes } from '../uci/schedule'
import { linkOf, uplinksOf } from '../uplinks/uplinks'

const kind = bandwidthRule.id
const isGateway = ({ kind }: Facts) => kind === 'gateway' || kind === 'firewall'

/** Devices that lead to the internet: of the system's own networks, and of the ways that are set here. */
export function outside(input: RenderInput): string[] {
  const { observation } = input
  const { wans = [] } = observation?.networkRoles ?? {}
  const system = (observation?.networks ?? []).filter(one => wans.includes(one.name)).flatMap(one => one.device ?? [])
  const own = uplinksOf(input).map(linkOf)
  return [...new Set([...system, ...own, ...uplinks(observation?.interfaces)])].sort()
}

/** What is offloaded goes past every rule after its first packets. */
export const offloaded = (kind: string, { facts }: RenderInput): Warning[] =>
  facts.capabilities.includes('flowOffload') ? [{ code: 'flowOffload', kind }] : []

/**
 * A system as it comes has no queues (tc), so what is over a limit is dropped by nftables: the rate holds, but a second
 * of it may come in one burst.
 */
function render(input: RenderInput): Rendered {
  const limits = limitsOf(input.documents)
  if (limits.length === 0 || !isGateway(input.facts)) return { blocks: [], warnings: [] }
  if (!input.facts.capabilities.includes('fw4'))
    return { blocks: [], warnings: [{ code: 'needs.fw4', kind, blocks: true }] }
  const devices = outside(input)
  if (devices.length === 0) return { blocks: [], warnings: [{ code: 'noUplink', kind, blocks: true }] }
  const say = ({ id, name }: Limit) => ({ code: 'limitDrops' as const, kind, document: id, values: { rule: name } })
  const text = withTimes(
    table('inet lanward_shaping', shapingParts(limits, devices, police)),
    limits.flatMap(one => one.schedule ?? []),
  )
  const about = { kind, ...(limits.length === 1 && { document: limits[0]?.id }) }
  const warnings = [...offloaded(kind, input), ...limits.map(say)]
  return { blocks: rulesBlocks(limitsFile, text, about), warnings }
}

export const limitsRenderer: Renderer = {
  // Ways to the internet tell which way a packet goes.
  kinds: [kind, wan.id],
  render,
  fits: isGateway,
}
