import { hasPorts } from '@/model/firewall/wired'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import type { Facts } from '../../observation'
import { renderOnce } from '../../render-once'
import { once } from '../../unix/documents'
import { type Forward, forwards } from '../../unix/forwards'
import { addressVersions } from '../../unix/nft'
import { type RuleLan, type WiredRule, wiredRules } from '../../unix/wired-rules'
import { internetRenderer } from '../internet/internet'
import { lanRenderer } from '../lan/lan'
import { systemZones } from '../lan/lan-zones'
import { neighbourRule } from '../uci/neighbours'
import { prefix } from '../uci/package'
import { fw4Times } from '../uci/schedule'
import { type Options, safe, uciBlock } from '../uci/uci'
import { uplinksOf, zoneOfUplink } from '../uplinks/uplinks'
import { cuts } from './firewall-cuts'

/**
 * fw4 writes the name into a comment of nftables, which has no way to write a quote and takes 128 bytes, of which fw4's own
 * words need 19: else the whole rule set would be void.
 */
function plainName(text: string): string {
  const plain = [...text.replace(/[^\p{L}\p{N} ._-]/gu, '').trim()].slice(0, 30)
  while (Buffer.byteLength(plain.join('')) > 100) plain.pop()
  return plain.join('') || 'rule'
}

const targets: Record<WiredRule['action'], string> = { allow: 'ACCEPT', deny: 'DROP', reject: 'REJECT' }

/** The system's own zones, and those that this plan makes: fw4 leaves a rule out that names another. */
function zonesOf(input: RenderInput) {
  const made = (renderer: Renderer) =>
    renderOnce(renderer, input).blocks.flatMap(block => /^firewall\.(\w+)=zone$/m.exec(block.text)?.[1] ?? [])
  // Imported networks by their VLAN: one whose zone is unknown is in none that a rule could name.
  const networks = (input.imported ?? []).filter(({ about }) => about?.network !== undefined)
  const imported = new Map(networks.map(({ about }) => [about?.vlan, about?.zone]))
  const system = systemZones(input.observation)
  const lan = [...new Set([...system.lan, ...made(lanRenderer), ...[...imported.values()].flatMap(zone => zone ?? [])])]
  const theirs = uplinksOf(input).flatMap(one => one.imported?.zoneName ?? [])
  const wan = [...new Set([...system.wan, ...theirs, ...made(internetRenderer)])]
  return {
    lan,
    wan,
    /** Of the device's own LAN; absent where it is unknown. */
    home: system.lan[0],
    /** Devices with the same zones have the same rules. */
    key: JSON.stringify([lan, wan, system, [...imported]]),
    /** Rule N14: VLAN 1 is the system's own LAN; another of its networks, once imported, is in the zone it was in. */
    of({ vlan }: RuleLan): string | undefined {
      if (imported.has(String(vlan))) return imported.get(String(vlan))
      return vlan === 1 ? system.lan[0] : `${prefix}lan${vlan}`
    },
  }
}
type Zones = ReturnType<typeof zonesOf>

/**
 * Zones that a rule leaves from and goes to; undefined is the gateway itself. `any` is each zone by its name: fw4 asks
 * the rules for `*` before those of a zone, whatever their order.
 */
function ways(rule: WiredRule, { lan, wan, of }: Zones): [from: string | undefined, to: string | undefined][] {
  const zones = { lan, wan, any: [...lan, ...wan], device: [undefined] }
  const known = (one: RuleLan) => lan.filter(zone => zone === of(one))
  const to = rule.to === 'any' ? ['*'] : rule.toLan ? known(rule.toLan) : zones[rule.to]
  const from = rule.fromLan ? known(rule.fromLan) : zones[rule.from]
  return from.flatMap(from => to.map(one => [from, one] as [string | undefined, string | undefined]))
}

const protocols: Record<WiredRule['protocol'], string[]> = {
  any: ['all'],
  tcp: ['tcp'],
  udp: ['udp'],
  tcpUdp: ['tcp', 'udp'],
  icmp: ['icmp', 'ipv6-icmp'],
}

/** Several values of one option, as fw4 takes them in one text. */
const several = (list: readonly string[]): string | undefined => (list.length > 0 ? list.join(' ') : undefined)
const spaced = (ports: string | undefined): string | undefined => ports?.replaceAll(',', ' ')

function ruleBlocks(rule: WiredRule, zones: Zones): NativeBlock[] {
  const times = rule.schedule ? fw4Times(rule.schedule) : [[]]
  const forms = ways(rule, zones).flatMap(way =>
    addressVersions(rule.sources, rule.destinations).flatMap(one => times.map((when, at) => ({ way, one, when, at }))),
  )
  return forms.map(({ way: [from, to], one: { version, sources, destinations }, when, at }) => {
    const parts = [
      rule.id,
      from ?? 'device',
      to === '*' ? 'any' : (to ?? 'device'),
      ...(version ? [`${version}`] : []),
      ...(rule.schedule ? [`t${at}`] : []),
    ]
    const options: Options = [
      ['name', plainName(rule.name)],
      ['family', version && `ipv${version}`],
      ['src', from],
      ['dest', to],
      ['proto', protocols[rule.protocol]],
      ['src_ip', several(sources)],
      ['src_mac', several(rule.macs)],
      ['src_port', hasPorts(rule) ? spaced(rule.sourcePorts) : undefined],
      ['dest_ip', several(destinations)],
      ['dest_port', hasPorts(rule) ? spaced(rule.ports) : undefined],
      ...when,
      ['target', targets[rule.action]],
    ]
    const name = `firewall.${prefix}rule_${parts.map(safe).join('_')}`
    return uciBlock(name, 'rule', options, { kind: 'wiredRule', document: rule.id })
  })
}

/** A rule that would keep neighbours from finding the gateway by IPv6. */
const hidesGateway = ({ text }: NativeBlock): boolean =>
  /\.target='(DROP|REJECT)'/.test(text) && /\.proto='(all|icmp)'/.test(text) && !/\.(dest='|family='ipv4')/.test(text)

/** fw4 asks the rules for `*` before those of a zone. */
const neighbourBlocks = (rules: readonly NativeBlock[]): NativeBlock[] =>
  rules.some(hidesGateway) ? [neighbourRule(`${prefix}neighbours`, 'IPv6 neighbours', '*', { kind: 'wiredRule' })] : []

/** A redirect takes one zone, one source and one range of ports: several are several sections. */
function forwardBlocks(one: Forward, { wan, home }: Zones): NativeBlock[] {
  if (home === undefined) return []
  const sources = one.sources.length > 0 ? one.sources : [undefined]
  const about = { kind: 'portForward', document: one.id }
  const parts = sources.flatMap((source, at) =>
    one.ports.split(',').map((ports, index) => ({ source, at, ports, index })),
  )
  return wan.flatMap(zone =>
    parts.map(({ source, at, ports, index }) =>
      uciBlock(
        `firewall.${prefix}forward_${safe(one.id)}_${at}_${index}${zone === 'wan' ? '' : `_${zone}`}`,
        'redirect',
        [
          ['name', plainName(one.name)],
          ['src', zone],
          ['dest', home],
          ['proto', one.protocol === 'tcpUdp' ? ['tcp', 'udp'] : [one.protocol]],
          ['src_ip', source],
          ['src_dport', ports],
          ['dest_ip', one.address],
          ['dest_port', one.innerPort === undefined ? ports : String(one.innerPort)],
          ['target', 'DNAT'],
          // Clients inside come by the outer address, too.
          ['reflection', '1'],
        ],
        about,
      ),
    ),
  )
}

/** After the forwards: the first redirect that fits has the connection. */
function dmzBlocks(input: RenderInput, { wan, home }: Zones): NativeBlock[] {
  const all = uplinksOf(input)
  return all.flatMap(one => {
    const zone = zoneOfUplink(one, all, input.observation)
    if (home === undefined || one.dmzHost === undefined || zone === undefined || !wan.includes(zone)) return []
    return [
      uciBlock(
        `firewall.${prefix}dmz_${safe(one.id)}`,
        'redirect',
        [
          ['name', plainName(`DMZ ${one.name}`)],
          ['src', zone],
          ['dest', home],
          ['proto', ['all']],
          ['dest_ip', one.dmzHost],
          ['target', 'DNAT'],
          ['reflection', '0'],
        ],
        { kind: 'wan', document: one.id },
      ),
    ]
  })
}

const isGateway = ({ kind }: Facts) => kind === 'gateway' || kind === 'firewall'

function render(input: RenderInput): Rendered {
  if (!isGateway(input.facts)) return { blocks: [], warnings: [] }
  const zones = zonesOf(input)
  const rules = wiredRules(input.documents)
  const ruled = rules.flatMap(rule => once(rule, zones.key, () => ruleBlocks(rule, zones)))
  const blocks = [
    ...forwards(input.documents).flatMap(one => once(one, zones.key, () => forwardBlocks(one, zones))),
    ...dmzBlocks(input, zones),
    ...neighbourBlocks(ruled),
    ...ruled,
  ]
  const warnings = rules
    .filter(rule => ways(rule, zones).length === 0)
    .map(rule => ({
      code: 'ruleWithoutLan' as const,
      kind: 'wiredRule',
      document: rule.id,
      values: { rule: rule.name },
    }))
  return { blocks, warnings: [...warnings, ...unplaced(input, zones)] }
}

/** Forwards of which it is unknown where they lead, and DMZs also of which it is unknown where they begin. */
function unplaced(input: RenderInput, { home }: Zones): Warning[] {
  const all = uplinksOf(input)
  const lost = home === undefined ? forwards(input.documents) : []
  const shut = all.filter(
    one => one.dmzHost !== undefined && (!home || zoneOfUplink(one, all, input.observation) === undefined),
  )
  return [
    ...lost.map(one => ({ code: 'lanUnknown' as const, kind: 'portForward', document: one.id })),
    ...shut.map(one => ({
      ...{ kind: 'wan', document: one.id, values: { wan: one.name } },
      code: home ? ('wanImportedLeft.zone' as const) : ('lanUnknown' as const),
    })),
  ]
}

/** Firewall rules and port forwards as sections of /etc/config/firewall, in their order. */
export const firewallRenderer: Renderer = {
  // Networks and ways make the zones that rules are about.
  kinds: ['wiredRule', 'portForward', 'lan', 'wan'],
  render,
  fits: isGateway,
  cuts,
}
