import { numberRanges } from '@/model/rules'
import type { Cut, NativeBlock, NativeConfig } from '../../driver'
import type { Observation } from '../../observation'
import { holds } from '../../unix/nft'
import { parseSections, type Section, valuesOf } from '../uci/show'

// What sections of ours in /etc/config/firewall do to the manager's own connection, as fw4 reads them.

type Packet = { zone: string; peer: string; local: string; mac?: string; port: number }
type Found = { block: NativeBlock; section: Section }

const own = ({ blocks }: NativeConfig) => blocks.filter(block => block.id.startsWith('uci:firewall.'))
const sections = (blocks: readonly NativeBlock[]): Found[] =>
  blocks.flatMap(block => parseSections(block.text).map(section => ({ block, section })))

/** Zone of the network that the manager comes in by: one of ours that names it, else the system's. */
function zoneOf(all: readonly Found[], { path, networks, networkRoles }: Observation): string | undefined {
  const names = networks?.filter(one => one.device === path?.interface).map(one => one.name) ?? []
  const own = all.find(
    ({ section }) => section.type === 'zone' && valuesOf(section, 'network').some(name => names.includes(name)),
  )
  return own ? String(own.section.options.name) : names.flatMap(name => networkRoles?.zones[name] ?? [])[0]
}

/** The manager's own port is any that a system gives to who asks for none. */
const sourcePorts = [1024, 65_535] as const
const meets = (list: readonly string[], first: number, last = first) =>
  (numberRanges(list.join(',')) ?? []).some(range => range.first <= last && first <= range.last)

const tests: Record<string, (values: string[], packet: Packet) => boolean> = {
  src: ([zone], packet) => zone === '*' || zone === packet.zone,
  proto: values => values.some(one => one === 'all' || one === 'tcp'),
  src_ip: (values, { peer }) => holds(values, peer),
  src_mac: (values, { mac }) => mac !== undefined && values.includes(mac),
  src_port: values => meets(values, ...sourcePorts),
  dest_ip: (values, { local }) => holds(values, local),
  dest_port: (values, { port }) => meets(values, port),
  src_dport: (values, { port }) => meets(values, port),
}

/** Which options say whom a section is about: those of a redirect's new destination do not. */
const about: Record<string, readonly string[]> = {
  rule: ['src', 'proto', 'src_ip', 'src_mac', 'src_port', 'dest_ip', 'dest_port'],
  redirect: ['src', 'proto', 'src_ip', 'src_dport'],
}

/** An exception that leans on the port the manager happens to have, or on the time, is none to rely on. */
const unsure = ['src_port', 'start_time', 'start_date']

function fits({ section }: Found, packet: Packet): boolean {
  const { type, options } = section
  if (options.src === undefined || (type === 'rule' && options.dest !== undefined)) return false
  if (options.target === 'ACCEPT' && unsure.some(option => options[option] !== undefined)) return false
  return (about[type] ?? []).every(
    option => options[option] === undefined || tests[option]?.(valuesOf(section, option), packet) === true,
  )
}

const stops = ({ section: { type, options } }: Found) => type === 'redirect' || options.target !== 'ACCEPT'

/** The rule or forward that refuses the manager's own connection or leads it elsewhere, where they are new or changed. */
export function cuts(before: NativeConfig, next: NativeConfig, observation: Observation): Cut[] {
  const { path, hosts } = observation
  const text = (list: readonly NativeBlock[]) => list.map(block => block.text).join('\n')
  const [former, wanted] = [own(before), own(next)]
  if (!path || text(former) === text(wanted)) return []
  const all = sections(wanted)
  const zone = zoneOf(all, observation)
  if (zone === undefined) return []
  const mac = hosts?.find(host => host.address === path.peer)?.mac
  const packet = { zone, peer: path.peer, local: path.local, port: path.service ?? 22, ...(mac && { mac }) }
  // A destination is translated before anything is judged.
  const first = ['redirect', 'rule'].flatMap(
    type => all.find(one => one.section.type === type && fits(one, packet)) ?? [],
  )
  return first
    .filter(stops)
    .slice(0, 1)
    .map(({ block, section }) => ({
      code: section.type === 'redirect' ? 'portForward' : 'firewall',
      block: block.id,
      values: { rule: String(section.options.name ?? ''), peer: path.peer, port: packet.port },
      ...(block.kind && { kind: block.kind }),
      ...(block.document && { document: block.document }),
    }))
}
