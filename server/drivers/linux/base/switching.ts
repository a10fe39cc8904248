import type { Port } from '../../hardware'
import type { Host, Interface } from '../../observation'
import type { Parts } from '../../unix/parts'
import { clean, json, lines, list, mac, number, present, record } from '../../unix/text'
import type { Vlans } from '../../unix/vlans'

export type Switching = {
  /** Open vSwitch bridges by name. */
  bridges: Set<string>
  /** The Open vSwitch bridge of an interface. */
  members: Map<string, string>
  /** VLANs by interface. */
  vlans: Map<string, Vlans>
  /** Interfaces that are no front ports though they look so: internal and patch ports. */
  inner: Set<string>
  fdb: Host[]
}

const maxEntries = 20_000

/** OVSDB's table form: `{headings, data}`; sets are `["set", […]]`, identities `["uuid", "…"]` (RFC 7047, 5.1). */
function ovsRows(text: string | undefined): Record<string, unknown>[] {
  const table = record(json(text))
  const headings = list(table.headings).map(String)
  return list(table.data).map(row => Object.fromEntries(headings.map((name, at) => [name, list(row)[at]])))
}
const ovsSet = (value: unknown): unknown[] => {
  const pair = list(value)
  if (pair[0] === 'set') return list(pair[1])
  return pair[0] === 'uuid' || !Array.isArray(value) ? [value] : []
}
const ovsId = (value: unknown): string => String(list(value)[1] ?? '')
const vlanId = (value: unknown) => number(value, 0, 4_094)

function ovsVlans(port: Record<string, unknown>): Vlans {
  const tag = ovsSet(port.tag).flatMap(value => vlanId(value) ?? [])[0]
  const trunks = ovsSet(port.trunks).flatMap(value => vlanId(value) ?? [])
  // Without a tag a port is a trunk of everything, or of `trunks` (ovs-vswitchd.conf.db(5), "VLAN Configuration").
  if (tag === undefined) return trunks.length > 0 ? { taggedVlans: trunks } : {}
  return port.vlan_mode === 'native-tagged' || port.vlan_mode === 'native-untagged'
    ? { nativeVlan: tag, taggedVlans: trunks }
    : { nativeVlan: tag, taggedVlans: [] }
}

/** `ovs-appctl fdb/show`: ` port  VLAN  MAC                Age`; a port is its OpenFlow number or LOCAL. */
function ovsFdb(text: string | undefined, byNumber: Map<string, string>): Host[] {
  return lines(text)
    .slice(1, maxEntries)
    .flatMap(line => {
      const [port = '', vlan, hardware, age] = line.trim().split(/\s+/)
      const owner = mac(hardware)
      // Static entries and LOCAL are the switch itself.
      if (!owner || port === 'LOCAL' || age === 'static') return []
      return [present({ mac: owner, vlan: number(vlan, 1, 4_094), port: byNumber.get(port), source: 'fdb' as const })]
    })
}

function readOvs(parts: Parts, into: Switching): void {
  const interfaces = ovsRows(parts.text('ovs-interfaces'))
  const names = new Map(interfaces.map(row => [ovsId(row._uuid), clean(row.name, 64) ?? '']))
  const byNumber = new Map(interfaces.map(row => [String(row.ofport), clean(row.name, 64) ?? '']))
  const homes = new Map<string, string>()
  for (const row of ovsRows(parts.text('ovs-bridges'))) {
    const bridge = clean(row.name, 64) ?? ''
    into.bridges.add(bridge)
    for (const port of ovsSet(row.ports)) homes.set(ovsId(port), bridge)
  }
  for (const row of interfaces) if (row.type === 'internal' || row.type === 'patch') into.inner.add(String(row.name))
  for (const port of ovsRows(parts.text('ovs-ports'))) {
    const vlans = ovsVlans(port)
    const home = homes.get(ovsId(port._uuid))
    for (const member of ovsSet(port.interfaces)) {
      const name = names.get(ovsId(member)) ?? ''
      into.vlans.set(name, vlans)
      if (home !== undefined && home !== name) into.members.set(name, home)
    }
  }
  for (const bridge of parts.names('ovs-fdb/')) {
    into.fdb.push(...ovsFdb(parts.text(`ovs-fdb/${bridge}`), byNumber))
  }
}

/** `bridge -j fdb`: learnt entries have neither `permanent` nor `static` as state. */
function bridgeFdb(text: string | undefined): Host[] {
  return list(json(text), maxEntries).flatMap(value => {
    const entry = record(value)
    const owner = mac(entry.mac)
    const own = entry.state === 'permanent' || entry.state === 'static' || list(entry.flags).includes('self')
    if (!owner || own || typeof entry.master !== 'string') return []
    return [
      present({
        mac: owner,
        vlan: number(entry.vlan, 1, 4_094),
        port: clean(entry.ifname, 64),
        source: 'fdb' as const,
      }),
    ]
  })
}

/** `brctl showmacs`, after lines `PORT-NUMBER INTERFACE`: `port no  mac addr  is local?  ageing timer`. */
export function parseShowmacs(text: string | undefined): Host[] {
  const ports = new Map<string, string>()
  const hosts: Host[] = []
  for (const line of lines(text).slice(0, maxEntries)) {
    const words = line.trim().split(/\s+/)
    // The kernel gives the number in hexadecimal, brctl in decimal.
    if (words.length === 2) ports.set(String(Number(words[0])), clean(words[1], 64) ?? '')
    const owner = mac(words[1])
    if (!owner || words[2] !== 'no') continue
    hosts.push(present({ mac: owner, port: ports.get(words[0] ?? ''), source: 'fdb' as const }))
  }
  return hosts
}

function memberships(members: Record<string, unknown>[]): Vlans {
  const tagged: number[] = []
  let nativeVlan: number | undefined
  for (const member of members) {
    const first = number(member.vlan, 1, 4_094)
    if (first === undefined) continue
    const last = number(member.vlanEnd, first, 4_094) ?? first
    const flags = list(member.flags)
    if (flags.includes('PVID')) nativeVlan = first
    if (!flags.includes('Egress Untagged')) for (let vlan = first; vlan <= last; vlan++) tagged.push(vlan)
  }
  return present({ nativeVlan, taggedVlans: tagged })
}

/** `bridge -j vlan show`. */
function bridgeVlans(text: string | undefined, into: Map<string, Vlans>): void {
  for (const entry of list(json(text), 4_000).map(record)) {
    if (typeof entry.ifname === 'string') into.set(entry.ifname, memberships(list(entry.vlans, 4_094).map(record)))
  }
}

/** Bridges, their VLANs and what they learnt, of Open vSwitch and of the kernel. */
export function readSwitching(parts: Parts): Switching {
  const found: Switching = { bridges: new Set(), members: new Map(), vlans: new Map(), inner: new Set(), fdb: [] }
  bridgeVlans(parts.text('vlans'), found.vlans)
  readOvs(parts, found)
  found.fdb.push(...bridgeFdb(parts.text('fdb')))
  for (const bridge of parts.names('brctl/')) found.fdb.push(...parseShowmacs(parts.text(`brctl/${bridge}`)))
  return found
}

const natural = new Intl.Collator('en', { numeric: true })

/** The front: real Ethernet ports in natural order. A pair's end that carries the kernel's own name (vethX) belongs to a container. */
export function frontPorts(interfaces: Interface[], switching: Switching, wireless: ReadonlySet<string>): Port[] {
  const inner = (name: string) => switching.inner.has(name) || wireless.has(name) || name.startsWith('veth')
  return interfaces
    .filter(({ type, name }) => type === 'ethernet' && !inner(name))
    .sort((a, b) => natural.compare(a.name, b.name))
    .map(({ key, name }, at) => present({ number: at + 1, interface: key, label: name, ...switching.vlans.get(name) }))
}
