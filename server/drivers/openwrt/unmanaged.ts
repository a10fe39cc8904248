import { marked } from '../unix/secret'
import { type ImportedItem, type UnmanagedItem, unmanagedLimits } from '../unmanaged'
import type { UnmanagedWhy } from '../words'
import { lanOffers, lanZoneOffers, poolOffers } from './imported/lan-imported'
import { uplinkOffers, uplinkZoneOffers } from './imported/wan-imported'
import { systemOffers } from './system/system'
import { namesOffers } from './system/traffic-logs'
import { type Importable, type ImportableOf, only } from './uci/importable'
import { former, joined, shownWords } from './uci/imported'
import { lanOf } from './uci/network-roles'
import { prefix } from './uci/package'
import { type Section, sectionsOf } from './uci/sections'
import type { OpenwrtSession } from './uci/session'
import { radioOffers } from './wifi/radio'
import { ssidOffers, whySsid } from './wifi/wifi-imported'

// What an OpenWrt device has of its own, section by section, and which options of it settings can say.

const offers: readonly ImportableOf[] = [
  ...[lanOffers, poolOffers, lanZoneOffers, uplinkOffers, uplinkZoneOffers],
  ...[radioOffers, ssidOffers, systemOffers, namesOffers],
]

const areas: Readonly<Record<string, UnmanagedItem['area']>> = {
  network: 'network',
  dhcp: 'dhcp',
  wireless: 'wireless',
  firewall: 'firewall',
  system: 'system',
  dropbear: 'access',
}

/** Why nothing of a section can be imported. */
const whys: Readonly<Record<string, UnmanagedWhy>> = {
  'firewall.zone': 'zone',
  'firewall.forwarding': 'forwarding',
  'network.interface': 'interface',
}
function whyOf(section: Section, all: readonly Section[]): UnmanagedWhy {
  const key = `${section.config}.${section.type}`
  const lost = key === 'network.interface' && only(section, 'proto') === 'static' && only(section, 'device') !== 'lo'
  return whySsid(section) ?? (lost && !lanOf(all) ? 'lanUnknown' : (whys[key] ?? 'noSetting'))
}

/** Options of packages that nobody here knows: better one hidden too many. */
const secretName = /pass|secret|psk|token|private|community|credential|(^|_)key|auth_?key/i

const clipped = (text: string): string => {
  // A cut inside a mark would show the rest of a secret as if it were none.
  if (text.length <= unmanagedLimits.text) return text
  return `${text.replaceAll(/[\uE000\uE001]/g, '').slice(0, unmanagedLimits.text)}…`
}

function textOf(section: Section, option: string, offered: boolean): string | undefined {
  const words = shownWords(section, option)
  if (words === undefined) return undefined
  // Which options that are offered hold secrets is known.
  const secret = !offered && secretName.test(option) && !/^'(\d{1,5}|on|off|yes|no)'$/.test(words)
  if (words.length > unmanagedLimits.text && secret) return marked('…')
  return clipped(secret && !words.includes('\uE000') ? `'${marked(words.slice(1, -1))}'` : words)
}

/** A name for people, where the section has none that tells. */
function labelOf({ config, name, options }: Section, offer: Importable | undefined): string {
  const told = ['name', 'ssid', 'interface'].map(option => options.get(option)?.[0]).find(Boolean)
  return offer?.label ?? (name.startsWith('@') && told ? `${config} ${told}` : `${config}.${name}`).slice(0, 200)
}

function optionsOf(section: Section, offer: Importable | undefined): UnmanagedItem['options'] {
  const names = [...new Set([...Object.keys(offer?.says ?? {}), ...section.options.keys()])]
  return names.slice(0, unmanagedLimits.options).map(option => {
    const value = textOf(section, option, offer?.says[option] !== undefined)
    // What is shown in part could not be put back, nor what a line of a block does not hold.
    const words = shownWords(section, option) ?? ''
    const whole = words.length <= unmanagedLimits.text && !words.includes('\n')
    const said = (whole && offer?.says[option]) || (offer?.left?.includes(option) && { why: 'optionValue' as const })
    return { option, ...(value !== undefined && { value }), ...said }
  })
}

/** A section without a name behind one of ours: its number would change with ours. */
const isShifted = (section: Section, all: readonly Section[]): boolean =>
  section.name.startsWith('@') &&
  all
    .slice(0, all.indexOf(section))
    .some(one => one.config === section.config && one.type === section.type && one.name.startsWith(prefix))

function itemOf(section: Section, all: readonly Section[], imported: ReadonlySet<string>): UnmanagedItem {
  const id = `uci:${section.config}.${section.name}`
  const ours = section.name.startsWith(prefix)
  const offer = ours || isShifted(section, all) ? undefined : offers.map(one => one(section, all)).find(Boolean)
  const isImported = imported.has(id)
  const [state, why] = ours
    ? (['managed', 'ours'] as const)
    : isImported
      ? (['managed', 'imported'] as const)
      : offer
        ? (['unmanaged', 'system'] as const)
        : (['unsupported', whyOf(section, all)] as const)
  return {
    id,
    area: offer?.area ?? areas[section.config] ?? 'other',
    label: labelOf(section, offer),
    state,
    why,
    options: optionsOf(section, offer),
    about: { ...offer?.about, type: section.type },
  }
}

/** Everything of `uci show`. */
export function unmanagedItems(text: string, imported: readonly ImportedItem[]): UnmanagedItem[] {
  const all = sectionsOf(text)
  const ids = new Set(imported.map(one => one.id))
  // What can be imported is never cut off by what cannot.
  const items = all.map(section => itemOf(section, all, ids))
  const known = items.filter(item => item.state !== 'unsupported')
  const rest = items.filter(item => item.state === 'unsupported')
  return [...known, ...rest].slice(0, unmanagedLimits.items)
}

export const ownership = {
  async list(session: OpenwrtSession, imported: readonly ImportedItem[]): Promise<UnmanagedItem[]> {
    const { stdout } = await session.ssh.exec('uci -q show', { timeoutMs: 20_000, maxBytes: 4 * 1024 * 1024 })
    return unmanagedItems(stdout, imported)
  },
  former,
  joined,
  // By law the same for all radios of a place: the network's setting would otherwise reach none of them.
  atAdoption: [{ kind: 'radio' as const, field: 'country' }],
}
