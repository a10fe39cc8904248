import { hasIpv6 } from '@/model/internet/wan'
import type { Cut, NativeBlock, NativeConfig, Warning } from '../../driver'
import type { Observation } from '../../observation'
import { cutBy } from '../../unix/firewall-path'
import { chain, interfaces, remark, table } from '../../unix/nft'
import type { Uplink } from '../../unix/wans'
import { ruleLines, type WiredRule } from '../../unix/wired-rules'
import { type RulesFile, rulesBlocks } from '../area/rules-file'
import { linkOf } from './wan-links'

const tables = { nat: 'ip lanward_nat', inbound: 'inet lanward_inbound' } as const

export const translation: RulesFile = {
  name: 'lanward-nat',
  path: '/etc/lanward/nat.nft',
  description: 'Address translation to the internet, as set in Lanward',
  tables: [tables.nat, tables.inbound],
}

/** After the port forwards (dstnat - 10): who translates a connection first, has it. Pings stay the gateway's own. */
const dmzLines = (all: readonly Uplink[]) =>
  all
    .filter(one => one.dmzHost !== undefined)
    .flatMap(one => [
      remark(one.name),
      `iifname ${interfaces([linkOf(one)])} fib daddr type local meta l4proto != icmp counter dnat to ${one.dmzHost} comment "${one.id}"`,
    ])

/** RFC 2923: where packets that are too big vanish on their way, a connection hangs; TCP is told the size at its start. */
const sizeLines = (all: readonly Uplink[]) =>
  all
    .filter(one => one.connection === 'pppoe')
    .flatMap(one => {
      const size = `tcp flags syn / syn,rst tcp option maxseg size set ${one.mtu - 40}`
      return [`oifname ${interfaces([linkOf(one)])} ${size}`, `iifname ${interfaces([linkOf(one)])} ${size}`]
    })

function natTable(all: readonly Uplink[]): string | undefined {
  const links = all.filter(one => one.nat).map(linkOf)
  const parts = [
    {
      name: 'postrouting',
      hook: 'nat hook postrouting priority srcnat + 5',
      lines: links.length > 0 ? [`oifname ${interfaces(links)} masquerade`] : [],
    },
    { name: 'dmz', hook: 'nat hook prerouting priority dstnat - 5', lines: dmzLines(all) },
    { name: 'segment', hook: 'filter hook forward priority mangle', lines: sizeLines(all) },
  ].filter(part => part.lines.length > 0)
  if (parts.length === 0) return undefined
  return table(
    tables.nat,
    parts.map(({ name, hook, lines }) => chain(name, `type ${hook}; policy accept;`, lines)),
  )
}

/** Rules that open the LANs from outside. */
const opens = ({ action, from, to }: WiredRule) =>
  action === 'allow' && (from === 'wan' || from === 'any') && (to === 'lan' || to === 'any')

/**
 * IPv6 has no address translation that would keep strangers out: nothing is let in to the LANs but answers and what a
 * firewall rule allows. Rules that deny stand in the firewall's own table, which every packet passes too.
 */
function inboundTable(all: readonly Uplink[], rules: readonly WiredRule[]): string | undefined {
  const links = all.filter(hasIpv6).map(linkOf)
  if (links.length === 0) return undefined
  const lines = [
    'meta nfproto ipv4 accept',
    `iifname != ${interfaces(links)} accept`,
    'ct state established,related accept',
    ...rules.filter(opens).flatMap(rule => ruleLines(rule, links)),
    'counter drop',
  ]
  return table(tables.inbound, [
    chain('forward', 'type filter hook forward priority filter - 5; policy accept;', lines),
  ])
}

/** The tables of the ways; none where they need none. */
export function translationBlocks(all: readonly Uplink[], rules: readonly WiredRule[]): NativeBlock[] {
  const texts = [natTable(all), inboundTable(all, rules)].filter(one => one !== undefined)
  return texts.length > 0 ? rulesBlocks(translation, texts.join(''), { kind: 'wan' }) : []
}

/** A chain that drops what is forwarded may keep clients from a way that it does not know, and strangers from the DMZ. */
export const filtered = (all: readonly Uplink[], seen: Observation | undefined): Warning[] =>
  (seen?.filters ?? [])
    .filter(one => one.stops && one.hook === 'forward')
    .flatMap(one =>
      all.flatMap(wan => {
        const about = { kind: 'wan', document: wan.id }
        const values = { wan: wan.name, interface: linkOf(wan), chain: one.chain }
        return [
          ...(wan.connection === 'kept' ? [] : [{ ...about, code: 'wanFiltered' as const, values }]),
          ...(wan.dmzHost === undefined || one.passesForwards
            ? []
            : [{ ...about, code: 'dmzFiltered' as const, values }]),
        ]
      }),
    )

/** Answers of DHCPv6 and announcements of routers belong to no connection that a chain could know. */
export const filtered6 = (all: readonly Uplink[], seen: Observation | undefined): Warning[] =>
  (seen?.filters ?? [])
    .filter(one => one.stops && one.hook === 'input')
    .flatMap(one =>
      all
        .filter(wan => hasIpv6(wan) && wan.ipv6 === 'auto')
        .map(wan => ({
          code: 'wan6Filtered',
          kind: 'wan',
          document: wan.id,
          values: { wan: wan.name, interface: linkOf(wan), chain: one.chain },
        })),
    )

/** The DMZ takes the manager's own connection where that comes in by its way. */
export function uplinkCuts(before: NativeConfig, next: NativeConfig, observation: Observation): Cut[] {
  const rules = ({ blocks }: NativeConfig) => blocks.find(block => block.id === `file:${translation.path}`)
  const wanted = rules(next)
  return wanted && rules(before)?.text !== wanted.text ? cutBy(wanted, 'dmz', observation) : []
}
