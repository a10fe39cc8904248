import { hostIpv4Problem } from '@/model/addresses'
import { placeOf, readPlace } from './edit'
import { iniSettings, last, listed } from './ini'

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

const yes = new Set(['yes', 'true', '1', 'on', 'ipv4'])
const no = new Set(['', 'no', 'false', '0', 'off'])

function networkdAddressing(text: string): Addressing | undefined {
  const all = iniSettings(`[Network]\n${text}`)
  const dhcp = (last(all, 'Network', 'DHCP') ?? 'no').toLowerCase()
  if (!yes.has(dhcp) && !no.has(dhcp)) return undefined
  return addressed(yes.has(dhcp), listed(all, 'Network', 'Address'), listed(all, 'Network', 'Gateway'))
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

/** interfaces(5): the stanzas for IPv4. An interface with several of them has more addresses than settings can say. */
export function ifupdownLinks(path: string, text: string): Link[] {
  const heads = text.split('\n', most.lines).flatMap(line => {
    const [word, name = '', family, method = ''] = line.trim().split(/\s+/)
    const meant = word === 'iface' && family === 'inet' && !['loopback', 'manual'].includes(method)
    return meant && interfaceName.test(name) ? [name] : []
  })
  return [...new Set(heads)].slice(0, most.interfaces).map(name => {
    const own = readPlace(text, placeOf(path, name)) ?? ''
    return link({ path, interface: name, by: 'ifupdown', text: own }, heads.filter(one => one === name).length === 1)
  })
}

function link(found: Omit<Link, 'addressing'>, single: boolean): Link {
  const addressing = single ? addressingOf(found.by, found.text) : undefined
  return { ...found, ...(addressing && { addressing }) }
}

const same = (a: Addressing, b: Addressing) =>
  a.connection === 'static' && b.connection === 'static'
    ? a.address === b.address && a.prefix === b.prefix && a.gateway === b.gateway
    : a.connection === b.connection

/** The lines that give an interface these addresses; as they stood where that is what they said already. */
export function linkText({ by, name, former }: { by: Link['by']; name: string; former: string }, wanted: Addressing) {
  const before = addressingOf(by, former)
  if (before && same(before, wanted)) return former
  const { connection } = wanted
  const address = connection === 'static' ? `${wanted.address}/${wanted.prefix}` : undefined
  const gateway = connection === 'static' ? wanted.gateway : undefined
  const lines =
    by === 'networkd'
      ? [connection === 'dhcp' && 'DHCP=ipv4', address && `Address=${address}`, gateway && `Gateway=${gateway}`]
      : [`iface ${name} inet ${connection}`, address && `address ${address}`, gateway && `gateway ${gateway}`]
  return lines.filter(line => line).join('\n')
}
