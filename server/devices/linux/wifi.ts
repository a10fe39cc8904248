import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../driver'
import type { Interface, Radio } from '../observation'
import { marked } from '../unix/secret'
import { type Ssid, ssids } from '../unix/ssid'
import { adopt, interrupts } from './wifi-back'

export const confPath = (radio: string) => `/etc/hostapd/lanward-${radio}.conf`
export const unitPath = '/etc/systemd/system/lanward-hostapd@.service'
export const wantsPath = (radio: string) => `/etc/systemd/system/multi-user.target.d/lanward-hostapd-${radio}.conf`
export const unitName = (radio: string) => `lanward-hostapd@${radio}.service`

// Debian's own hostapd@.service binds to a network device called like the instance, which a radio is not. The condition
// keeps a start that was queued at boot from running on files that were put back a moment before.
const unit = `[Unit]
Description=Wi-Fi of %i, as set in Lanward
After=network.target
ConditionPathExists=/etc/hostapd/lanward-%i.conf
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/sbin/hostapd /etc/hostapd/lanward-%i.conf
Restart=on-failure
RestartSec=2
`
// A drop-in instead of "enable": files are the whole state, so that putting files back puts back what starts at boot.
const wants = (radio: string) => `[Unit]\nWants=${unitName(radio)}\n`

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

const management: Record<Ssid['security'], string[]> = {
  open: [],
  owe: ['wpa=2', 'wpa_key_mgmt=OWE', 'rsn_pairwise=CCMP', 'ieee80211w=2'],
  wpa2: ['wpa=2', 'wpa_key_mgmt=WPA-PSK', 'rsn_pairwise=CCMP'],
  wpa2wpa3: ['wpa=2', 'wpa_key_mgmt=WPA-PSK SAE', 'rsn_pairwise=CCMP', 'ieee80211w=1', 'sae_require_mfp=1'],
  wpa3: ['wpa=2', 'wpa_key_mgmt=SAE', 'rsn_pairwise=CCMP', 'ieee80211w=2'],
}

function keyLine({ security, key }: Ssid): string[] {
  if (security === 'open' || security === 'owe' || !key) return []
  return [`${/^[0-9a-f]{64}$/i.test(key) ? 'wpa_psk' : 'wpa_passphrase'}=${marked(key)}`]
}

const bssLines = (one: Ssid, bridge: string | undefined): string[] => [
  hostapdSsid(one.name),
  ...(bridge ? [`bridge=${bridge}`] : []),
  'auth_algs=1',
  `ignore_broadcast_ssid=${one.hidden ? 1 : 0}`,
  `ap_isolate=${one.isolation ? 1 : 0}`,
  `dtim_period=${one.dtim}`,
  // Rule W6: 0 sets no limit.
  ...(one.maxClients > 0 ? [`max_num_sta=${one.maxClients}`] : []),
  ...management[one.security],
  ...keyLine(one),
]

const modes = {
  '2g': { mode: 'g', channel: 6, more: [] },
  '5g': { mode: 'a', channel: 36, more: ['ieee80211ac=1'] },
  '6g': { mode: 'a', channel: 37, more: ['ieee80211ax=1', 'op_class=131'] },
} as const

function radioLines(radio: Radio, band: Ssid['bands'][number]): string[] {
  const { mode, channel, more } = modes[band]
  const lines = [
    `interface=${radio.interface}`,
    `driver=${radio.driver ?? 'nl80211'}`,
    'ctrl_interface=/run/hostapd',
    `hw_mode=${mode}`,
    // Not the channel seen on the air: a plan that followed it would change by itself.
    `channel=${channel}`,
    'wmm_enabled=1',
  ]
  // With the driver `none` a country keeps hostapd in COUNTRY_UPDATE for ever.
  if (radio.driver === 'none') return lines
  const country = radio.country ? [`country_code=${radio.country}`, 'ieee80211d=1'] : []
  return [...lines, ...country, 'ieee80211n=1', ...more]
}

/** The bridge that holds the VLAN's tagged interface: eth0.20, vlan20 … */
export function vlanBridge(interfaces: Interface[] | undefined, vlan: number): string | undefined {
  const tagged = new RegExp(`(?:\\.|^vlan0*)${vlan}$`)
  return interfaces?.find(one => one.type === 'vlan' && tagged.test(one.name) && one.master)?.master
}

const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,14}$/

/** The bridge a network's clients join on this radio; null where its VLAN does not reach the device. */
function bridgeFor(one: Ssid, radio: Radio, interfaces: Interface[] | undefined): string | undefined | null {
  if (one.vlan === undefined) return radio.bridge === radio.interface ? undefined : radio.bridge
  return vlanBridge(interfaces, one.vlan) ?? null
}

type Carried = { one: Ssid; lines: string[] }

/** The networks that the radio carries, in order, with a warning for each that it cannot. */
function carried(radio: Radio, wanted: Ssid[], interfaces: Interface[] | undefined, warnings: Warning[]): Carried[] {
  const most = radio.maxBss ?? 8
  const found: Carried[] = []
  for (const one of wanted) {
    const about = { kind: 'ssid', document: one.id }
    const bridge = bridgeFor(one, radio, interfaces)
    const values = { ssid: one.name, radio: radio.name }
    if (bridge === null) warnings.push({ ...about, code: 'vlanMissing', values: { ...values, vlan: one.vlan ?? 0 } })
    else if (found.length >= most) warnings.push({ ...about, code: 'bssLimit', values: { ...values, max: most } })
    else found.push({ one, lines: bssLines(one, bridge) })
  }
  return found
}

function onRadio(radio: Radio, all: Ssid[], interfaces: Interface[] | undefined, warnings: Warning[]) {
  const bare = radio.driver === 'none'
  // A radio for several bands takes the one that the first network asks for.
  const band = radio.band ?? all[0]?.bands[0] ?? '2g'
  const wanted = bare ? all : all.filter(one => one.bands.includes(band))
  const [first, ...rest] = carried(radio, wanted, interfaces, warnings)
  if (!first) return undefined
  const lack = bare ? 'withoutRadio' : radio.country ? undefined : 'countryMissing'
  if (lack) warnings.push({ code: lack, kind: 'ssid', values: { radio: radio.name } })
  const more = rest.flatMap(({ lines }, at) => ['', `bss=${radio.interface}_${at + 1}`, ...lines])
  const top = ['# Written by Lanward. Changes made here are replaced.', ...radioLines(radio, band)]
  const text = `${[...top, ...first.lines, ...more].join('\n')}\n`
  return { text, ...(rest.length === 0 && { document: first.one.id }) }
}

function render({ facts, observation, documents }: RenderInput): Rendered {
  const wanted = ssids(documents)
  const warnings: Warning[] = []
  const blocks: NativeBlock[] = []
  const lacking = ['systemd', 'hostapd', 'root'].find(need => !facts.capabilities.includes(need))
  // A network for all devices means those that can send it.
  if (wanted.length === 0 || !facts.capabilities.includes('wifi')) return { blocks, warnings }
  if (lacking) return { blocks, warnings: [{ code: `needs.${lacking}`, kind: 'ssid', blocks: true }] }
  const radios = (observation?.radios ?? []).filter(one => safeName.test(one.key) && safeName.test(one.interface ?? ''))
  if (radios.length === 0) return { blocks, warnings: [{ code: 'noRadio', kind: 'ssid', blocks: true }] }
  for (const radio of radios) {
    if (radio.foreign) {
      warnings.push({ code: 'radioForeign', kind: 'ssid', values: { radio: radio.name } })
      continue
    }
    const conf = onRadio(radio, wanted, observation?.interfaces, warnings)
    if (!conf) continue
    blocks.push({ id: `file:${confPath(radio.key)}`, kind: 'ssid', ...conf })
    blocks.push({ id: `file:${wantsPath(radio.key)}`, kind: 'ssid', text: wants(radio.key) })
  }
  if (blocks.length > 0) blocks.push({ id: `file:${unitPath}`, kind: 'ssid', text: unit })
  return { blocks, warnings }
}

/** Wireless networks by hostapd: one process a radio, one BSS for each network that the radio's band asks for. */
export const wifiRenderer: Renderer = {
  kinds: ['ssid'],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  interrupts,
  adopt,
}
