import { listenSeconds } from '@/model/wifi/channels'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import type { Radio } from '../../observation'
import { keysOnRadio, type PrivateKey } from '../../unix/private-keys'
import { isSwitchedOn, radioSettings } from '../../unix/radio'
import { radiusOnRadio } from '../../unix/radius'
import { keptName, radiusWarnings, type Ssid, ssids, unsecured, withoutBand } from '../../unix/ssid'
import type { WarningCode } from '../../words'
import { keySections, shown, vlanSections } from '../options/private-keys'
import { optionsOn } from '../options/wifi-fields'
import { withPlannedVlans } from '../ports/port-vlans'
import { carries, lanBridge, unmanagedNetwork, vlanHolder, vlanNetwork } from '../ports/vlans'
import { prefix } from '../uci/package'
import { safe } from '../uci/uci'
import { airName, judgesClients, naming } from './air'
import { countryOf, ownsRadio, withoutCountry } from './radio'
import { adopt, interrupts } from './wifi-back'
import {
  adoptSsid,
  importedSsid,
  importedSsidBlock,
  importedSsidWarnings,
  proposeSsids,
  sectionNameOf,
  silencedSsids,
} from './wifi-imported'

const sectionName = (one: Ssid, radio: Radio) => `${prefix}${safe(one.id)}_${safe(radio.key)}`

/**
 * Lines of hostapd's own, which stand behind those of the scripts. Without the first one a hostapd that can puts the
 * interface of a key's VLAN into a bridge that it makes itself; the scripts of 24.10 write it, those of 25.12 do not.
 */
const rawLines = (keys: readonly PrivateKey[], isJudged: boolean): string[] => [
  ...(keys.some(({ vlan }) => vlan !== undefined) ? ['vlan_no_bridge=1'] : []),
  ...(isJudged ? ['ap_isolate=1'] : []),
]

type Seen = RenderInput['observation']

/** On any other device netifd would put the radio's interface in its place, and take the network off its socket. */
const onBridge = (device: string | undefined, seen: Seen): boolean => {
  const found = seen?.interfaces?.find(one => one.name === device?.replace(/\.\d+$/, ''))
  return found ? found.type === 'bridge' : device === undefined || device.startsWith('br')
}

/** The device's network that a wireless network without a VLAN joins: its LAN, on a bridge. */
const plainNetwork = (seen: Seen): string | undefined =>
  seen?.networks?.find(one => one.name === seen.networkRoles?.lan && onBridge(one.device, seen))?.name

/** The network that a wireless network joins; undefined where its VLAN does not reach the device. */
export function networkFor(vlan: number | undefined, seen: Seen): string | undefined {
  if (vlan === undefined) return plainNetwork(seen)
  const bridge = lanBridge(seen)
  const held = unmanagedNetwork(vlan, bridge, seen)
  if (held !== undefined || !bridge) return held
  return carries(bridge, vlan, seen) && !vlanHolder(bridge, vlan, seen) ? vlanNetwork(vlan) : undefined
}

function place(one: Ssid, radio: Radio, input: RenderInput): string | Warning {
  const { observation } = input
  const about = { kind: 'ssid', document: one.id }
  const values = { ssid: one.name, radio: radio.name }
  const insecure = unsecured(one, radio, input)
  if (insecure) return insecure
  const network = networkFor(one.vlan, observation)
  if (network) return network
  if (one.vlan === undefined) return { ...about, code: 'networkMissing' }
  const bridge = lanBridge(observation)
  const holder = bridge && vlanHolder(bridge, one.vlan, observation)
  return holder
    ? { ...about, code: 'vlanUnmanaged', values: { ...values, vlan: one.vlan, by: `network.${holder.name}` } }
    : { ...about, code: 'vlanMissing', values: { ...values, vlan: one.vlan } }
}

/** What hostapd has once for a radio stands in the radio's section, which the system made. */
const radioOptions = ['minRssi', 'minRate', 'beaconInterval'] as const
const leftOut = (one: Ssid, radio: Radio, steers: boolean): Warning[] => {
  const codes: WarningCode[] = radioOptions
    .filter(option => one[option] !== undefined)
    .map(option => `radioOption.${option}` as const)
  // Lists of servers are known from 23.05 on; before, a second one would be taken for the first's name.
  if (one.radius?.secondServer) codes.push('radiusSecond')
  if (one.transitionManagement && !steers) codes.push('wnmMissing')
  const values = { ssid: one.name, radio: radio.name }
  return codes.map(code => ({ code, kind: 'ssid', document: one.id, values }))
}

/** The radio itself is the system's: nothing of it is set or switched on from here that was not imported. */
function aboutRadio(radio: Radio, input: RenderInput): Warning[] {
  const { documents, imported } = input
  const values = { radio: radio.name }
  const owns = (option: string) => ownsRadio(radio.key, option, imported)
  return [
    ...(radioSettings(documents) && !owns('channel')
      ? [{ code: 'radioOption.channel' as const, kind: 'radio', values }]
      : []),
    ...(radio.up === false && !owns('disabled') ? [{ code: 'radioDisabled' as const, kind: 'ssid', values }] : []),
    ...(radio.band !== '2g' && !countryOf(radio, input)
      ? [{ code: 'countryMissing' as const, kind: 'ssid', values }]
      : []),
  ]
}

/** A radio that is set up anew listens for radar again where its channel asks for it. */
const listens = ({ band, channel, widthMhz }: Radio): number =>
  band !== undefined && channel !== undefined ? listenSeconds(band, channel, widthMhz ?? 20) : 0

/** A network's sections on one radio. */
function sections(one: Ssid, radio: Radio, input: RenderInput, warnings: Warning[]) {
  const placed = place(one, radio, input)
  if (typeof placed !== 'string') {
    warnings.push(placed)
    return []
  }
  const name = sectionName(one, radio)
  const device = `${safe(input.facts.mac ?? input.facts.hostname ?? 'lanward')}_${safe(radio.key)}_${keptName(one)}`
  const network = (vlan: number) => networkFor(vlan, input.observation)
  const reaches = (vlan: number) => network(vlan) !== undefined
  const own = keysOnRadio(one, radio, input.documents, reaches)
  const radios = input.observation?.radios ?? []
  const ofRadius = radiusOnRadio(one, radio, { radios, all: ssids(input.documents), reaches })
  const { keys } = own
  // hostapd-basic refuses its whole configuration for an option that it was not built with, and the radio goes silent.
  const steers = !input.facts.capabilities.includes('noWnm')
  const imported = importedSsid(one, radio.key, input.imported)
  if (one.security === 'ppsk' && one.vouchers)
    warnings.push({ code: 'voucherKeysMissing', kind: 'ssid', document: one.id, values: { ssid: one.name } })
  // A section that was imported keeps the name that it has.
  const named = imported ? undefined : airName(name, one.name, input)
  const raw = rawLines(keys, judgesClients(one, { named, imported }, input))
  const about = { one, radio: radio.key, network: placed, device, keys, ofRadius, steers, named, raw }
  const options = optionsOn({ ...about, imported: imported !== undefined })
  const ofImported = imported ? importedSsidWarnings(one, imported, options) : []
  warnings.push(...leftOut(one, radio, steers), ...ofImported, ...radiusWarnings(one), ...own.warnings)
  warnings.push(...ofRadius.warnings)
  const text = shown(name, 'wifi-iface', options)
  const iface = imported ? sectionNameOf(imported) : name
  return [
    imported
      ? importedSsidBlock(imported, options, one.id)
      : { id: `uci:wireless.${name}`, kind: 'ssid', document: one.id, text },
    ...keySections({ name, iface, one, keys, network }),
    ...vlanSections({ name, iface, network }, ofRadius.vlans, { kind: 'ssid', document: one.id }),
  ]
}

/** Bands that the device sends on, as far as settings decide; one that is off on the device is told of by itself. */
const bandsOn = (radios: readonly Radio[], { documents, imported }: RenderInput): Radio['band'][] =>
  radios.flatMap(({ key, band }) => {
    const off = band !== undefined && ownsRadio(key, 'disabled', imported) && !isSwitchedOn(documents, band)
    return off ? [] : [band]
  })

function render(seen: RenderInput): Rendered {
  const input = withPlannedVlans(seen)
  const wanted = ssids(input.documents)
  const blocks: NativeBlock[] = []
  const warnings: Warning[] = []
  if (wanted.length === 0) return { blocks: silencedSsids(blocks, input.imported), warnings }
  const radios = input.observation?.radios ?? []
  if (radios.length === 0) return { blocks, warnings: [{ code: 'needs.wifi', kind: 'ssid', blocks: true }] }
  let slowSeconds = 0
  const of = (radio: Radio) => wanted.filter(one => radio.band === undefined || one.bands.includes(radio.band))
  const sending = radios.filter(radio => of(radio).length > 0)
  for (const { name } of withoutCountry(sending, input))
    warnings.push({ code: 'countryNone', kind: 'ssid', values: { radio: name }, blocks: true })
  for (const radio of radios) {
    const mine = of(radio)
    if (mine.length > 0) warnings.push(...aboutRadio(radio, input))
    const made = mine.flatMap(one => sections(one, radio, input, warnings))
    if (made.length > 0) slowSeconds = Math.max(slowSeconds, listens(radio))
    blocks.push(...made)
  }
  warnings.push(...withoutBand(wanted, bandsOn(radios, input)))
  return { blocks: [...blocks, ...silencedSsids(blocks, input.imported)], warnings, slowSeconds }
}

/** Wireless networks as `wifi-iface` sections of /etc/config/wireless, one for each network and radio. */
export const wifiRenderer: Renderer = {
  kinds: ['ssid', 'radio', 'ppsk'],
  // A VLAN that a LAN network of the plan makes is joined, not made.
  reads: ['lan', 'wan', 'portProfile', 'blockedClient', ...naming],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  interrupts,
  adopt: (seen, planned, documents, imported) =>
    seen.item ? adoptSsid(seen, planned, documents, imported) : adopt(seen, planned),
  proposes: proposeSsids,
}
