import { wirelessRule } from '@/model/firewall/wireless'
import type { Rendered, Renderer, RenderInput } from '../../driver'
import { missingNeed } from '../../needs'
import { renderOnce } from '../../render-once'
import { placeRules, wirelessCuts, wirelessRules, wirelessTable, wirelessText } from '../../unix/wireless-rules'
import { type RulesFile, rulesBlocks } from '../area/rules-file'
import { wifiRenderer } from '../wifi/wifi'
import { sentOver } from '../wifi/wifi-back'

export const wirelessFile: RulesFile = {
  name: 'lanward-wireless',
  path: '/etc/lanward/wireless.nft',
  description: 'Firewall rules of Wi-Fi networks, as set in Lanward',
  tables: [wirelessTable],
}
const kind = wirelessRule.id

function render(input: RenderInput): Rendered {
  const { facts, documents } = input
  const rules = wirelessRules(documents)
  if (rules.length === 0 || !facts.capabilities.includes('wifi')) return { blocks: [], warnings: [] }
  const lacking = missingNeed(facts, ['root', 'systemd', 'nftables'])
  if (lacking) return { blocks: [], warnings: [{ code: `needs.${lacking}`, kind, blocks: true }] }
  // The very files of this plan tell which interface sends out which network.
  const sent = sentOver(renderOnce(wifiRenderer, input).blocks)
  const { effective, warnings } = placeRules(rules, sent)
  if (effective.length === 0) return { blocks: [], warnings }
  const text = wirelessText(effective)
  const about = { kind, ...(effective.length === 1 && { document: effective[0]?.rule.id }) }
  return { blocks: rulesBlocks(wirelessFile, text, about), warnings }
}

/** Rules of Wi-Fi networks on the access point's bridge, where the clients' frames come in. */
export const wirelessRenderer: Renderer = {
  kinds: [kind, ...wifiRenderer.kinds],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  cuts: wirelessCuts(wirelessFile.path),
}
