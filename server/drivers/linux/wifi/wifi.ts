import type { Band } from '@/model/wifi/channels'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import type { Interface, Radio } from '../../observation'
import { blockedForGood } from '../../unix/blocked'
import { keysOnRadio, type PrivateKey } from '../../unix/private-keys'
import { airOf, countrySet, isSwitchedOn, radioSettings } from '../../unix/radio'
import { type OfRadius, radiusOnRadio } from '../../unix/radius'
import { scheduledBy } from '../../unix/schedules'
import { keptName, radioWide, radiusWarnings, type Ssid, ssids, unsecured, withoutBand } from '../../unix/ssid'
import { vlanBridge } from '../base/lan-bridge'
import { scheduleScript } from '../base/schedule-script'
import { blockedPath, bssLines, macList, macsPath, macsText } from './hostapd-conf'
import { controlLine, powerPath, powerText, radioLines } from './hostapd-radio'
import { keyBlocks, vlansBlock } from './private-keys'
import { keysFolder, voucherKeyBlocks, withVoucherKeys } from './voucher-keys'
import { adopt, interrupts } from './wifi-back'

export const confPath = (radio: string) => `/etc/hostapd/lanward-${radio}.conf`
export const unitPath = '/etc/systemd/system/lanward-hostapd@.service'
export const wantsPath = (radio: string) => `/etc/systemd/system/multi-user.target.d/lanward-hostapd-${radio}.conf`
/** What lays queues on the radios' interfaces, where a network is limited. */
export const wifiQueuesUnit = 'lanward-wifi-queues'
export const wifiQueuesFile = '/etc/lanward/wifi-queues.sh'
export const unitName = (radio: string) => `lanward-hostapd@${radio}.service`

// Debian's own hostapd@.service binds to a network device called like the instance, which a radio is not. The condition
// keeps a start that was queued at boot from running on files that were put back a moment before.
const unit = `[Unit]
Description=Wi-Fi of %i, as set in Lanward
After=network.target
ConditionPathExists=/etc/hostapd/lanward-%i.conf
StartLimitIntervalSec=0

[Service]
ExecStartPre=-/bin/sh -c '[ ! -e /etc/hostapd/lanward-%i.power ] || { : >/run/lanward-power-%i; . /etc/hostapd/lanward-%i.power; }'
ExecStart=/usr/sbin/hostapd /etc/hostapd/lanward-%i.conf
ExecStartPost=-/bin/sh -c '[ ! -e ${wifiQueuesFile} ] || exec systemctl --no-block restart ${wifiQueuesUnit}.service'
ExecStopPost=-/bin/sh -c '[ ! -e /run/lanward-power-%i ] || { rm /run/lanward-power-%i; iw phy %i set txpower auto; }'
Restart=on-failure
RestartSec=2
`
/** hostapd reads what of the radio's file is on now, and does not run while nothing is. */
export const nowPath = (radio: string) => `/run/lanward/hostapd-${radio}.conf`
export const scheduledPath = (radio: string) => `/etc/systemd/system/${unitName(radio)}.d/schedule.conf`
const scheduledUnit = (radio: string) => `[Service]
ExecCondition=/bin/sh ${scheduleScript} radio ${radio}
ExecStart=
ExecStart=/usr/sbin/hostapd ${nowPath(radio)}
`
// A drop-in instead of "enable": files are the whole state, so that putting files back puts back what starts at boot.
const wants = (radio: string) => `[Unit]\nWants=${unitName(radio)}\n`

const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,14}$/

/** The bridge a network's clients join on this radio; null where its VLAN does not reach the device. */
function bridgeFor(one: Ssid, radio: Radio, interfaces: Interface[] | undefined): string | undefined | null {
  if (one.vlan === undefined) return radio.bridge === radio.interface ? undefined : radio.bridge
  return vlanBridge(interfaces, one.vlan) ?? null
}

type Carried = { one: Ssid; bridge: string | undefined; keys: readonly PrivateKey[]; ofRadius: OfRadius }

/** The networks that the radio carries, in order, with a warning for each that it cannot. */
function carried(radio: Radio, wanted: Ssid[], input: RenderInput, warnings: Warning[]): Carried[] {
  const most = radio.maxBss ?? 8
  const found: Carried[] = []
  for (const one of wanted) {
    const about = { kind: 'ssid', document: one.id }
    const bridge = bridgeFor(one, radio, input.observation?.interfaces)
    const values = { ssid: one.name, radio: radio.name }
    const insecure = unsecured(one, radio, input)
    if (insecure) warnings.push(insecure)
    else if (bridge === null)
      warnings.push({ ...about, code: 'vlanMissing', values: { ...values, vlan: one.vlan ?? 0 } })
    else if (found.length >= most) warnings.push({ ...about, code: 'bssLimit', values: { ...values, max: most } })
    else {
      const reaches = (vlan: number) => vlanBridge(input.observation?.interfaces, vlan) !== undefined
      const own = keysOnRadio(one, radio, input.documents, reaches)
      const some = withVoucherKeys(one)
      const radios = input.observation?.radios ?? []
      const ofRadius = radiusOnRadio(one, radio, { radios, all: ssids(input.documents), reaches })
      warnings.push(...own.warnings.filter(({ code }) => !some || code !== 'privateKeyNone'), ...radiusWarnings(one))
      warnings.push(...ofRadius.warnings)
      found.push({ one, bridge, keys: own.keys, ofRadius })
    }
  }
  return found
}

const bssName = (radio: Radio, at: number) => (at === 0 ? `${radio.interface}` : `${radio.interface}_${at}`)

const unsafe = /[^A-Za-z0-9_.-]/g

type OnRadio = { blocks: NativeBlock[]; carries: string[]; slowSeconds: number }

const several = ({ can = {} }: Radio) => Object.keys(can).length > 1

/**
 * The band of each radio, by its key. What one that can do several is on now says nothing: it takes the first that
 * networks ask for and no other radio has, else the first that they ask for.
 */
function bandsOf(radios: readonly Radio[], wanted: readonly Ssid[], input: RenderInput): Map<string, Band> {
  const { documents } = input
  const asked = [...new Set(wanted.flatMap(one => one.bands))].filter(band => isSwitchedOn(documents, band))
  const found = new Map(radios.flatMap(one => (several(one) || !one.band ? [] : [[one.key, one.band] as const])))
  for (const { key, can, country } of radios.filter(one => !found.has(one.key))) {
    // Another country than it is set to now may allow a band that has no channel yet, as 6 GHz without any country.
    const isOther = (countrySet(input) ?? country) !== country
    const possible = asked.filter(band => !can || (isOther ? can[band] : can[band]?.channels.length))
    const free = possible.find(band => ![...found.values()].includes(band))
    found.set(key, free ?? possible[0] ?? '2g')
  }
  return found
}

/** Bands that the device sends on; a radio that another configuration runs is told of by itself. */
const bandsOn = (radios: readonly Radio[], bands: ReadonlyMap<string, Band>, documents: RenderInput['documents']) =>
  radios.flatMap(({ key, driver, unmanaged }) => {
    const band = bands.get(key)
    if (unmanaged || driver === 'none' || band === undefined) return [undefined]
    return isSwitchedOn(documents, band) ? [band] : []
  })

/** One radio's file, its power, and a file of MACs for each network that filters by them. */
function onRadio(radio: Radio, band: Band, all: Ssid[], input: RenderInput, warnings: Warning[]): OnRadio {
  const nothing = { blocks: [], carries: [], slowSeconds: 0 }
  const bare = radio.driver === 'none'
  const set = radioSettings(input.documents)
  const air = airOf(radio, band, input)
  if (!bare && !air.enabled) return nothing
  const wanted = bare ? all : all.filter(one => one.bands.includes(band))
  const networks = carried(radio, wanted, input, warnings)
  const [first, ...rest] = networks
  if (!first) return nothing
  const lack = bare ? 'withoutRadio' : air.country ? undefined : 'countryMissing'
  if (lack) warnings.push({ code: lack, kind: 'ssid', values: { radio: radio.name } })
  if (!bare) warnings.push(...air.warnings)
  const sent = networks.map(({ one }) => one)
  const shared = radioWide(sent, radio.name)
  warnings.push(...shared.warnings)
  const device = (input.facts.mac ?? input.facts.hostname ?? 'lanward').replace(unsafe, '').slice(0, 40)
  const lines = ({ one, ...more }: Carried) =>
    bssLines(one, { ...more, radio: radio.key, device: `${device}-${keptName(one)}` })
  const more = rest.flatMap((next, at) => ['', `bss=${bssName(radio, at + 1)}`, controlLine, ...lines(next)])
  const top = [
    '# Written by Lanward. Changes made here are replaced.',
    ...radioLines(radio, band, { ...shared, all: sent, air, oldRates: set?.oldRates ?? true }),
  ]
  const text = `${[...top, ...lines(first), ...more].join('\n')}\n`
  const filtered = sent.filter(one => one.macFilter !== 'off')
  const blocks = [
    { id: `file:${confPath(radio.key)}`, kind: 'ssid', text, ...(rest.length === 0 && { document: first.one.id }) },
    ...(bare || air.power === undefined
      ? []
      : [{ id: `file:${powerPath(radio.key)}`, kind: 'radio', text: powerText(radio.key, air.power) }]),
    ...filtered.map(one => ({
      id: `file:${macsPath(radio.key, one.id)}`,
      kind: 'ssid',
      document: one.id,
      text: macList(
        one,
        blockedForGood(input.documents).map(({ mac }) => mac),
      ),
    })),
    ...networks.flatMap(({ one, keys, ofRadius: { vlans } }, at) => {
      const [bss, seen] = [bssName(radio, at), input.observation?.interfaces]
      const about = { kind: 'ssid', document: one.id }
      const ofRadius = vlans.length === 0 ? [] : [vlansBlock(one, radio.key, bss, vlans, seen, about)]
      return [...keyBlocks(one, radio.key, bss, keys, seen), ...ofRadius]
    }),
  ]
  return { blocks, carries: sent.map(({ id }) => id), slowSeconds: bare ? 0 : air.listenSeconds }
}

/** Whether a radio's file has a network that reads vouchers. */
const voucherKeyed = ({ id, text }: NativeBlock, radio: string) =>
  id === `file:${confPath(radio)}` && text.includes(`\nwpa_psk_file=${keysFolder}/`)

function render(input: RenderInput): Rendered {
  const { facts, observation, documents } = input
  const wanted = ssids(documents)
  const warnings: Warning[] = []
  const blocks: NativeBlock[] = []
  const lacking = missingNeed(facts, ['systemd', 'hostapd', 'root'])
  // A network for all devices means those that can send it.
  if (wanted.length === 0 || !facts.capabilities.includes('wifi')) return { blocks, warnings }
  if (lacking) return { blocks, warnings: [{ code: `needs.${lacking}`, kind: 'ssid', blocks: true }] }
  const radios = (observation?.radios ?? []).filter(one => safeName.test(one.key) && safeName.test(one.interface ?? ''))
  if (radios.length === 0) return { blocks, warnings: [{ code: 'noRadio', kind: 'ssid', blocks: true }] }
  const carries: string[] = []
  let slowSeconds = 0
  // One channel is chosen for a band: a second radio on it chooses itself, or both would disturb each other.
  const { channels: _first, ...others } = input
  const bands = bandsOf(
    radios.filter(one => !one.unmanaged),
    wanted,
    input,
  )
  for (const radio of radios) {
    const band = bands.get(radio.key)
    if (!band) {
      warnings.push({ code: 'radioUnmanaged', kind: 'ssid', values: { radio: radio.name } })
      continue
    }
    const isFirst = radios.find(({ key }) => bands.get(key) === band) === radio
    const written = onRadio(radio, band, wanted, isFirst ? input : others, warnings)
    if (written.blocks.length === 0) continue
    slowSeconds = Math.max(slowSeconds, written.slowSeconds)
    blocks.push(...written.blocks)
    carries.push(...written.carries)
    blocks.push({ id: `file:${wantsPath(radio.key)}`, kind: 'ssid', text: wants(radio.key) })
    if (written.blocks.some(block => scheduledBy(block.text).length > 0))
      blocks.push({ id: `file:${scheduledPath(radio.key)}`, kind: 'ssid', text: scheduledUnit(radio.key) })
  }
  warnings.push(...withoutBand(wanted, bandsOn(radios, bands, documents)))
  const keyed = wanted.filter(one => withVoucherKeys(one) && carries.includes(one.id))
  const keyRadios = radios.filter(({ key }) => blocks.some(block => voucherKeyed(block, key)))
  blocks.push(...voucherKeyBlocks(keyRadios.map(({ key }) => key)))
  if (keyed.length > 0 && !facts.capabilities.includes('nftables'))
    warnings.push(
      ...keyed.map(one => ({
        code: 'voucherKeyRates' as const,
        kind: 'ssid',
        document: one.id,
        values: { ssid: one.name },
      })),
    )
  if (blocks.length > 0) {
    const blocked = blockedForGood(documents)
    carries.push(...blocked.map(one => one.id))
    blocks.push(
      { id: `file:${unitPath}`, kind: 'ssid', text: unit },
      { id: `file:${blockedPath}`, kind: 'blockedClient', text: macsText(blocked.map(one => one.mac)) },
    )
  }
  return { blocks, warnings, carries, slowSeconds }
}

/** Wireless networks by hostapd: one process a radio, one BSS for each network that the radio's band asks for. */
export const wifiRenderer: Renderer = {
  kinds: ['ssid', 'radio', 'blockedClient', 'ppsk'],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  interrupts,
  adopt,
}
