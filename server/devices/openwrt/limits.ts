import { wan } from '@/model/internet/wan'
import { bandwidthRule } from '@/model/traffic/bandwidth'
import type { Rendered, Renderer, RenderInput } from '../driver'
import type { Facts } from '../observation'
import { type Limit, limitsOf, police, shapingParts } from '../unix/bandwidth'
import { table } from '../unix/nft'
import { uplinks } from '../unix/uplinks'
import { limitsFile, rulesBlocks } from './files'
import { linkOf, waysOf } from './ways'

const kind = bandwidthRule.id
const isGateway = ({ kind }: Facts) => kind === 'gateway' || kind === 'firewall'

/** Devices that lead to the internet: of the system's own networks, and of the ways that are set here. */
function outside(input: RenderInput): string[] {
  const { observation } = input
  const system = (observation?.networks ?? []).filter(one => /^wan/.test(one.name)).flatMap(one => one.device ?? [])
  const own = waysOf(input).map(linkOf)
  return [...new Set([...system, ...own, ...uplinks(observation?.interfaces)])].sort()
}

/**
 * A system as it comes has no queues (tc), so what is over a limit is dropped by nftables: the rate holds, but a second
 * of it may come in one burst.
 */
function render(input: RenderInput): Rendered {
  const [limits, timed] = [false, true].map(hasTimes =>
    limitsOf(input.documents).filter(one => (one.schedule !== undefined) === hasTimes),
  ) as [Limit[], Limit[]]
  if (limits.length + timed.length === 0 || !isGateway(input.facts)) return { blocks: [], warnings: [] }
  if (!input.facts.capabilities.includes('fw4'))
    return { blocks: [], warnings: [{ code: 'needs.fw4', kind, blocks: true }] }
  const devices = outside(input)
  if (devices.length === 0) return { blocks: [], warnings: [{ code: 'noUplink', kind, blocks: true }] }
  const say = (code: string) => (one: Limit) => ({ code, kind, document: one.id, values: { rule: one.name } })
  const left = timed.map(say('limitTimes'))
  if (limits.length === 0) return { blocks: [], warnings: left }
  const text = table('inet lanward_shaping', shapingParts(limits, devices, police))
  const about = { kind, ...(limits.length === 1 && { document: limits[0]?.id }) }
  return { blocks: rulesBlocks(limitsFile, text, about), warnings: [...left, ...limits.map(say('limitDrops'))] }
}

export const limitsRenderer: Renderer = {
  // Ways to the internet tell which way a packet goes.
  kinds: [kind, wan.id],
  render,
  fits: isGateway,
}
