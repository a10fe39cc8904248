import type { Observation } from '../../observation'
import { uplinks } from '../../unix/uplinks'
import { type UnmanagedItem, type UnmanagedOption, unmanagedLimits } from '../../unmanaged'
import type { UnmanagedWhy } from '../../words'
import { lanPort } from '../lan/lan'
import { syslogPath } from '../system/syslog'
import { loginPath, ntpPath, zonePath } from '../system/system'
import { iniSettings } from '../unmanaged/ini'
import {
  type Addressing,
  addressOption,
  ifupdownAliased,
  ifupdownLinks,
  type Link,
  networkdLink,
} from '../unmanaged/links'
import { type File, forwardOption, forwards, timeServers, zoneOf } from '../unmanaged/system'
import type { Unmanaged } from './read'

export const zoneItem = 'file:/etc/localtime'
export const timeItem = 'file:/etc/systemd/timesyncd.conf'
export const loginItem = 'file:/etc/ssh/sshd_config'

const isNetworkd = ({ path }: File) => /^\/etc\/systemd\/network\/[^/]+\.network$/.test(path)
const isIfupdown = ({ path }: File) => path.startsWith('/etc/network/')

/** Files that address one interface each, with the lines that do. */
export function unmanagedLinks({ files }: Unmanaged): Link[] {
  const extended = new Set(files.flatMap(({ path }) => /^(.*\.network)\.d\//.exec(path)?.[1] ?? []))
  return [
    ...files
      .filter(file => isNetworkd(file) && !extended.has(file.path))
      .flatMap(file => networkdLink(file.path, file.text) ?? []),
    ...files.filter(isIfupdown).flatMap(file => ifupdownLinks(file.path, file.text)),
  ].filter(one => one.text !== '')
}

export const linkItem = ({ path, interface: name }: Pick<Link, 'path' | 'interface'>): string => `file:${path}#${name}`

/** Which setting says how an interface is addressed; none where it is neither the LAN's nor a way out. */
export function kindOf(name: string, how: Addressing | undefined, seen: Observation): 'lan' | 'wan' | undefined {
  const routes = seen.facts?.kind === 'gateway' || seen.facts?.kind === 'firewall'
  if (!how || !routes) return undefined
  if (uplinks(seen.interfaces).includes(name))
    return how.connection === 'dhcp' || how.gateway !== undefined ? 'wan' : undefined
  return how.connection === 'static' && !how.gateway && lanPort(seen)?.name === name ? 'lan' : undefined
}

/** The file is in force for its interface: another may come before it. */
function inForce({ path, interface: name, by }: Link, seen: Observation): boolean {
  const owner = seen.interfaces?.find(one => one.name === name)?.configuredBy
  return by === 'networkd' ? owner === path : owner === '/etc/network/interfaces'
}

function linkItems(unmanaged: Unmanaged, seen: Observation): UnmanagedItem[] {
  const links = unmanagedLinks(unmanaged)
  const aliased = new Set(unmanaged.files.filter(isIfupdown).flatMap(({ text }) => ifupdownAliased(text)))
  return links.map(link => {
    const { interface: name, text, addressing } = link
    const alone = links.filter(one => one.interface === name).length === 1 && !aliased.has(name)
    const kind = alone && inForce(link, seen) ? kindOf(name, addressing, seen) : undefined
    const option = {
      option: addressOption,
      value: text,
      ...(kind && { kind, field: kind === 'lan' ? 'address' : 'connection' }),
    }
    return {
      ...{ id: linkItem(link), area: 'network' as const, label: name, options: [option] },
      ...(kind
        ? { state: 'unmanaged' as const, why: link.by }
        : {
            state: 'unsupported' as const,
            why: aliased.has(name) ? 'aliased' : addressing ? 'noSetting' : 'notSayable',
          }),
    }
  })
}

type Single = {
  id: string
  area: UnmanagedItem['area']
  label: string
  option: string
  value?: string
  field: string
  ours: string
  can: boolean
}

/** What settings say by a file of their own beside the system's. */
function singleItem(unmanaged: Unmanaged, one: Single): UnmanagedItem[] {
  const { id, area, label, option, value, field, ours, can } = one
  if (!value) return []
  const decided = unmanaged.ours.includes(ours)
  return [
    {
      ...{ id, area, label, state: decided ? 'managed' : can ? 'unmanaged' : 'unsupported' },
      why: decided ? 'settings' : can ? 'system' : 'noSetting',
      options: [{ option, value, ...(can && !decided && { kind: 'system', field }) }],
    },
  ]
}

function systemItems(unmanaged: Unmanaged, seen: Observation): UnmanagedItem[] {
  const has = (need: string) => seen.facts?.capabilities.includes(need) === true
  const can = has('root') && has('systemd')
  const servers = timeServers(unmanaged.files.filter(({ path }) => path.includes('timesyncd.conf')))
  const times = { id: timeItem, option: 'NTP', value: servers.join(' '), field: 'ntpServers', ours: ntpPath }
  return [
    ...singleItem(unmanaged, {
      ...{ id: zoneItem, area: 'system', label: '/etc/localtime', option: 'zone', field: 'timeZone' },
      ...{ value: zoneOf(unmanaged.zone.link, unmanaged.zone.name), ours: zonePath, can },
    }),
    ...singleItem(unmanaged, { ...times, area: 'system', label: 'systemd-timesyncd', can: can && has('timesyncd') }),
    ...singleItem(unmanaged, {
      ...{ id: loginItem, area: 'access', label: 'sshd', option: 'PasswordAuthentication', field: 'passwordLogin' },
      ...{ value: unmanaged.passwords, ours: loginPath, can: can && has('sshd') },
    }),
    ...forwardItems(unmanaged, can && has('rsyslog')),
  ]
}

function forwardItems(unmanaged: Unmanaged, can: boolean): UnmanagedItem[] {
  const found = unmanaged.files.filter(({ path }) => path.includes('rsyslog')).flatMap(forwards)
  return found.map(({ path, line, target }) => {
    const free = can && target !== undefined && found.length === 1 && !unmanaged.ours.includes(syslogPath)
    return {
      ...{ id: `file:${path}#forward`, area: 'system' as const, label: path },
      ...(free ? { state: 'unmanaged' as const, why: 'system' } : { state: 'unsupported' as const, why: 'notSayable' }),
      options: [{ option: forwardOption, value: line, ...(free && { kind: 'system', field: 'syslog' }) }],
    }
  })
}

const unknown = (
  id: string,
  area: UnmanagedItem['area'],
  label: string,
  why: UnmanagedWhy,
  options: UnmanagedOption[] = [],
) => ({
  ...{ id, area, label, why, options },
  state: 'unsupported' as const,
})

const shown: [path: RegExp, area: UnmanagedItem['area'], why: UnmanagedWhy, keys: RegExp][] = [
  [/^\/etc\/dnsmasq/, 'dhcp', 'dnsmasq', /^\s*(interface|dhcp-range|dhcp-option|domain)\s*=(.*)$/],
  [/^\/etc\/hostapd\//, 'wireless', 'hostapd', /^\s*(interface|ssid|channel|country_code)\s*=(.*)$/],
  [/^\/etc\/netplan\//, 'network', 'netplan', /^\s*(renderer)\s*:(.*)$/],
]

/** Of other programs' files the few lines that tell what they are for; never their secrets. */
function otherItems({ files, tables, managed, clocks, hostname }: Unmanaged): UnmanagedItem[] {
  const lines = files.flatMap(({ path, text }) => {
    const [, area, why, keys] = shown.find(([pattern]) => pattern.test(path)) ?? []
    if (!area || !why || !keys) return []
    const options = text.split('\n', 2_000).flatMap(line => {
      const [, option, value] = keys.exec(line) ?? []
      return option && value ? [{ option, value: value.trim().slice(0, 200) }] : []
    })
    return options.length > 0 || why === 'netplan' ? [unknown(`file:${path}`, area, path, why, options)] : []
  })
  const extra = files.filter(({ path }) => path.endsWith('.netdev'))
  return [
    ...lines,
    ...extra.map(({ path, text }) => {
      const of = (key: string) => iniSettings(text).find(one => one.section === 'NetDev' && one.key === key)?.value
      return unknown(`file:${path}`, 'network', of('Name') ?? path, 'netdev', [
        { option: 'Kind', value: of('Kind') ?? '' },
      ])
    }),
    ...tables
      .filter(table => !/ lanward/.test(table))
      .map(table => unknown(`nft:${table}`, 'firewall', table, 'nftables')),
    ...managed.map(name => unknown(`nm:${name}`, 'network', name, 'networkManager')),
    ...clocks.map(name => unknown(`service:${name}`, 'system', name, 'clock')),
    ...(hostname
      ? [
          unknown('file:/etc/hostname', 'system', '/etc/hostname', 'noSetting', [
            { option: 'hostname', value: hostname },
          ]),
        ]
      : []),
  ]
}

/** Bounded. What is too long to be kept, and to be given back as it was, is not offered. */
function cut(item: UnmanagedItem): UnmanagedItem {
  const long = item.options.some(one => (one.value?.length ?? 0) > unmanagedLimits.text)
  const shown = item.options.slice(0, unmanagedLimits.options).map(({ option, value, kind, field }) => ({
    option,
    ...(value !== undefined && { value: value.slice(0, unmanagedLimits.text) }),
    ...(kind !== undefined && !long && { kind, field }),
  }))
  return { ...item, ...(long && { state: 'unsupported', why: 'notSayable' }), options: shown }
}

/** What runs on the device and is not ours. */
export function unmanagedItems(unmanaged: Unmanaged, seen: Observation): UnmanagedItem[] {
  const all = [...linkItems(unmanaged, seen), ...systemItems(unmanaged, seen), ...otherItems(unmanaged)]
  return all
    .filter((item, at) => all.findIndex(other => other.id === item.id) === at)
    .slice(0, unmanagedLimits.items)
    .map(cut)
}
