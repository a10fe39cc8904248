import { ipv4Text, segment4 } from '@/model/addresses'
import { hasPorts, wiredRule as kind, type WiredValues } from '@/model/firewall/wired'
import type { DesiredDocument } from '../driver'
import { fieldsOf, once } from './documents'
import { addressMatches, chain, interfaces, ports, remark, set, words } from './nft'
import { type Schedule, scheduleMark, scheduleOf } from './schedules'

/** A LAN network that a rule is about: its segment, and its VLAN. */
export type RuleLan = { segment: string; vlan: number }
export type WiredRule = Omit<WiredValues, 'fromLan' | 'toLan' | 'schedule'> & {
  id: string
  fromLan?: RuleLan
  toLan?: RuleLan
  schedule?: Schedule
}

/** A reference is its document's data here: `address` is the gateway's own in it. */
function lanOf(data: unknown): RuleLan | undefined {
  const { address, vlan } = (data ?? {}) as { address?: unknown; vlan?: unknown }
  const segment = segment4(String(address))
  return segment && { segment: `${ipv4Text(segment.first)}/${segment.prefix}`, vlan: Number(vlan) }
}

function ruleOf({ id, data }: DesiredDocument): WiredRule {
  const [from, to] = [lanOf(data.fromLan), lanOf(data.toLan)]
  const values = fieldsOf(kind, data) as WiredValues
  return { ...values, id, fromLan: from, toLan: to, schedule: scheduleOf(data.schedule) } as WiredRule
}

/** The rules that are switched on, in their order. */
export const wiredRules = (documents: readonly DesiredDocument[]): WiredRule[] =>
  documents
    .filter(document => document.kind === kind.id)
    .map(document => once(document, kind.id, () => ruleOf(document)))
    .filter(one => one.enabled)

export type Hook = 'input' | 'forward' | 'output'
export const hookOf = ({ from, to }: Pick<WiredRule, 'from' | 'to'>): Hook =>
  to === 'device' ? 'input' : from === 'device' ? 'output' : 'forward'

export const needsUplink = ({ from, to }: Pick<WiredRule, 'from' | 'to'>): boolean =>
  [from, to].some(zone => zone === 'lan' || zone === 'wan')

type Protocol = WiredRule['protocol']

type Service = Pick<WiredRule, 'protocol' | 'ports' | 'sourcePorts'>

/** Protocol and ports as matches of a rule. */
export function service({ protocol, ports: to, sourcePorts: from }: Service): string {
  if (protocol === 'any') return ''
  if (protocol === 'icmp') return 'meta l4proto { icmp, ipv6-icmp }'
  const of = hasPorts({ protocol }) && protocol !== 'tcpUdp' ? protocol : 'th'
  const matched = words(from && `${of} sport ${ports(from)}`, to && `${of} dport ${ports(to)}`)
  if (protocol === 'tcpUdp') return words('meta l4proto { tcp, udp }', matched)
  return matched || `meta l4proto ${protocol}`
}

/** TCP is refused by a reset, all else by an ICMP message: clients give up at once instead of waiting. */
const refusals: Record<Protocol, [Protocol, string][]> = {
  tcp: [['tcp', 'reject with tcp reset']],
  udp: [['udp', 'reject']],
  icmp: [['icmp', 'reject']],
  tcpUdp: [
    ['tcp', 'reject with tcp reset'],
    ['udp', 'reject'],
  ],
  any: [
    ['tcp', 'reject with tcp reset'],
    ['any', 'reject'],
  ],
}

const verdicts = (rule: WiredRule): [Protocol, string][] =>
  rule.action === 'reject' ? refusals[rule.protocol] : [[rule.protocol, rule.action === 'allow' ? 'accept' : 'drop']]

/** LAN is every network that does not lead to the internet: one that is added later is in it. */
const zone = (word: 'iifname' | 'oifname', of: WiredRule['from'], uplinks: readonly string[]): string => {
  if (of === 'any' || of === 'device') return ''
  return `${word} ${of === 'lan' ? '!= ' : ''}${interfaces(uplinks)}`
}

/** Whose line it is, and when it holds. */
export const ruleMark = ({ id, schedule }: { id: string; schedule?: Schedule | undefined }): string =>
  words(`comment "${id}"`, schedule && scheduleMark(schedule.key))

/** One rule in the device's words: a remark with its name, then a line for each address version and protocol. */
export function ruleLines(rule: WiredRule, uplinks: readonly string[]): string[] {
  const place = words(zone('iifname', rule.from, uplinks), zone('oifname', rule.to, uplinks))
  const macs = rule.macs.length > 0 && `ether saddr ${set(rule.macs)}`
  const lans = words(rule.fromLan && `ip saddr ${rule.fromLan.segment}`, rule.toLan && `ip daddr ${rule.toLan.segment}`)
  // A network by reference is its IPv4 segment: with it no IPv6 packet fits.
  const both = addressMatches(rule.sources, rule.destinations).filter(one => !lans || !one.startsWith('ip6 '))
  const lines = both.flatMap(addresses =>
    verdicts(rule).map(([protocol, verdict]) =>
      words(place, lans, macs, addresses, service({ ...rule, protocol }), 'counter', verdict, ruleMark(rule)),
    ),
  )
  return [remark(rule.name), ...lines]
}

// Answers belong to a connection that was allowed. What is on its way in a direction that is now denied ends at once.
const answers = 'ct direction reply ct state established,related accept'
// Without these no IPv6 neighbour is found, whatever is denied (RFC 4890 section 4.4.1).
const neighbours = 'icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert } accept'

const always: Record<Hook, string[]> = {
  forward: [answers],
  input: ['iifname "lo" accept', answers, neighbours],
  output: ['oifname "lo" accept', answers, neighbours],
}

/** A chain for each way that a rule is about, before the chains of an ordinary firewall (priority filter). */
export function wiredChains(rules: readonly WiredRule[], uplinks: readonly string[]): string[] {
  return (['forward', 'input', 'output'] as const).flatMap(hook => {
    const mine = rules.filter(rule => hookOf(rule) === hook)
    if (mine.length === 0) return []
    const lines = [...always[hook], ...mine.flatMap(rule => ruleLines(rule, uplinks))]
    return [chain(hook, `type filter hook ${hook} priority filter - 10; policy accept;`, lines)]
  })
}
