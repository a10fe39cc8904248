import { hostIpv4Problem } from '@/model/addresses'
import { placeOf, readPlace } from './edit'
import { iniSettings, last, listed, type Setting } from './ini'

/** How a file of the device addresses one interface. */
export type Link = {
  path: string
  interface: string
  by: 'networkd' | 'ifupdown'
  /** What settings can say of it; absent where they cannot. */
  addressing?: Addressing
  /** The lines that address it, without indentation. */
  text: string
}
export type Addressing =
  | { connection: 'dhcp' }
  | { connection: 'static'; address: string; prefix: number; gateway?: string }

/** The one option that an interface's item offers: all lines that address it. */
export const addressOption = 'addresses'

/** Which program reads a file of interfaces. */
export const runnerOf = (path: string): Link['by'] => (path.startsWith('/etc/network/') ? 'ifupdown' : 'networkd')

const most = { lines: 2_000, interfaces: 64 } as const
const interfaceName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,14}$/
const isHost = (text: string) => hostIpv4Problem(text) === undefined

/** `192.0.2.1/24`, or an address with a mask in dots. */
export function withPrefix(text: string, mask?: string): { address: string; prefix: number } | undefined {
  const [address = '', given, rest] = text.split('/')
  const prefix = given ?? (mask?.includes('.') ? prefixOf(mask) : mask)
  const length = Number(prefix)
  return rest === undefined && isHost(address) && /^\d{1,2}$/.test(String(prefix)) && length >= 8 && length <= 30
    ? { address, prefix: length }
    : undefined
}

function prefixOf(mask: string): string | undefined {
  const parts = mask.split('.').map(Number)
  if (parts.length !== 4 || parts.some(part => !Number.isInteger(part) || part < 0 || part > 255)) return undefined
  const bits = parts.map(part => part.toString(2).padStart(8, '0')).join('')
  return /^1*0*$/.test(bits) ? String(bits.lastIndexOf('1') + 1) : undefined
}

/** What the lines of one interface say, as `readPlace` gives them; undefined where settings cannot say it. */
export function addressingOf(by: Link['by'], text: string): Addressing | undefined {
  return by === 'networkd' ? networkdAddressing(text) : ifupdownAddressing(text)
}

/** Values of `DHCP=` that ask for addresses of each version. */
const asks4 = new Set(['yes', 'true', '1', 'on', 'ipv4'])
const asks6 = new Set(['yes', 'true', '1', 'on', 'ipv6'])
const no = new Set(['', 'no', 'false', '0', 'off'])
const dhcpOf = (all: readonly Setting[]) => (last(all, 'Network', 'DHCP') ?? 'no').toLowerCase()

const network = (text: string) => iniSettings(`[Network]\n${text}`)
const isIpv6 = (text: string) => text.includes(':')
/** An empty line makes a list begin anew. */
const beginsAnew = (text: string) => /^(Address|Gateway)\s*=\s*$/m.test(text)

/** IPv4, and of it one address: what else a file says stays as it is. */
function networkdAddressing(text: string): Addressing | undefined {
  const all = network(text)
  const dhcp = dhcpOf(all)
  if (!asks4.has(dhcp) && !asks6.has(dhcp) && !no.has(dhcp)) return undefined
  // A line of several values, or one that goes on in the next, is not one line to put another in place of.
  if (/\\$/m.test(text) || all.some(one => /\s/.test(one.value))) return undefined
  const [addresses, gateways] = ['Address', 'Gateway'].map(key => listed(all, 'Network', key)) as [string[], string[]]
  if (beginsAnew(text) && (addresses.length > 1 || gateways.some(isIpv6))) return undefined
  const ipv4 = (values: readonly string[]) => values.filter(one => !isIpv6(one))
  const own = ipv4(addresses)
  return addressed(asks4.has(dhcp), asks4.has(dhcp) ? own : own.slice(0, 1), ipv4(gateways))
}

function ifupdownAddressing(text: string): Addressing | undefined {
  const [head = '', ...body] = text.split('\n').map(line => line.trim().split(/\s+/))
  const [word, , family, method = '', ...more] = head
  const of = (key: string) => body.flatMap(([own, value, ...rest]) => (own === key && value && !rest[0] ? [value] : []))
  const plain = word === 'iface' && family === 'inet' && more.length === 0 && ['static', 'dhcp'].includes(method)
  if (!plain || of('netmask').length > 1) return undefined
  return addressed(method === 'dhcp', of('address'), of('gateway'), of('netmask')[0])
}

function addressed(dhcp: boolean, addresses: string[], gateways: string[], mask?: string): Addressing | undefined {
  const [own = ''] = addresses
  const [gateway] = gateways
  if (dhcp) return addresses.length + gateways.length === 0 ? { connection: 'dhcp' } : undefined
  const parsed = addresses.length === 1 && gateways.length <= 1 ? withPrefix(own, mask) : undefined
  if (!parsed || (gateway !== undefined && !isHost(gateway))) return undefined
  return { connection: 'static', ...parsed, ...(gateway !== undefined && { gateway }) }
}

/** systemd.network(5): a file for one interface; undefined where it may match others too. */
export function networkdLink(path: string, text: string): Link | undefined {
  const match = iniSettings(text).filter(one => one.section === 'Match')
  const names = listed(match, 'Match', 'Name')
  const [name = ''] = names
  if (names.length !== 1 || match.length !== 1 || !interfaceName.test(name)) return undefined
  const own = readPlace(text, placeOf(path, name)) ?? ''
  const once = text.match(/^\s*\[Network\]\s*$/gm)?.length === 1
  return link({ path, interface: name, by: 'networkd', text: own }, once)
}

const stanzaHeads = (text: string) =>
  text.split('\n', most.lines).flatMap(line => {
    const [word, name = '', family, method = '', ...more] = line.trim().split(/\s+/)
    return word === 'iface' ? [{ name, family, method, plain: more.length === 0 }] : []
  })

/** interfaces(5): the first stanza for IPv4 of each interface; further ones with fixed addresses stay as they are. */
export function ifupdownLinks(path: string, text: string): Link[] {
  const heads = stanzaHeads(text).filter(
    ({ name, family, method }) =>
      family === 'inet' && !['loopback', 'manual'].includes(method) && interfaceName.test(name),
  )
  return [...new Set(heads.map(one => one.name))].slice(0, most.interfaces).map(name => {
    const own = readPlace(text, placeOf(path, name)) ?? ''
    const further = heads.filter(one => one.name === name).slice(1)
    const kept = further.every(one => one.method === 'static' && one.plain)
    return link({ path, interface: name, by: 'ifupdown', text: own }, kept)
  })
}

/** Interfaces with further addresses under names of their own, `eth0:1`: ifupdown would not bring those up again with it. */
export const ifupdownAliased = (text: string): string[] =>
  stanzaHeads(text).flatMap(({ name }) => (name.includes(':') ? [name.slice(0, name.indexOf(':'))] : []))

function link(found: Omit<Link, 'addressing'>, plain: boolean): Link {
  const addressing = plain ? addressingOf(found.by, found.text) : undefined
  return { ...found, ...(addressing && { addressing }) }
}

const same = (a: Addressing, b: Addressing) =>
  a.connection === 'static' && b.connection === 'static'
    ? a.address === b.address && a.prefix === b.prefix && a.gateway === b.gateway
    : a.connection === b.connection

/** DHCP for IPv4 or none of it; for IPv6 as it was. */
function dhcpLine(former: string, ipv4: boolean): string | undefined {
  const value = dhcpOf(network(former))
  if (asks4.has(value) === ipv4) return former.split('\n').findLast(line => /^DHCP\s*=/.test(line))
  if (asks6.has(value)) return ipv4 ? 'DHCP=yes' : 'DHCP=ipv6'
  return ipv4 ? 'DHCP=ipv4' : undefined
}

/** What is wanted, by the word that each line begins with. */
function wantedLines({ by, name, former }: Written, wanted: Addressing): Map<string, string> {
  const fixed = wanted.connection === 'static' ? wanted : undefined
  const [address, gateway] = [fixed && `${fixed.address}/${fixed.prefix}`, fixed?.gateway]
  const lines: [string, string | false | undefined][] =
    by === 'networkd'
      ? [
          ['DHCP', dhcpLine(former, !fixed)],
          ['Address', address && `Address=${address}`],
          ['Gateway', gateway && `Gateway=${gateway}`],
        ]
      : [
          ['iface', `iface ${name} inet ${wanted.connection}`],
          ['address', address && `address ${address}`],
          ['gateway', gateway && `gateway ${gateway}`],
        ]
  return new Map(lines.flatMap(([key, line]) => (line ? [[key, line]] : [])))
}

type Written = { by: Link['by']; name: string; former: string }

/**
 * The lines that give an interface these addresses, in the places of those that did; as they stood where that is what
 * they said already. IPv6 and every IPv4 address but the first are kept.
 */
export function linkText(written: Written, wanted: Addressing): string {
  const { by, former } = written
  const before = addressingOf(by, former)
  if (before && same(before, wanted)) return former
  const keeps = by === 'networkd' && !beginsAnew(former)
  const left = wantedLines(written, wanted)
  const met = new Set<string>()
  const lines = former.split('\n').flatMap(line => {
    const key = /^[A-Za-z]*/.exec(line)?.[0] ?? ''
    if (keeps && (isIpv6(line) || (key === 'Address' && met.has(key)))) return [line]
    const own = left.get(key)
    left.delete(key)
    met.add(key)
    return own === undefined ? [] : [own]
  })
  return [...lines, ...left.values()].join('\n')
}
