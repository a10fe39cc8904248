import type { LikelyKind } from '@/model/found-host'
import { roleByVendor, vendorOf } from '@/server/drivers/models/registry'

// What something found most likely is, before anybody logged in to it. Said as likely: names and announcements are what a
// device says of itself. Pure.

/** All that is known of it without a login. */
export type Signs = {
  name?: string
  model?: string
  /** SNMP's sysObjectID and sysDescr. */
  objectId?: string
  description?: string
  banner?: string
  vendor?: string
  /** `Announcement.services`. */
  services?: readonly string[]
  /** By LLDP, as a managed neighbour tells: `bridge`, `ap`, `router`, `phone` … */
  capabilities?: readonly string[]
}

type Rule = readonly [LikelyKind, RegExp]
const firstOf = (rules: readonly Rule[], texts: readonly (string | undefined)[]): LikelyKind | undefined =>
  rules.find(([, pattern]) => texts.some(text => text !== undefined && pattern.test(text)))?.[0]

/** The maker's own row, where SNMP named it. */
function bySnmp({ objectId, description = '' }: Signs): LikelyKind | undefined {
  if (objectId === undefined) return undefined
  const vendor = vendorOf(objectId, description)
  const role = vendor && roleByVendor(vendor, objectId, description)
  return role === 'other' ? undefined : role
}

/** A bridge is nearly everything, so it comes last. */
const byCapability: readonly (readonly [string, LikelyKind])[] = [
  ['phone', 'phone'],
  ['ap', 'ap'],
  ['router', 'gateway'],
  ['bridge', 'switch'],
]

const serviceRules: readonly Rule[] = [
  ['printer', /^(ipp|printer|pdl-datastream|scanner|uscan|upnp:printer|wsd:print\w*)$/i],
  ['camera', /^(axis-video|upnp:\w*camera\w*|wsd:networkvideo\w*)$/i],
  ['gateway', /^upnp:(internetgatewaydevice|wandevice|wanconnectiondevice)$/i],
  ['ap', /^upnp:wlanaccesspointdevice$/i],
  ['media', /^(googlecast|airplay|raop|spotify-connect|sonos|upnp:(media(renderer|server)|zoneplayer|\w*tv\w*))$/i],
  ['storage', /^(adisk|nfs)$/i],
  ['phone', /^(apple-mobdev2|sip)$/i],
  ['computer', /^(workstation|rfb|afpovertcp|wsd:computer)$/i],
]

const wordRules: readonly Rule[] = [
  [
    'printer',
    /\b(laserjet|officejet|deskjet|envy photo|pixma|imagerunner|ecotank|workforce|jetdirect|printer|mfp|mfc-\w)/i,
  ],
  ['camera', /\b(ip[- ]?cam(era)?|network camera|ptz|nvr)\b/i],
  ['phone', /\b(iphone|ipad|android|galaxy[- ]|pixel[- ]\d|oneplus|redmi|voip|sip-?t\d)/i],
  ['storage', /\b(diskstation|rackstation|synology|qnap|truenas|freenas|unraid|nas)\b/i],
  ['media', /\b(chromecast|apple ?tv|roku|sonos|homepod|bravia|smart ?tv|webos)\b/i],
  ['firewall', /\b(firewall|opnsense|pfsense|fortigate|sonicwall|utm)\b/i],
  ['ap', /\b(access[- ]?point|uap|u6-|u7-|eap\d{3}|wap\d{3}|wax?\d{3}|nwa\d|gwn7\d)|^ap[-_.\d]/i],
  ['switch', /\b(switch|usw|us-\d|tl-sg|gs\d{3,4}|catalyst|procurve|powerconnect|edgeswitch|jetstream)|^sw[-_.\d]/i],
  [
    'gateway',
    /\b(router|gateway|openwrt|fritz!?\.?box|edgerouter|routeros|mikrotik|udm|usg)\b|^(gw|rt|rtr)[-_.\d]|^gw$/i,
  ],
  [
    'computer',
    /\b(desktop|laptop|macbook|imac|mac ?mini|mac ?pro|thinkpad|latitude|workstation)\b|^(pc|nb|ws)[-_.\d]/i,
  ],
]

const bannerRules: readonly Rule[] = [
  ['gateway', /\bROSSSH\b/],
  ['switch', /\b(Cisco|Comware|HUAWEI|Mocana|RomSShell|OpenSSH_HPN)/i],
  ['computer', /\b(OpenSSH_for_Windows|Ubuntu|Raspbian)/i],
]

/** Makers of one sort of thing. */
const vendorRules: readonly Rule[] = [
  ['camera', /^(axis|hangzhou hikvision|zhejiang dahua|hanwha|mobotix|vivotek|reolink|arlo)\b/i],
  ['printer', /^(brother|canon|seiko epson|xerox|lexmark|kyocera|ricoh|oki|konica)\b/i],
  ['storage', /^(synology|qnap)\b/i],
  ['media', /^(sonos|roku|bose|nintendo|sony interactive)\b/i],
  ['phone', /^((xiamen )?yealink|polycom|snom|avaya|mitel|oneplus|fairphone)\b/i],
  [
    'computer',
    /^(dell|lenovo|intel|raspberry|vmware|micro-star|asrock|giga-byte|asustek|framework|pcs systemtechnik)\b/i,
  ],
]

/** A sign that says what something is: by which of its words, and how much that weighs. */
export type Vote = {
  sign: 'snmp' | 'description' | 'lldp' | 'services' | 'model' | 'name' | 'banner' | 'vendor'
  kind: LikelyKind
  value: string
  weight: number
}

/** Every sign that says something. Who makes many things, and a system that runs on many, say little. */
export function votesOf(signs: Signs): Vote[] {
  const { name, model, objectId, description, banner, vendor, services = [], capabilities = [] } = signs
  const vote = (sign: Vote['sign'], weight: number, kind: LikelyKind | undefined, value = ''): Vote[] =>
    kind ? [{ sign, kind, value: value.slice(0, 80), weight: kind === 'computer' ? Math.min(weight, 3) : weight }] : []
  const service = services.find(one => firstOf(serviceRules, [one]) === firstOf(serviceRules, services))
  const byLldp = byCapability.find(([capability]) => capabilities.includes(capability))
  const byVendor = firstOf(vendorRules, [vendor])
  return [
    ...vote('snmp', 5, bySnmp(signs), objectId),
    ...vote('description', 4, firstOf(wordRules, [description]), description),
    ...vote('lldp', 4, byLldp?.[1], byLldp?.[0]),
    ...vote('services', 4, firstOf(serviceRules, services), service),
    ...vote('model', 3, firstOf(wordRules, [model]), model),
    ...vote('name', 2, firstOf(wordRules, [name]), name),
    ...vote('banner', 1, firstOf(bannerRules, [banner]), banner),
    ...vote('vendor', byVendor === 'computer' ? 1 : 2, byVendor, vendor),
  ]
}

/** Less than that is a guess. */
const leastWeight = 2

/** What most of the weight says; undefined where that is little, or as much says something else. */
export function votedKind(votes: readonly Vote[]): LikelyKind | undefined {
  const sums = new Map<LikelyKind, number>()
  for (const { kind, weight } of votes) sums.set(kind, (sums.get(kind) ?? 0) + weight)
  const [first, second] = [...sums].sort((a, b) => b[1] - a[1])
  if (!first || first[1] < leastWeight || first[1] === second?.[1]) return undefined
  return first[0]
}

/** The likeliest kind by the strongest sign that says anything; undefined where none does. */
export function likelyKind(signs: Signs): LikelyKind | undefined {
  const { name, model, description, banner, vendor, services = [], capabilities = [] } = signs
  return (
    bySnmp(signs) ??
    firstOf(wordRules, [description]) ??
    byCapability.find(([capability]) => capabilities.includes(capability))?.[1] ??
    firstOf(serviceRules, services) ??
    firstOf(wordRules, [model, name]) ??
    firstOf(bannerRules, [banner]) ??
    firstOf(vendorRules, [vendor])
  )
}
