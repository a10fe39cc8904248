import type { TrafficLogsFields } from '@/model/insight/traffic-logs'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { aboutTraffic, logTarget, natLogRules, trafficSettings, trafficWarning } from '../../unix/traffic-logs'
import type { ImportedItem, ImportProposal } from '../../unmanaged'
import { translated } from '../lan/lan'
import { rulesBlocks, trafficFile } from '../uci/files'
import { type ImportableOf, isOn, says } from '../uci/importable'
import { formerValues, importedBlock } from '../uci/imported'
import { logs } from './system'

// Names are logged by the system's one dnsmasq, in a section that it made itself: it is written once it was imported.

const option = 'logqueries'

/** The first: what is beside it is another instance. */
export const namesOffers: ImportableOf = (section, all) => {
  if (section.config !== 'dhcp' || section.type !== 'dnsmasq') return undefined
  if (all.find(one => one.config === 'dhcp' && one.type === 'dnsmasq') !== section) return undefined
  return { area: 'dhcp', says: says(aboutTraffic.kind, { [option]: 'urlLog' }) }
}

const isNames = (item: ImportedItem) => item.about?.type === 'dnsmasq' && option in item.options
const importedNames = (imported: RenderInput['imported'] = []) => imported.find(isNames)

function namesBlock(item: ImportedItem, wanted: boolean | undefined): NativeBlock {
  const before = isOn(formerValues(item, option)?.[0], false)
  const value = wanted === undefined || wanted === before ? undefined : wanted ? '1' : '0'
  return importedBlock(item, { [option]: value }, aboutTraffic)
}

const passesOn = ({ facts }: Pick<RenderInput, 'facts'>) => facts.kind === 'gateway' || facts.kind === 'firewall'

/** Whether the device sends its log: logd does so by options of the system's own section, in clear alone. */
function sends({ documents, imported }: RenderInput): boolean {
  const target = logTarget(documents)
  return target !== undefined && target.syslog !== 'tls' && logs(imported)
}

function natLog(input: RenderInput): { blocks: NativeBlock[]; warnings: Warning[] } {
  const outside = [...new Set(translated(input))].toSorted()
  const lack = !input.facts.capabilities.includes('fw4') ? 'needs.fw4' : outside.length === 0 ? 'noUplink' : undefined
  return lack
    ? { blocks: [], warnings: [trafficWarning(lack)] }
    : { blocks: rulesBlocks(trafficFile, natLogRules(outside), aboutTraffic), warnings: [] }
}

/** What is recorded, where anything is and the device sends it. */
function recorded(set: TrafficLogsFields, input: RenderInput): { names: boolean } & Rendered {
  const nothing = { names: false, blocks: [], warnings: [] }
  if (!(set.urlLog || set.natLog) || !passesOn(input)) return nothing
  if (!sends(input)) return { ...nothing, warnings: [trafficWarning('trafficUnsent')] }
  const nat = set.natLog ? natLog(input) : { blocks: [], warnings: [] }
  const left = set.urlLog && !importedNames(input.imported)
  return {
    names: set.urlLog,
    blocks: nat.blocks,
    warnings: [...(left ? [trafficWarning('urlLogLeft')] : []), ...nat.warnings],
  }
}

function render(input: RenderInput): Rendered {
  const set = trafficSettings(input.documents)
  const { names, blocks, warnings } = set ? recorded(set, input) : { names: undefined, blocks: [], warnings: [] }
  const item = importedNames(input.imported)
  return { blocks: [...(item ? [namesBlock(item, names)] : []), ...blocks], warnings }
}

/** Whether anything is recorded nobody but a person says: the section is imported, and settings above decide it. */
const proposes = (chosen: readonly ImportedItem[]): ImportProposal[] =>
  chosen.filter(isNames).map(({ id }) => ({ kind: aboutTraffic.kind, fields: {}, items: [id] }))

/** What a gateway's clients ask for and connect to, in the log that the device sends. */
export const trafficRenderer: Renderer = {
  kinds: ['trafficLogs'],
  reads: ['system', 'lan', 'wan'],
  render,
  proposes,
  fits: facts => passesOn({ facts }),
}
