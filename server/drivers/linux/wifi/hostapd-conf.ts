import { type PrivateKey, unknownKey, withPrivateKeys } from '../../unix/private-keys'
import type { OfRadius } from '../../unix/radius'
import { scheduleMark } from '../../unix/schedules'
import { marked } from '../../unix/secret'
import { framedProtocol, roaming, type Ssid, wepHex } from '../../unix/ssid'
import { mergedKeysPath, withVoucherKeys } from './voucher-keys'

// What hostapd reads of each network on a radio. Pure.

/**
 * hostapd takes everything between the first and the last quote as it is; what is not printable ASCII goes in the escaped
 * form. The ends of a plain ssid= would lose nothing either, but a line cannot hold a line break: here none can appear.
 */
export function hostapdSsid(name: string): string {
  if (/^[\x20-\x7e]+$/.test(name)) return `ssid2="${name}"`
  const bytes = [...Buffer.from(name, 'utf8')]
  const escaped = bytes.map(byte =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
      ? `\\x${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte),
  )
  return `ssid2=P"${escaped.join('')}"\nutf8_ssid=1`
}

type Wpa = { suites: string[]; more: string[] }
const wpa: Partial<Record<Ssid['security'], Wpa>> = {
  owe: { suites: ['OWE'], more: ['ieee80211w=2'] },
  wpa2: { suites: ['WPA-PSK'], more: [] },
  ppsk: { suites: ['WPA-PSK'], more: [] },
  ppskWpa3: { suites: ['SAE'], more: ['ieee80211w=2'] },
  wpa2wpa3: { suites: ['WPA-PSK', 'SAE'], more: ['ieee80211w=1', 'sae_require_mfp=1'] },
  wpa3: { suites: ['SAE'], more: ['ieee80211w=2'] },
  wpa2Enterprise: { suites: ['WPA-EAP'], more: [] },
  wpa2wpa3Enterprise: { suites: ['WPA-EAP', 'WPA-EAP-SHA256'], more: ['ieee80211w=1'] },
  wpa3Enterprise: { suites: ['WPA-EAP-SHA256'], more: ['ieee80211w=2'] },
}
/** The same suites with IEEE 802.11r beside them. */
const fast: Record<string, string> = {
  'WPA-PSK': 'FT-PSK',
  SAE: 'FT-SAE',
  'WPA-EAP': 'FT-EAP',
  'WPA-EAP-SHA256': 'FT-EAP',
}

function managementLines({ security, fastRoaming }: Ssid): string[] {
  const known = wpa[security]
  if (!known) return []
  const quick = fastRoaming ? known.suites.flatMap(suite => fast[suite] ?? []) : []
  const suites = [...new Set([...known.suites, ...quick])]
  return ['wpa=2', `wpa_key_mgmt=${suites.join(' ')}`, 'rsn_pairwise=CCMP', ...known.more]
}

const saeLine = ({ key, mac, vlan }: PrivateKey) =>
  `sae_password=${marked(`${key}|mac=${mac}${vlan === undefined ? '' : `|vlanid=${vlan}`}`)}`

function privateLines(one: Ssid, radio: string, keys: readonly PrivateKey[]): string[] {
  const vlans = `vlan_file=${vlansPath(radio, one.id)}`
  if (one.security === 'ppsk')
    return [`wpa_psk_file=${(withVoucherKeys(one) ? mergedKeysPath : keysPath)(radio, one.id)}`, vlans]
  return [`wpa_passphrase=${marked(unknownKey(one, keys))}`, ...keys.map(saeLine), vlans]
}

function keyLines(one: Ssid, radio: string, keys: readonly PrivateKey[]): string[] {
  const { security, key } = one
  if (withPrivateKeys(one)) return privateLines(one, radio, keys)
  if (security === 'open' || security === 'owe' || !key) return []
  if (security === 'wep') return ['wep_default_key=0', `wep_key0=${marked(wepHex(key))}`]
  return [`${/^[0-9a-f]{64}$/i.test(key) ? 'wpa_psk' : 'wpa_passphrase'}=${marked(key)}`]
}

/** Who asks to put somebody out has to say when it asks, so that nobody asks the same once more later. */
const requestLines = ({ port, client, secret }: NonNullable<OfRadius['requests']>) => [
  `radius_das_port=${port}`,
  `radius_das_client=${client} ${marked(secret)}`,
  'radius_das_require_event_timestamp=1',
  'radius_das_require_message_authenticator=1',
  // Who was put out would come back by what the access point remembers, and nobody would be asked.
  'disable_pmksa_caching=1',
]

function radiusLines({ id, radius, security, timeout }: Ssid, radio: string, { vlans, requests }: OfRadius): string[] {
  if (!radius || !security.endsWith('Enterprise')) return []
  const servers = [
    { server: radius.server, port: radius.port, secret: radius.secret },
    { server: radius.secondServer, port: radius.secondPort, secret: radius.secondSecret ?? '' },
  ].filter(one => one.server !== undefined)
  const lines = (kind: 'auth' | 'acct', port?: number) =>
    servers.flatMap(one => [
      `${kind}_server_addr=${one.server}`,
      `${kind}_server_port=${port ?? one.port}`,
      `${kind}_server_shared_secret=${marked(one.secret)}`,
    ])
  const interval = `radius_acct_interim_interval=${radius.accountingInterval}`
  return [
    'ieee8021x=1',
    ...(timeout === undefined ? [] : [`eap_reauth_period=${timeout * 60}`]),
    ...(radius.protocol === undefined ? [] : [`radius_auth_req_attr=${framedProtocol(radius.protocol)}`]),
    ...(vlans.length === 0 ? [] : ['dynamic_vlan=1', `vlan_file=${vlansPath(radio, id)}`]),
    ...(requests ? requestLines(requests) : []),
    ...lines('auth'),
    ...(radius.accounting ? [...lines('acct', radius.accountingPort), interval] : []),
  ]
}

/** IEEE 802.11r without a list of access points: any of them that knows the key may ask any other. */
function roamingLines(one: Ssid): string[] {
  if (!one.fastRoaming || !wpa[one.security]) return []
  const { domain, key } = roaming(one)
  return [
    `mobility_domain=${domain}`,
    'ft_over_ds=0',
    'ft_psk_generate_local=1',
    'pmk_r1_push=1',
    `r0kh=${marked(`ff:ff:ff:ff:ff:ff * ${key}`)}`,
    `r1kh=${marked(`00:00:00:00:00:00 00:00:00:00:00:00 ${key}`)}`,
  ]
}

const ownPath = (radio: string, document: string) =>
  `/etc/hostapd/lanward-${radio}-${document.replace(/[^A-Za-z0-9]/g, '_')}`
export const macsPath = (radio: string, document: string) => `${ownPath(radio, document)}.macs`
export const keysPath = (radio: string, document: string) => `${ownPath(radio, document)}.psk`
export const vlansPath = (radio: string, document: string) => `${ownPath(radio, document)}.vlans`
/** Who is let into no network, shared by all networks without a block list of their own. */
export const blockedPath = '/etc/hostapd/lanward-blocked.macs'

const note = '# Written by Lanward. Changes made here are replaced.\n'
export const macsText = (macs: readonly string[]) => note + macs.map(mac => `${mac}\n`).join('')
/** hostapd asks the list of those let in first, and then no other. */
export const macList = ({ macFilter, macList = [] }: Ssid, blocked: readonly string[]): string =>
  macsText(
    macFilter === 'allow'
      ? macList.filter(mac => !blocked.includes(mac))
      : [...macList, ...blocked.filter(mac => !macList.includes(mac))],
  )

const filterLines = ({ id, macFilter }: Ssid, radio: string): string[] =>
  ({
    off: ['macaddr_acl=0', `deny_mac_file=${blockedPath}`],
    allow: ['macaddr_acl=1', `accept_mac_file=${macsPath(radio, id)}`],
    block: ['macaddr_acl=0', `deny_mac_file=${macsPath(radio, id)}`],
  })[macFilter]

type On = {
  /** Its key: files are named by it. */
  radio: string
  bridge: string | undefined
  /** What names this access point among those of the network, for IEEE 802.11r. */
  device: string
  keys: readonly PrivateKey[]
  ofRadius: OfRadius
}

/** What hostapd reads of one network. */
export const bssLines = (one: Ssid, { radio, bridge, device, keys, ofRadius }: On): string[] => [
  hostapdSsid(one.name),
  ...(one.schedule ? [scheduleMark(one.schedule.key)] : []),
  ...(bridge ? [`bridge=${bridge}`] : []),
  'auth_algs=1',
  `ignore_broadcast_ssid=${one.hidden ? 1 : 0}`,
  `ap_isolate=${one.isolation ? 1 : 0}`,
  `dtim_period=${one.dtim}`,
  // Rule W6: 0 sets no limit.
  ...(one.maxClients > 0 ? [`max_num_sta=${one.maxClients}`] : []),
  `ap_max_inactivity=${one.stationTimeout}`,
  ...(one.neighborReports ? ['rrm_neighbor_report=1', 'rrm_beacon_report=1'] : []),
  ...(one.transitionManagement ? ['bss_transition=1', 'wnm_sleep_mode=1'] : []),
  ...filterLines(one, radio),
  ...managementLines(one),
  ...keyLines(one, radio, keys),
  ...radiusLines(one, radio, ofRadius),
  ...(one.fastRoaming || one.radius ? [`nas_identifier=${one.radius?.nasId ?? device}`] : []),
  ...roamingLines(one),
]
