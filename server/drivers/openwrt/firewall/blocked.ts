import { blockedClient } from '@/model/firewall/blocked'
import type { Rendered, Renderer, RenderInput, Warning } from '../../driver'
import type { Facts } from '../../observation'
import { blockedClients, blockedCuts, blockedParts, bridges } from '../../unix/blocked'
import { table } from '../../unix/nft'
import { blockedFile, rulesBlocks } from '../uci/files'

const kind = blockedClient.id
const passesOn = ({ kind }: Facts) => kind === 'gateway' || kind === 'firewall'

function render({ facts, observation, documents }: RenderInput): Rendered {
  const list = blockedClients(documents)
  const joins = bridges(observation?.interfaces)
  if (list.length === 0 || (!passesOn(facts) && !joins)) return { blocks: [], warnings: [] }
  if (!facts.capabilities.includes('fw4')) return { blocks: [], warnings: [{ code: 'needs.fw4', kind, blocks: true }] }
  const inBridge = facts.capabilities.includes('nftBridge')
  const tables = [
    ...(passesOn(facts) ? ['inet lanward_blocked'] : []),
    ...(joins && inBridge ? ['bridge lanward_blocked'] : []),
  ]
  // Among themselves the clients of a bridge are heard by nobody else.
  const warnings: Warning[] = joins && !inBridge ? [{ code: 'needs.nftBridge', kind }] : []
  if (tables.length === 0) return { blocks: [], warnings }
  const text = tables.map(name => table(name, blockedParts(list))).join('\n')
  const about = { kind, ...(list.length === 1 && { document: list[0]?.id }) }
  return { blocks: rulesBlocks(blockedFile, text, about), warnings, carries: list.map(one => one.id) }
}

/** The block list on routers, and in the bridge of what has the package for it. */
export const blockedRenderer: Renderer = { kinds: [kind], render, cuts: blockedCuts(blockedFile.path) }
