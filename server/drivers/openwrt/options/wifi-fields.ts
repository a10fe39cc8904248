import type { RadiusFields } from '@/model/profiles/radius'
import type { SsidFields } from '@/model/wifi/ssid'
import { type PrivateKey, unknownKey, withPrivateKeys } from '../../unix/private-keys'
import type { OfRadius } from '../../unix/radius'
import { marked, unmarked } from '../../unix/secret'
import { framedProtocol, roaming, type Ssid, wepHex } from '../../unix/ssid'
import { isOnAir } from '../uci/importable'
import { airFlag, type Meaning, plain, word } from './option-words'
import type { Option } from './private-keys'

// A wireless network and the options of its wifi-iface, row by row: what settings write, what comes back of a change on
// the device, and what of a section that the system made itself can be imported, are all made of these.

/** A wireless network on one radio. */
export type OnRadio = {
  one: Ssid
  radio: string
  /** The device's network that it joins. */
  network: string
  /** By which RADIUS servers and other access points know it. */
  device: string
  keys: readonly PrivateKey[]
  ofRadius: OfRadius
  /** Whether its hostapd can send BSS transition requests. */
  steers: boolean
  /** Of its interface; netifd gives one where it is absent. */
  named?: string | undefined
  raw: readonly string[]
  /** Its section is one of the system's. */
  imported: boolean
}

/** An option's values, word by word; undefined where it is not set. */
export type Read = (option: string) => readonly string[] | undefined

export type WifiField = {
  field: keyof SsidFields
  option: string
  /** Its values in the order in which they are set; none: the option is not set. */
  write(on: OnRadio): string | readonly string[] | undefined
  /** What the field says where the option has these values; absent where the option alone does not tell. */
  read?(values: readonly string[], of: Read): unknown
  /** What the field says where the option is not set; absent: what it says where settings leave it out. */
  unset?: unknown
  /** Absent: every other value says another thing. */
  meaning?: Meaning
  /** `uci show` does not tell a list of one from a plain option. */
  isList?: true
  /** It is not offered for import: a section that has it keeps it, and says nothing of it in settings. */
  notImported?: true
}

const onOff = (field: keyof SsidFields, option: string, write: WifiField['write']): WifiField => ({
  ...{ field, option, write },
  read: ([value]) => isOnAir(value),
  unset: false,
  meaning: airFlag,
})
const number = (field: 'dtim' | 'stationTimeout' | 'maxClients', option: string, otherwise: number): WifiField => ({
  ...{ field, option },
  // Rule W6: 0 sets no limit.
  write: ({ one }) => (one[field] > 0 ? String(one[field]) : undefined),
  read: ([value]) => Number(value),
  meaning: plain(String(otherwise)),
})

const ofRadius = (option: string, write: (radius: RadiusFields, on: OnRadio) => string | undefined): WifiField => ({
  field: 'radius',
  option,
  write: on => (on.one.radius && on.one.security.endsWith('Enterprise') ? write(on.one.radius, on) : undefined),
})
const ofAccounting = (option: string, write: (radius: RadiusFields) => string): WifiField =>
  ofRadius(option, radius => (radius.accounting ? write(radius) : undefined))
/** Its scripts have no option for what hostapd demands of such a request beside the secret. */
const ofRequests = (option: string, write: (requests: NonNullable<OfRadius['requests']>) => string): WifiField => ({
  ...ofRadius(option, (_radius, { ofRadius: { requests } }) => requests && write(requests)),
  notImported: true,
})
const ofRoaming = (option: string, write: (on: OnRadio) => string | undefined): WifiField => ({
  ...{ field: 'fastRoaming', option, notImported: true },
  write: on => (on.one.fastRoaming ? write(on) : undefined),
})

const encryptions: Readonly<Record<Ssid['security'], string>> = {
  open: 'none',
  owe: 'owe',
  wep: 'wep-open',
  wpa2: 'psk2',
  wpa2wpa3: 'sae-mixed',
  wpa3: 'sae',
  wpa2Enterprise: 'wpa2',
  wpa2wpa3Enterprise: 'wpa3-mixed',
  wpa3Enterprise: 'wpa3',
  // Of these nothing is read: which keys there are stands elsewhere.
  ppsk: 'psk2',
  ppskWpa3: 'sae',
}
/** CCMP is what WPA2 and WPA3 use unless told otherwise. */
const encryption = word(
  text =>
    text
      .replace(/\+(ccmp|aes)$/, '')
      .replace(/^wep$/, 'wep-open')
      .replace(/^open$/, 'none'),
  'none',
)
const securityOf = (values: readonly string[] = []) => {
  const said = values.length > 0 ? encryption.said(values) : encryption.otherwise
  return Object.entries(encryptions).find(([, one]) => one === said)?.[0] ?? 'unknown'
}

/** netifd takes a WEP key as digits, and as letters with `s:` before them or without. */
export const wepKey = (key: string): string => unmarked(key).replace(/^s:(?=(?:.{5}|.{13})$)/, '')

function keyOf({ one, keys }: OnRadio): string | undefined {
  const { security, key } = one
  if (withPrivateKeys(one)) return marked(unknownKey(one, keys))
  if (security === 'open' || security === 'owe' || !key) return undefined
  return marked(security === 'wep' ? wepHex(key) : key)
}
function keyIn(key: string, security: string): string | undefined {
  if (security === 'open' || security === 'owe') return undefined
  return security === 'wep' ? wepKey(key) : unmarked(key)
}

const filters: Readonly<Record<string, Ssid['macFilter']>> = { allow: 'allow', deny: 'block' }
const filterIn = ([value = '']: readonly string[] = []) => filters[value] ?? 'off'

/** Lines for hostapd itself. */
export const rawOption = 'hostapd_bss_options'

/** In the order in which they stand in a section of ours. */
export const wifiFields: readonly WifiField[] = [
  // Which VLAN a network of the device carries is said elsewhere.
  { field: 'vlan', option: 'network', write: ({ network }) => network },
  { field: 'name', option: 'ssid', write: ({ one }) => one.name, read: ([value]) => value },
  {
    ...{ field: 'security', option: 'encryption', meaning: encryption, unset: 'open' },
    write: ({ one }) => encryptions[one.security],
    read: securityOf,
  },
  {
    ...{ field: 'key', option: 'key', write: keyOf },
    read: ([value = ''], of) => keyIn(value, securityOf(of('encryption'))),
  },
  onOff('hidden', 'hidden', ({ one }) => (one.hidden ? '1' : '0')),
  onOff('isolation', 'isolate', ({ one }) => (one.isolation ? '1' : '0')),
  number('dtim', 'dtim_period', 2),
  number('stationTimeout', 'max_inactivity', 300),
  number('maxClients', 'maxassoc', 0),
  onOff('neighborReports', 'ieee80211k', ({ one }) => (one.neighborReports ? '1' : undefined)),
  onOff('transitionManagement', 'bss_transition', ({ one, steers }) =>
    one.transitionManagement && steers ? '1' : undefined,
  ),
  {
    ...{ field: 'macFilter', option: 'macfilter', meaning: plain('disable'), unset: 'off' },
    write: ({ one }) => Object.keys(filters).find(word => filters[word] === one.macFilter),
    read: filterIn,
  },
  {
    ...{ field: 'macList', option: 'maclist', isList: true },
    write: ({ one }) => (one.macFilter === 'off' ? undefined : one.macList),
    read: (values, of) => (filterIn(of('macfilter')) === 'off' ? undefined : values),
  },
  ofRadius('auth_server', ({ server }) => server),
  ofRadius('auth_port', ({ port }) => String(port)),
  ofRadius('auth_secret', ({ secret }) => marked(secret)),
  {
    ...ofRadius('eap_reauth_period', (_radius, { one: { timeout } }) =>
      timeout === undefined ? undefined : String(timeout * 60),
    ),
    ...{ field: 'timeout', notImported: true },
    read: ([value]) => Number(value) / 60,
  },
  {
    ...ofRadius('radius_auth_req_attr', ({ protocol }) =>
      protocol === undefined ? undefined : framedProtocol(protocol),
    ),
    ...{ notImported: true, isList: true },
  },
  ofAccounting('acct_server', ({ server }) => server),
  ofAccounting('acct_port', ({ accountingPort }) => String(accountingPort)),
  ofAccounting('acct_secret', ({ secret }) => marked(secret)),
  ofAccounting('acct_interval', ({ accountingInterval }) => String(accountingInterval)),
  {
    ...ofRadius('dynamic_vlan', (_radius, on) => (on.ofRadius.vlans.length > 0 ? '1' : undefined)),
    notImported: true,
  },
  ofRequests('dae_client', ({ client }) => client),
  ofRequests('dae_port', ({ port }) => String(port)),
  ofRequests('dae_secret', ({ secret }) => marked(secret)),
  ofRadius('nasid', ({ nasId }, { device }) => nasId ?? device),
  { ...ofRoaming('ieee80211r', () => '1'), read: ([value]) => isOnAir(value), unset: false },
  ofRoaming('mobility_domain', ({ one }) => roaming(one).domain),
  ofRoaming('nasid', ({ one, device }) => (one.radius ? undefined : device)),
  ofRoaming('ft_over_ds', () => '0'),
  ofRoaming('ft_psk_generate_local', () => '1'),
  ofRoaming('pmk_r1_push', () => '1'),
  { ...ofRoaming('r0kh', ({ one }) => marked(`ff:ff:ff:ff:ff:ff,*,${roaming(one).key}`)), isList: true },
  {
    ...ofRoaming('r1kh', ({ one }) => marked(`00:00:00:00:00:00,00:00:00:00:00:00,${roaming(one).key}`)),
    isList: true,
  },
  { field: 'security', option: rawOption, write: ({ raw }) => raw, isList: true },
  // Hours and hands switch a section of ours off and on: a network that is off has none.
  {
    ...{ field: 'enabled', option: 'disabled', unset: true, meaning: airFlag },
    write: ({ imported }) => (imported ? '0' : undefined),
    read: ([value]) => !isOnAir(value),
  },
]

export const importedFields: readonly WifiField[] = wifiFields.filter(one => !one.notImported)

/** A section's options in the order they are set. */
export function optionsOn(on: OnRadio): Option[] {
  const said = wifiFields.flatMap(({ option, write }): Option[] => {
    const values = [write(on) ?? []].flat()
    return values.length > 0 ? [[option, ...values]] : []
  })
  return [
    ['device', on.radio],
    ['mode', 'ap'],
    ...(on.named === undefined ? [] : [['ifname', on.named] as Option]),
    ...said,
  ]
}

/** What a section's options say; what none of them says is left out. */
export const fieldsIn = (read: Read, rows: readonly WifiField[] = wifiFields): Record<string, unknown> =>
  Object.fromEntries(
    rows.flatMap(row => {
      const values = read(row.option) ?? []
      const said = values.length > 0 ? row.read?.(values, read) : row.unset
      return said === undefined ? [] : [[row.field, said]]
    }),
  )
