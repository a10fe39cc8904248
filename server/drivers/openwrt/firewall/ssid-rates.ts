import { bandwidthRule } from '@/model/traffic/bandwidth'
import type { Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { renderOnce } from '../../render-once'
import { dropOver } from '../../unix/bandwidth'
import { chain, interfaces, table } from '../../unix/nft'
import { type SsidLimit, ssidLimits } from '../../unix/ssid-limits'
import type { WarningCode } from '../../words'
import { offloaded } from '../ports/limits'
import { rulesBlocks, ssidsFile } from '../uci/files'
import { filtersAir, sentOver } from '../wifi/air'
import { wifiRenderer } from '../wifi/wifi'

const kind = bandwidthRule.id

type Held = { limit: SsidLimit; of: string[] }

const ways = ['up', 'down'] as const
const rates = ({ upload, download }: SsidLimit) => ({ up: upload, down: download })

/** A chain for a limit and a way: the hooks that lead to it count together. */
const limiting = ({ limit }: Held, at: number): string[] =>
  ways.flatMap(way => {
    const kbps = rates(limit)[way]
    return kbps === undefined ? [] : [`\tchain ${way}${at} {\n\t\t${dropOver(kbps)} comment "${limit.id}"\n\t}`]
  })

/** What a client sends goes through the bridge or into the device; what it gets comes through it or out of the device. */
const hooks = [
  ['forward', ['up', 'down']],
  ['input', ['up']],
  ['output', ['down']],
] as const

const word = { up: 'iifname', down: 'oifname' }

function ssidsText(all: readonly Held[]): string {
  const leads = (of: readonly ('up' | 'down')[]) =>
    all.flatMap(({ limit, of: names }, at) =>
      of
        .filter(way => rates(limit)[way] !== undefined)
        .map(way => `${word[way]} ${interfaces(names)} jump ${way}${at}`),
    )
  return table(ssidsFile.tables[0] ?? '', [
    ...all.flatMap(limiting),
    // After the rules: what they drop counts for nothing.
    ...hooks.map(([hook, of]) =>
      chain(`at_${hook}`, `type filter hook ${hook} priority 10; policy accept;`, leads(of)),
    ),
  ])
}

function render(input: RenderInput): Rendered {
  const limits = ssidLimits(input.documents)
  if (limits.length === 0 || !input.facts.capabilities.includes('wifi')) return { blocks: [], warnings: [] }
  const say =
    (code: WarningCode) =>
    ({ id, name }: SsidLimit): Warning => ({ code, kind, document: id, values: { rule: name } })
  if (!filtersAir(input)) return { blocks: [], warnings: limits.map(say('ssidRate')) }
  const sent = sentOver(renderOnce(wifiRenderer, input).blocks)
  const held = limits.map(limit => ({
    limit,
    of: sent.filter(one => one.name === limit.network).map(one => one.interface),
  }))
  const [effective, idle] = [held.filter(one => one.of.length > 0), held.filter(one => one.of.length === 0)]
  const warnings = [
    ...(effective.length > 0 ? offloaded(kind, input) : []),
    ...idle.map(one => say('ruleWithoutNetwork')(one.limit)),
    ...effective.map(one => say('limitDrops')(one.limit)),
  ]
  if (effective.length === 0) return { blocks: [], warnings }
  const about = { kind, ...(effective.length === 1 && { document: effective[0]?.limit.id }) }
  return { blocks: rulesBlocks(ssidsFile, ssidsText(effective), about), warnings }
}

/** Rates of Wi-Fi networks: dropped over them in the bridge, where the system has nftables' module for it. */
export const ssidRatesRenderer: Renderer = {
  kinds: [kind, ...wifiRenderer.kinds],
  reads: wifiRenderer.reads,
  render,
  fits: facts => facts.capabilities.includes('wifi'),
}
