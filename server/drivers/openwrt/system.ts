import { check } from '@/model/kind'
import { limits } from '@/model/limits'
import { isTimezone, presentName } from '@/model/places'
import { system as kind, type SystemFields } from '@/model/system/system'
import type {
  Adopted,
  ImportedItem,
  ImportProposal,
  NativeBlock,
  Rendered,
  Renderer,
  RenderInput,
  UnmanagedItem,
  Warning,
} from '../driver'
import { type SystemPart, systemSettings, wantedParts } from '../unix/system'
import { type ImportableOf, isOn, says } from './importable'
import { formerValues, importedBlock, type OptionValues, seenItem } from './imported'
import { darkLights } from './leds'
import { posixZone } from './posix-zones'

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
} as const
type SectionType = keyof typeof fields
const isOurs = (type: string): type is SectionType => Object.hasOwn(fields, type)

const areas: Record<SectionType, UnmanagedItem['area']> = { system: 'system', timeserver: 'system', dropbear: 'access' }

/** The first of each: what is beside it is another instance, of no concern to these settings. */
export const systemOffers: ImportableOf = (section, all) => {
  const { config, type } = section
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
}

const takenOf = (taken: RenderInput['imported'] = []) =>
  taken.flatMap(item => {
    const type = item.about?.type ?? ''
    return isOurs(type) ? [{ item, type }] : []
  })

/** Whether any option that says this part is owned. */
const owns = (taken: ReturnType<typeof takenOf>, part: SystemPart): boolean =>
  taken.some(({ item, type }) =>
    Object.entries(fields[type]).some(([option, field]) => field === part && option in item.options),
  )

/** Who logs in with a password, or with none, is not to shut that door behind itself. */
const locksOut = (set: SystemFields, { observation }: RenderInput): boolean =>
  set.passwordLogin === 'off' && observation?.login !== 'publickey'

function warningsOf(
  set: SystemFields,
  taken: ReturnType<typeof takenOf>,
  input: RenderInput,
  dark: boolean,
): Warning[] {
  const wanted = wantedParts(set)
  const left = wanted.filter(part => part !== 'leds').filter(part => !owns(taken, part))
  const locked = wanted.includes('passwordLogin') && owns(taken, 'passwordLogin') && locksOut(set, input)
  return [
    ...(set.leds === 'off' && !dark ? [{ code: 'needs.leds' as const, kind: kind.id }] : []),
    ...left.map(part => ({ code: `systemOption.${part}` as const, kind: kind.id })),
    ...(locked ? [{ code: 'managerByPassword' as const, kind: kind.id, blocks: true }] : []),
  ]
}

function render(input: RenderInput): Rendered {
  const set = systemSettings(input.documents)
  if (!set) return { blocks: [], warnings: [] }
  const taken = takenOf(input.imported)
  const blocks: NativeBlock[] = taken.map(({ item, type }) => importedBlock(item, wants[type](item, set), about))
  const dark = set.leds === 'off' ? darkLights(input.observation?.leds ?? [], about) : []
  return { blocks: [...blocks, ...dark], warnings: warningsOf(set, taken, input, dark.length > 0) }
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
}

/** Without what its field refuses: it stays as it is on the device. */
function sayable(fields: Record<string, unknown>): Record<string, unknown> {
  const judged = check(kind, fields)
  if ('data' in judged) return fields
  const wrong = Object.keys(judged.fields).map(path => path.split('.')[0])
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !wrong.includes(key)))
}

function proposes(chosen: readonly ImportedItem[]): ImportProposal[] {
  return takenOf(chosen).map(({ item, type }) => {
    const said = Object.entries(proposed[type](item)).filter(([, value]) => value !== undefined)
    return { kind: kind.id, fields: sayable(Object.fromEntries(said)), items: [item.id] }
  })
}

/** A section's type, by its place: these names and orders are the system's own. */
const typeOf = (id: string): SectionType =>
  id.startsWith('uci:dropbear.') ? 'dropbear' : id.startsWith('uci:system.@system[') ? 'system' : 'timeserver'

function adopt(seen: NativeBlock): Adopted[] | undefined {
  if (!/^uci:(system|dropbear)\./.test(seen.id)) return undefined
  const fields = proposed[typeOf(seen.id)](seenItem(seen))
  return [
    {
      document: kind.id,
      fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    },
  ]
}

export const systemRenderer: Renderer = { kinds: [kind.id], render, adopt, proposes }
