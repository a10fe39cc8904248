import { numberRanges } from '@/model/rules'
import type { Cut, NativeBlock } from '../driver'
import type { Observation } from '../observation'
import type { CutCode } from '../words'
import { byOuterAddress } from './forwards'
import { holds } from './nft'

// What a rule set of ours does to the manager's own connection, told from its text. It knows the words that the renderer
// writes, and nothing else of the language.

/** A connection that the manager opens to the device; `near`: by an address of the interface it comes in on. */
type Packet = { iifname: string; near: boolean; peer: string; local: string; mac?: string; port: number }

const values = (text: string) => text.replace(/[{}"]/g, '').trim().split(/,\s*/)
const inRanges = (list: string[], first: number, last = first) =>
  (numberRanges(list.join(',')) ?? []).some(range => range.first <= last && first <= range.last)

/** The manager's own port is any that a system gives to who asks for none. */
const sourcePorts = [1024, 65_535] as const

const tests: Record<string, (list: string[], packet: Packet) => boolean> = {
  iifname: (list, { iifname }) => list.includes(iifname),
  'ether saddr': (list, { mac }) => mac !== undefined && list.includes(mac),
  'ip saddr': (list, { peer }) => holds(list, peer),
  'ip6 saddr': (list, { peer }) => holds(list, peer),
  'ip daddr': (list, { local }) => holds(list, local),
  'ip6 daddr': (list, { local }) => holds(list, local),
  'meta l4proto': list => list.includes('tcp'),
  'tcp dport': (list, { port }) => inRanges(list, port),
  'th dport': (list, { port }) => inRanges(list, port),
  'tcp sport': list => inRanges(list, ...sourcePorts),
  'th sport': list => inRanges(list, ...sourcePorts),
  'udp dport': () => false,
  'udp sport': () => false,
}
const match = /(iifname|ether saddr|ip6? [sd]addr|meta l4proto|(?:tcp|udp|th) [sd]port) (!= )?(\{[^}]*\}|\S+)/g

/** Whether the manager's packet fits the line; one about other things (answers, neighbours) it does not. */
function fits(line: string, packet: Packet): boolean {
  if (/^ct |^icmpv6 | return$/.test(line)) return false
  if (packet.near && line.includes(byOuterAddress)) return false
  // An exception that leans on the port the manager happens to have, or on the time, is none to rely on.
  if (/ sport .* accept| accept .*# schedule /.test(line)) return false
  return [...line.matchAll(match)].every(([, name = '', not, list = '']) => {
    const holdsHere = tests[name]?.(values(list), packet) === true
    return not === undefined ? holdsHere : !holdsHere
  })
}

function chainLines(text: string, name: string): string[] {
  const lines = text.split('\n')
  const start = lines.indexOf(`\tchain ${name} {`)
  return start < 0 ? [] : lines.slice(start + 2, lines.indexOf('\t}', start)).map(line => line.trim())
}

/** The first line of a chain that the packet fits: whether it stops or diverts it, and whose line it is. */
function verdict(lines: readonly string[], packet: Packet): { rule: string; document?: string } | undefined {
  let rule = ''
  for (const line of lines) {
    if (line.startsWith('# ')) rule = line.slice(2)
    else if (fits(line, packet))
      return / (drop|reject|dnat)\b/.test(line) ? { rule, document: /comment "([^"]*)"/.exec(line)?.[1] } : undefined
  }
  return undefined
}

function packetOf({ path, hosts, interfaces }: Observation): Packet | undefined {
  if (!path) return undefined
  const found = interfaces?.find(one => one.key === path.interface)
  const near = found?.addresses?.some(address => address.split('/')[0] === path.local) ?? true
  const mac = hosts?.find(host => host.address === path.peer)?.mac
  return {
    iifname: found?.name ?? '',
    near,
    peer: path.peer,
    local: path.local,
    port: path.service ?? 22,
    ...(mac && { mac }),
  }
}

const told: Record<string, { kind: string; code: CutCode }> = {
  input: { kind: 'wiredRule', code: 'firewall' },
  clients: { kind: 'wirelessRule', code: 'firewall' },
  forwards: { kind: 'portForward', code: 'portForward' },
  dmz: { kind: 'wan', code: 'dmz' },
}

/** The rule of a chain that refuses the manager's own connection, or leads it elsewhere. */
export function cutBy(block: NativeBlock, chain: string, observation: Observation): Cut[] {
  const packet = packetOf(observation)
  const stopped = packet && verdict(chainLines(block.text, chain), packet)
  const about = told[chain]
  if (!stopped || !about) return []
  const { rule, document } = stopped
  return [{ ...about, block: block.id, document, values: { rule, peer: packet.peer, port: packet.port } }]
}

/** What of the gateway's rules cuts the manager's way, where the block is new or changed. */
export function firewallCuts(before: NativeBlock | undefined, next: NativeBlock, observation: Observation): Cut[] {
  if (before?.text === next.text) return []
  const [first] = ['forwards', 'input'].flatMap(chain => cutBy(next, chain, observation))
  return first ? [first] : []
}
