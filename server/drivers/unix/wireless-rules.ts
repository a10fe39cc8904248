import { wirelessRule as kindOfRule, type WirelessValues } from '@/model/firewall/wireless'
import type { Cut, DesiredDocument, NativeConfig, Warning } from '../driver'
import type { Observation } from '../observation'
import { fieldsOf } from './documents'
import { cutBy } from './firewall-path'
import { addressMatches, chain, interfaces, remark, set, table, words } from './nft'
import { type Schedule, scheduleOf } from './schedules'
import { ruleMark, service } from './wired-rules'

// Rules of Wi-Fi networks on an access point's bridge, where the clients' frames come in.

export const wirelessTable = 'bridge lanward_wireless'
const kind = kindOfRule.id

type WirelessRule = Omit<WirelessValues, 'schedule'> & {
  id: string
  /** Name of the one network it is about. */
  network?: string
  schedule?: Schedule | undefined
}

/** The rules that are switched on, in their order; a reference is its document's data here. */
export const wirelessRules = (documents: readonly DesiredDocument[]): WirelessRule[] =>
  documents
    .filter(document => document.kind === kind)
    .map(({ id, data }) => {
      const network = (data.ssid as { name?: string } | undefined)?.name
      const { schedule: _id, ...values } = fieldsOf(kindOfRule, data) as WirelessValues
      return { ...values, id, schedule: scheduleOf(data.schedule), ...(network !== undefined && { network }) }
    })
    .filter(one => one.enabled)

function lines(rule: WirelessRule, from: readonly string[]): string[] {
  const macs = rule.macs.length > 0 && `ether saddr ${set(rule.macs)}`
  const verdict = rule.action === 'allow' ? 'accept' : 'drop'
  return [
    remark(rule.name),
    ...addressMatches([], rule.destinations).map(to =>
      words(`iifname ${interfaces(from)}`, macs, to, service(rule), 'counter', verdict, ruleMark(rule)),
    ),
  ]
}

// Whatever is denied: an address is asked for, IPv6 neighbours are found, and what is no IP (ARP, EAPOL) is not judged.
const always = [
  'ether type != { ip, ip6 } return',
  'udp sport 68 udp dport 67 return',
  'icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert } return',
]

const chains = (rules: readonly string[]) => [
  ['\tchain clients {', ...[...always, ...rules].map(line => `\t\t${line}`), '\t}'].join('\n'),
  chain('through', 'type filter hook forward priority -10; policy accept;', ['jump clients']),
  chain('to_device', 'type filter hook input priority -10; policy accept;', ['jump clients']),
]

/** A rule with the interfaces that send out its networks. */
type PlacedRule = { rule: WirelessRule; from: readonly string[] }

/** Rules by the interfaces of what is sent out; those of networks that are not are said. */
export function placeRules(rules: readonly WirelessRule[], sent: readonly { name: string; interface: string }[]) {
  const placed = rules.map(
    (rule): PlacedRule => ({
      rule,
      from: sent.filter(one => rule.network === undefined || one.name === rule.network).map(one => one.interface),
    }),
  )
  const warnings: Warning[] = placed
    .filter(({ from }) => from.length === 0)
    .map(({ rule }) => ({ code: 'ruleWithoutNetwork', kind, document: rule.id, values: { rule: rule.name } }))
  return { effective: placed.filter(({ from }) => from.length > 0), warnings }
}

export const wirelessText = (placed: readonly PlacedRule[]): string =>
  table(wirelessTable, chains(placed.flatMap(({ rule, from }) => lines(rule, from))))

/** A manager that is itself a client of the network, and is not let to the device any more. */
export const wirelessCuts =
  (path: string) =>
  (before: NativeConfig, next: NativeConfig, observation: Observation): Cut[] => {
    const find = (config: NativeConfig) => config.blocks.find(block => block.id === `file:${path}`)
    const wanted = find(next)
    if (!wanted || find(before)?.text === wanted.text) return []
    return cutBy(wanted, 'clients', { ...observation, path: observation.path && throughPort(observation.path) })
  }
const throughPort = (path: NonNullable<Observation['path']>) => ({
  ...path,
  ...(path.port && { interface: path.port }),
})
