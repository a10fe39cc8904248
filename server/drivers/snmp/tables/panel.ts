import type { Port } from '../../hardware'
import type { PortVlans } from './bridge'
import type { Shape } from './interfaces'

// The front panel: which interfaces are sockets, in which order, under which short labels. Pure.

const hidden =
  /^(vlan|null|loop|lo\d|cpu|stack-?port|stack|wds|apcli|wl|ath\d|wifi\d|vap\d|npi|br|usb|bluetooth|internal|virtual|imq|ifb|switch\d*$|docker|veth|vif\d|vwire|dummy|bond\d|tun\d|tap\d|ppp\d|gre\d|sit\d|ipsec|teql|miireg|mld\d)|\b(bluetooth|virtual (interface|ethernet|adapter))\b/i
const management = /^(mgmt|management|mgt|meth|oobm|me\d|fxp|em\d|ma\d)|out of band/i
const socketLike = /^(eth|port|ge|gi|fa|te|xe|et|sfp|lan|wan)[\w /:-]*\d+$|^\d+([/:]\d+)*$|^[a-z]\d+$/i

const isSocket = (each: Shape): boolean => {
  if (each.type !== 'ethernet' || hidden.test(each.name) || hidden.test(each.description)) return false
  // Some agents say "no connector" of a socket with nothing plugged in: then the name decides.
  return each.connector !== false || (socketLike.test(each.name) && !management.test(each.description))
}

/** `eth0.7` or `ge1.10` of an `eth0` or `ge1` that is there, too. */
function isPartOf(names: ReadonlySet<string>, { name }: Shape): boolean {
  const whole = /^(.+)\.\d+$/.exec(name)?.[1]
  return whole !== undefined && names.has(whole)
}

/** The unit of a stack: the first of the numbers of `gi2/0/5`. */
const unitOf = (each: Shape): string | undefined => partsOf(each.name)?.path[0]

/** Units of which every port is absent, where others are there: places for switches that are not in the stack. */
function absentUnits(all: readonly Shape[]): ReadonlySet<string> {
  const units = new Map<string, boolean>()
  for (const each of all) {
    const unit = unitOf(each)
    if (unit !== undefined) units.set(unit, (units.get(unit) ?? true) && each.notPresent === true)
  }
  const absent = [...units].flatMap(([unit, none]) => (none ? [unit] : []))
  return new Set(absent.length < units.size ? absent : [])
}

/** No box has more; an agent with thousands of Ethernet interfaces counts what is none. */
const mostSockets = 1024

/** The physical Ethernet sockets in panel order: by ifIndex, management last. At most 1,024. */
export function sockets(shape: readonly Shape[]): Shape[] {
  const names = new Set(shape.map(each => each.name))
  const all = shape.filter(each => isSocket(each) && !isPartOf(names, each))
  const absent = absentUnits(all)
  const last = (each: Shape) => (management.test(each.name) || management.test(each.description) ? 1 : 0)
  return all
    .filter(each => !absent.has(unitOf(each) ?? ''))
    .sort((a, b) => last(a) - last(b) || Number(a.key) - Number(b.key))
    .slice(0, mostSockets)
}

type Parts = { letters: string; path: string[]; number: string }

// "gigabitEthernet 1/0/1 : copper", "Unit: 1 Slot: 0 Port: 24 Gigabit - Level": words after the number say nothing more.
const numbered = [
  /^(.*?)((?:\d+[/:.])*)(\d+)\s*$/,
  /^(.*\bport)[: #]*()(\d+)\b/i,
  /^(\S+?) ?((?:\d+[/:.])*)(\d+)\s*:.*$/,
]

function partsOf(name: string): Parts | undefined {
  for (const pattern of numbered) {
    const [whole, letters = '', path = '', number = ''] = pattern.exec(name) ?? []
    if (whole) return { letters: letters.trim(), path: path.split(/[/:.]/).filter(Boolean), number }
  }
  return undefined
}

/**
 * Short labels: the last number of the name where that is clear; the initial of the kind before it (T1, X1) or its slot
 * (2/1) where two groups of ports count from one.
 */
export function labels(names: string[]): string[] {
  const parts = names.map(partsOf)
  const groups = new Map<string, number>()
  const groupOf = (each: Parts) => `${each.letters}|${each.path.join('/')}`
  for (const each of parts) if (each) groups.set(groupOf(each), (groups.get(groupOf(each)) ?? 0) + 1)
  const main = [...groups].sort((a, b) => b[1] - a[1])[0]?.[0]
  const mainLetters = main?.split('|')[0]
  // eth0, eth1 …: the bare number would not be what is printed on the box.
  const fromZero = parts.some(each => each?.number === '0' && each.path.length === 0 && groupOf(each) === main)
  const taken = new Set<string>()
  for (const each of parts) if (each && groupOf(each) === main) taken.add(each.number)
  return names.map((name, i) => {
    const each = parts[i]
    if (!each) return management.test(name) ? 'mgmt' : name.slice(0, 12)
    if (groupOf(each) === main) return each.letters.length === 1 || fromZero ? name : each.number
    const initial = each.letters.slice(0, 1).toUpperCase()
    const choices = [
      each.letters.length === 1 && each.path.length === 0 ? name : '',
      each.letters === mainLetters ? '' : `${initial}${each.number}`,
      [...each.path.slice(-1), each.number].join('/'),
      [...each.path, each.number].join('/'),
      name,
    ]
    const label = choices.find(choice => choice !== '' && !taken.has(choice)) ?? name
    taken.add(label)
    return label
  })
}

export function panel(
  shape: Shape[],
  vlans: Map<string, PortVlans>,
  poe: Map<string, NonNullable<Port['poe']>>,
): Port[] {
  const found = sockets(shape)
  const named = labels(found.map(each => each.name))
  return found.map((each, i) => {
    const port: Port = { number: i + 1, interface: each.key, label: named[i] ?? each.name }
    const own = vlans.get(each.key)
    if (own?.native !== undefined) port.nativeVlan = own.native
    if (own) port.taggedVlans = [...own.tagged].sort((a, b) => a - b)
    const power = poe.get(each.key)
    if (power) port.poe = power
    return port
  })
}
