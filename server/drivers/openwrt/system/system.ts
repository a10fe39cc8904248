import { check } from '@/model/kind'
import { limits } from '@/model/limits'
import { isTimezone, presentName } from '@/model/places'
import { system as kind, type SystemFields } from '@/model/system/system'
import type { Adopted, NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { placedPorts } from '../../port-profiles'
import { type SystemPart, systemSettings, wantedParts } from '../../unix/system'
import type { ImportedItem, ImportProposal, UnmanagedItem } from '../../unmanaged'
import { managementDevice, managementIn, managementOffers } from '../imported/management'
import { darkLights } from '../ports/leds'
import { portVlans } from '../ports/port-vlans'
import { type ImportableOf, isOn, says } from '../uci/importable'
import { formerValues, importedBlock, type OptionValues, seenItem } from '../uci/imported'
import { posixZone } from '../uci/posix-zones'

// Clock, log and login lie in sections that the system made itself: what nobody took over of them is not written.

const about = { kind: kind.id, document: kind.id }

/** Section types, and what each option of theirs says. */
const fields = {
  system: {
    hostname: 'hostname',
    zonename: 'timeZone',
    timezone: 'timeZone',
    log_ip: 'syslog',
    log_port: 'syslog',
    log_proto: 'syslog',
  },
  timeserver: { enabled: 'ntpServers', server: 'ntpServers' },
  dropbear: { PasswordAuth: 'passwordLogin', RootPasswordAuth: 'passwordLogin' },
  interface: { device: 'managementVlan' },
} as const
type SectionType = keyof typeof fields
const isOurs = (type: string): type is SectionType => Object.hasOwn(fields, type)

const areas: Record<SectionType, UnmanagedItem['area']> = {
  ...{ system: 'system', timeserver: 'system', dropbear: 'access', interface: 'network' },
}

/** The first of each: what is beside it is another instance, of no concern to these settings. */
export const systemOffers: ImportableOf = (section, all) => {
  const { config, type } = section
  if (type === 'interface') return managementOffers(section, all)
  if (!isOurs(type) || config !== (type === 'dropbear' ? 'dropbear' : 'system')) return undefined
  if (all.find(one => one.config === config && one.type === type) !== section) return undefined
  return { area: areas[type], says: says(kind.id, fields[type]) }
}

const first = (item: ImportedItem | undefined, option: string) => item && formerValues(item, option)?.[0]

/** The zone of a section, by its name; without one only UTC is told by the text. */
function zoneIn(zonename: string | undefined, timezone: string | undefined): string | undefined {
  const name = zonename?.replaceAll(' ', '_')
  if (name && isTimezone(name)) return presentName(name)
  return !name && /^(UTC|GMT)0?$/.test(timezone ?? 'UTC') ? 'UTC' : undefined
}

function clock(item: ImportedItem, { timeZone }: SystemFields): OptionValues {
  if (timeZone === undefined || zoneIn(first(item, 'zonename'), first(item, 'timezone')) === presentName(timeZone))
    return {}
  return { zonename: timeZone, timezone: posixZone(timeZone) ?? null }
}

function log(item: ImportedItem, set: SystemFields): OptionValues {
  if (set.syslog === 'keep') return {}
  // What was to be encrypted is never sent in clear.
  if (set.syslog === 'tls' || set.syslogLevel === 'none') return { log_ip: null }
  const same = (option: string, value: string, otherwise: string) =>
    (first(item, option) ?? otherwise) === value ? undefined : value
  return {
    log_ip: set.syslogHost,
    log_port: same('log_port', String(set.syslogPort), '514'),
    log_proto: same('log_proto', set.syslog, 'udp'),
  }
}

function time(item: ImportedItem, { ntpServers }: SystemFields): OptionValues {
  if (ntpServers.length === 0) return {}
  return { server: ntpServers, enabled: isOn(first(item, 'enabled'), true) ? undefined : '1' }
}

function login(item: ImportedItem, { passwordLogin }: SystemFields): OptionValues {
  if (passwordLogin === 'keep') return {}
  const wanted = (option: string) =>
    isOn(first(item, option), true) === (passwordLogin === 'on') ? undefined : passwordLogin
  return { PasswordAuth: wanted('PasswordAuth'), RootPasswordAuth: wanted('RootPasswordAuth') }
}

const wants: Record<SectionType, (item: ImportedItem, set: SystemFields) => OptionValues> = {
  system: (item, set) => ({ hostname: set.hostname, ...clock(item, set), ...log(item, set) }),
  timeserver: time,
  dropbear: login,
  interface: managementDevice,
}

const isGateway = ({ facts }: Pick<RenderInput, 'facts'>) => facts.kind === 'gateway' || facts.kind === 'firewall'

/** An interface where its VLAN is imported: its address is the LAN network's, and on a gateway all of it is. */
const importedOf = (imported: RenderInput['imported'] = [], without: readonly SectionType[] = []) =>
  imported.flatMap(item => {
    const type = item.about?.type ?? ''
    const decides = type !== 'interface' || 'device' in item.options
    return isOurs(type) && decides && !without.includes(type) ? [{ item, type }] : []
  })

/** Whether any option that says this part is imported. */
const owns = (imported: ReturnType<typeof importedOf>, part: SystemPart): boolean =>
  imported.some(({ item, type }) =>
    Object.entries(fields[type]).some(([option, field]) => field === part && option in item.options),
  )

/** Whether settings decide where the device's log goes. */
export const logs = (imported: RenderInput['imported']): boolean => owns(importedOf(imported), 'syslog')

/** Who logs in with a password, or with none, is not to shut that door behind itself. */
const locksOut = (set: SystemFields, { observation }: RenderInput): boolean =>
  set.passwordLogin === 'off' && observation?.login !== 'publickey'

/** What logd cannot do: it sends in clear, and all that is logged. */
function sendsOtherwise({ syslog, syslogLevel }: SystemFields): Warning[] {
  if (syslog === 'tls') return [{ code: 'syslogTls', kind: kind.id }]
  const partly = syslog !== 'keep' && syslogLevel !== 'none' && syslogLevel !== 'debug'
  return partly ? [{ code: 'syslogLevel', kind: kind.id }] : []
}

const lackOf = (part: Exclude<SystemPart, 'leds'>, input: RenderInput) =>
  part === 'managementVlan' && isGateway(input) ? ('managementGateway' as const) : (`systemOption.${part}` as const)

/** The management VLAN where no port has it: nobody reaches the device in it, and it goes back. */
function uncarried(
  { managementVlan: vlan }: SystemFields,
  imported: ReturnType<typeof importedOf>,
  { documents, observation, facts }: RenderInput,
): Warning[] {
  const item = imported.find(({ type }) => type === 'interface')?.item
  const [bridge = ''] = managementIn(first(item, 'device')) ?? []
  const has = observation?.vlanBridges?.find(one => one.name === bridge)?.vlans ?? []
  const { members } = portVlans(placedPorts(documents, observation, facts.kind).placed, observation)
  const planned = members.some(one => one.bridge === bridge && (one.native === vlan || one.tagged.includes(vlan ?? 0)))
  if (vlan === undefined || has.includes(vlan) || planned) return []
  return [{ code: 'managementUncarried', kind: kind.id, values: { vlan, bridge } }]
}

function warningsOf(
  set: SystemFields,
  imported: ReturnType<typeof importedOf>,
  input: RenderInput,
  dark: boolean,
): Warning[] {
  const wanted = wantedParts(set)
  const left = wanted.filter(part => part !== 'leds').filter(part => !owns(imported, part))
  const locked = wanted.includes('passwordLogin') && owns(imported, 'passwordLogin') && locksOut(set, input)
  return [
    ...(set.leds === 'off' && !dark ? [{ code: 'needs.leds' as const, kind: kind.id }] : []),
    ...(owns(imported, 'syslog') ? sendsOtherwise(set) : []),
    ...left.map(part => ({ code: lackOf(part, input), kind: kind.id })),
    ...(owns(imported, 'managementVlan') ? uncarried(set, imported, input) : []),
    ...(locked ? [{ code: 'managerByPassword' as const, kind: kind.id, blocks: true }] : []),
  ]
}

function render(input: RenderInput): Rendered {
  const set = systemSettings(input.documents)
  if (!set) return { blocks: [], warnings: [] }
  const imported = importedOf(input.imported, isGateway(input) ? ['interface'] : [])
  const blocks: NativeBlock[] = imported.map(({ item, type }) => importedBlock(item, wants[type](item, set), about))
  const dark = set.leds === 'off' ? darkLights(input.observation?.leds ?? [], about) : []
  return { blocks: [...blocks, ...dark], warnings: warningsOf(set, imported, input, dark.length > 0) }
}

/** What the chosen options say in terms of settings; what cannot be said is left out, and so keeps its value. */
const proposed: Record<SectionType, (item: ImportedItem) => Partial<SystemFields>> = {
  system(item) {
    const host = first(item, 'log_ip')
    const protocol = first(item, 'log_proto') === 'tcp' ? ('tcp' as const) : ('udp' as const)
    const messages = { syslog: protocol, syslogHost: host, syslogPort: Number(first(item, 'log_port') ?? 514) }
    const chosen = 'log_ip' in item.options && host !== undefined
    const zoned = 'zonename' in item.options || 'timezone' in item.options
    return {
      hostname: first(item, 'hostname'),
      ...(zoned && { timeZone: zoneIn(first(item, 'zonename'), first(item, 'timezone')) }),
      ...(chosen && messages),
    }
  },
  timeserver(item) {
    const servers = formerValues(item, 'server') ?? []
    const sayable = isOn(first(item, 'enabled'), true) && servers.length <= limits.ntpServers
    return sayable ? { ntpServers: servers } : {}
  },
  dropbear(item) {
    const [any, root] = ['PasswordAuth', 'RootPasswordAuth'].map(option => isOn(first(item, option), true))
    return any === root ? { passwordLogin: any ? 'on' : 'off' } : {}
  },
  interface: item => ({ managementVlan: managementIn(first(item, 'device'))?.[1] }),
}

/** Without what its field refuses: it stays as it is on the device. */
function sayable(fields: Record<string, unknown>): Record<string, unknown> {
  const judged = check(kind, fields)
  if ('data' in judged) return fields
  const wrong = Object.keys(judged.fields).map(path => path.split('.')[0])
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !wrong.includes(key)))
}

function proposes(chosen: readonly ImportedItem[]): ImportProposal[] {
  return importedOf(chosen).flatMap(({ item, type }) => {
    const said = Object.entries(proposed[type](item)).filter(([, value]) => value !== undefined)
    // An interface is others' to say something of where it tells no VLAN.
    if (type === 'interface' && said.length === 0) return []
    return { kind: kind.id, fields: sayable(Object.fromEntries(said)), items: [item.id] }
  })
}

/** A section's type, by its place: these names and orders are the system's own. */
const typeOf = (id: string): SectionType =>
  id.startsWith('uci:network.')
    ? 'interface'
    : id.startsWith('uci:dropbear.')
      ? 'dropbear'
      : id.startsWith('uci:system.@system[')
        ? 'system'
        : 'timeserver'

function adopt(seen: NativeBlock): Adopted[] | undefined {
  if (!/^uci:(system|dropbear|network)\./.test(seen.id)) return undefined
  const fields = proposed[typeOf(seen.id)](seenItem(seen))
  return [
    {
      document: kind.id,
      fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    },
  ]
}

export const systemRenderer: Renderer = { kinds: [kind.id], reads: ['portProfile'], render, adopt, proposes }
