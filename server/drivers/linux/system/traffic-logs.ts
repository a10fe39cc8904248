import type { SystemFields } from '@/model/system/system'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import { lans } from '../../unix/lans'
import {
  aboutTraffic,
  logTarget,
  natLogPrefix,
  natLogRules,
  natLogTable,
  trafficSettings,
  trafficWarning,
} from '../../unix/traffic-logs'
import { type Area, fileBlock } from '../area/area'
import { ownText } from '../area/drop-in'
import { ownFile, type RulesFile, rulesBlocks } from '../area/rules-file'
import { isServed } from '../base/dnsmasq'
import { sendingLacks } from '../base/traffic'
import { translated } from '../uplinks/wan-links'
import { sendAction } from './syslog'

export const natLogFile: RulesFile = {
  name: 'lanward-traffic',
  path: '/etc/lanward/traffic.nft',
  description: 'Log of translated connections, as set in Lanward',
  tables: [natLogTable],
}

// In front of all other rules: records go to the server whatever level it is sent, and to no file of the device, where they
// would soon fill the disk.
const recordsPath = '/etc/rsyslog.d/05-lanward-traffic.conf'

/** Lines of dnsmasq about a question: `12 192.0.2.23/51234 query[A] example.com from 192.0.2.23`, its answers alike. */
const aboutQuestion = `$programname == "dnsmasq" and re_match($msg, "^ *[0-9]+ [0-9A-Fa-f.:]+/[0-9]+ ")`
const aboutConnection = `$programname == "kernel" and $msg contains "${natLogPrefix}"`

const recordsText = (target: SystemFields) =>
  ownText(
    `if (${aboutConnection}) or (${aboutQuestion}) then {`,
    // What is answered is no record.
    '  if $programname == "kernel" or $msg contains " query[" then {',
    ...sendAction(target).map(line => `    ${line}`),
    '  }',
    '  stop',
    '}',
  )

const settle = `[ "$mode" = boot ] || [ ! -e ${recordsPath} ] || rsyslogd -N1 >/dev/null || return 1
[ "$mode" = boot ] || systemctl try-restart rsyslog.service 2>/dev/null || :`

/** rsyslog's rule of the records; whether it runs is told with the server that it sends to. */
export const recordsArea: Area = { files: [ownFile(recordsPath, '644')], settle: () => [settle] }

const passesOn = ({ facts }: Pick<RenderInput, 'facts'>) => facts.kind === 'gateway' || facts.kind === 'firewall'

function natLog(input: RenderInput): { blocks: NativeBlock[]; warnings: Warning[] } {
  const outside = [...new Set(translated(input))].toSorted()
  const lacking = missingNeed(input.facts, ['nftables'])
  const code = lacking ? (`needs.${lacking}` as const) : outside.length === 0 ? 'noUplink' : undefined
  return code
    ? { blocks: [], warnings: [trafficWarning(code)] }
    : { blocks: rulesBlocks(natLogFile, natLogRules(outside), aboutTraffic), warnings: [] }
}

function render(input: RenderInput): Rendered {
  const set = trafficSettings(input.documents)
  if (!set || !(set.urlLog || set.natLog) || !passesOn(input)) return { blocks: [], warnings: [] }
  const lacking = missingNeed(input.facts, ['root', 'systemd'])
  if (lacking) return { blocks: [], warnings: [trafficWarning(`needs.${lacking}`, true)] }
  const target = logTarget(input.documents)
  if (!target) return { blocks: [], warnings: [trafficWarning('trafficUnsent')] }
  const lack = sendingLacks(input, target)
  if (lack) return { blocks: [], warnings: [trafficWarning(`needs.${lack}`)] }
  const served = lans(input.documents).some(isServed)
  const nat = set.natLog ? natLog(input) : { blocks: [], warnings: [] }
  return {
    blocks: [fileBlock(recordsPath, recordsText(target), aboutTraffic), ...nat.blocks],
    warnings: [...(set.urlLog && !served ? [trafficWarning('urlLogWithoutLan')] : []), ...nat.warnings],
  }
}

/** What a gateway's clients ask for and connect to, sent with its log. The LANs' dnsmasq logs by the LAN's own files. */
export const trafficRenderer: Renderer = {
  kinds: ['trafficLogs'],
  reads: ['system', 'lan', 'wan'],
  render,
  fits: facts => passesOn({ facts }),
}
