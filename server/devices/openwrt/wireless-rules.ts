import { wirelessRule } from '@/model/firewall/wireless'
import type { Renderer } from '../driver'

const kind = wirelessRule.id

/**
 * Rules of Wi-Fi networks: said, not set. A system as it comes has no packet filter in its bridges, and names the
 * interfaces of its networks anew whenever one is added.
 */
export const wirelessRulesRenderer: Renderer = {
  kinds: [kind],
  render: ({ facts, documents }) => ({
    blocks: [],
    warnings: documents
      .filter(({ data }) => facts.capabilities.includes('wifi') && data.enabled !== false)
      .map(({ id, name }) => ({ code: 'wirelessRule', kind, document: id, values: { rule: name } })),
  }),
  fits: facts => facts.capabilities.includes('wifi'),
}
