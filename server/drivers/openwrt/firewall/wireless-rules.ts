import { wirelessRule } from '@/model/firewall/wireless'
import type { Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { renderOnce } from '../../render-once'
import { placeRules, wirelessCuts, wirelessRules, wirelessText } from '../../unix/wireless-rules'
import type { WarningCode } from '../../words'
import { rulesBlocks, wirelessFile } from '../uci/files'
import { withTimes } from '../uci/schedule'
import { filtersAir, sentOver } from '../wifi/air'
import { wifiRenderer } from '../wifi/wifi'

const kind = wirelessRule.id

function render(input: RenderInput): Rendered {
  const all = wirelessRules(input.documents)
  if (all.length === 0 || !input.facts.capabilities.includes('wifi')) return { blocks: [], warnings: [] }
  const say =
    (code: WarningCode) =>
    ({ id, name }: { id: string; name: string }): Warning => ({ code, kind, document: id, values: { rule: name } })
  if (!filtersAir(input)) return { blocks: [], warnings: all.map(say('wirelessRule')) }
  const { effective, warnings } = placeRules(all, sentOver(renderOnce(wifiRenderer, input).blocks))
  if (effective.length === 0) return { blocks: [], warnings }
  const about = { kind, ...(effective.length === 1 && { document: effective[0]?.rule.id }) }
  const schedules = effective.flatMap(one => one.rule.schedule ?? [])
  return { blocks: rulesBlocks(wirelessFile, withTimes(wirelessText(effective), schedules), about), warnings }
}

/** Rules of Wi-Fi networks in the bridge, where the system has nftables' module for it; else they are said, not set. */
export const wirelessRulesRenderer: Renderer = {
  kinds: [kind, ...wifiRenderer.kinds],
  reads: wifiRenderer.reads,
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  cuts: wirelessCuts(wirelessFile.path),
}
