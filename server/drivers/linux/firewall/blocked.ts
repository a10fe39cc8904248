import type { Rendered, Renderer, RenderInput } from '../../driver'
import { missingNeed } from '../../needs'
import type { Facts } from '../../observation'
import { blockedClients, blockedCuts, blockedParts, bridges } from '../../unix/blocked'
import { table } from '../../unix/nft'
import { type RulesFile, rulesBlocks } from '../area/rules-file'

export const blockedFile: RulesFile = {
  name: 'lanward-blocked',
  path: '/etc/lanward/blocked.nft',
  description: 'Blocked clients, as set in Lanward',
  tables: ['inet lanward_blocked', 'bridge lanward_blocked'],
}

const passesOn = ({ kind }: Facts) => kind === 'gateway' || kind === 'firewall'

function render({ facts, observation, documents }: RenderInput): Rendered {
  const list = blockedClients(documents)
  const tables = [
    ...(passesOn(facts) ? ['inet lanward_blocked'] : []),
    ...(bridges(observation?.interfaces) ? ['bridge lanward_blocked'] : []),
  ]
  // The list goes to whatever can hold it: a device that passes nothing on gets no plan and no warning.
  if (list.length === 0 || tables.length === 0) return { blocks: [], warnings: [] }
  const lacking = missingNeed(facts, ['root', 'systemd', 'nftables'])
  if (lacking) return { blocks: [], warnings: [{ code: `needs.${lacking}`, kind: 'blockedClient', blocks: true }] }
  const parts = blockedParts(list)
  const text = tables.map(name => table(name, parts)).join('\n')
  const about = { kind: 'blockedClient', ...(list.length === 1 && { document: list[0]?.id }) }
  return { blocks: rulesBlocks(blockedFile, text, about), warnings: [], carries: list.map(one => one.id) }
}

/** The block list on gateways and on what bridges: a client's packets end where they come in. */
export const blockedRenderer: Renderer = {
  kinds: ['blockedClient'],
  render,
  fits: facts => facts.capabilities.includes('nftables'),
  cuts: blockedCuts(blockedFile.path),
}
