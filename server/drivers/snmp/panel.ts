import type { Port } from '../observation'
import type { PortVlans } from './bridge'
import type { Shape } from './interfaces'

// The front panel: which interfaces are sockets, in which order, under which short labels. Pure.

const hidden = /^(vlan|null|loopback|lo\d|cpu|stack-?port|stack)/i
const management = /^(mgmt|management|mgt|meth|oobm|me\d|fxp|em\d|ma\d)|out of band/i
const socketLike = /^(eth|port|ge|gi|fa|te|xe|et|sfp|lan|wan)[\w /:-]*\d+$|^\d+([/:]\d+)*$|^[a-z]\d+$/i

const isSocket = (each: Shape): boolean => {
  if (each.type !== 'ethernet' || hidden.test(each.name)) return false
  // Some agents say "no connector" of a socket with nothing plugged in: then the name decides.
  return each.connector !== false || (socketLike.test(each.name) && !management.test(each.description))
}

/** The physical Ethernet sockets in panel order: by ifIndex, management last. */
export function sockets(shape: Shape[]): Shape[] {
  const all = shape.filter(isSocket)
  const last = (each: Shape) => (management.test(each.name) || management.test(each.description) ? 1 : 0)
  return all.sort((a, b) => last(a) - last(b) || Number(a.key) - Number(b.key))
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
