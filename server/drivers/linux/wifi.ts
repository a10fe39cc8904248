import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../driver'
import { missingNeed } from '../needs'
import type { Interface, Radio } from '../observation'
import { blockedForGood } from '../unix/blocked'
import { keysOnRadio, type PrivateKey } from '../unix/private-keys'
import { airOf, radioSettings } from '../unix/radio'
import { scheduledBy } from '../unix/schedules'
import { radioWide, type Ssid, ssids, unsecured } from '../unix/ssid'
import { blockedPath, bssLines, macList, macsPath, macsText } from './hostapd-conf'
import { powerPath, powerText, radioLines } from './hostapd-radio'
import { vlanBridge } from './lan-bridge'
import { keyBlocks } from './private-keys'
import { scheduleScript } from './schedule-script'
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

type Carried = { one: Ssid; bridge: string | undefined; keys: readonly PrivateKey[] }

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
      warnings.push(...own.warnings)
      found.push({ one, bridge, keys: own.keys })
    }
  }
  return found
}

const bssName = (radio: Radio, at: number) => (at === 0 ? `${radio.interface}` : `${radio.interface}_${at}`)

const unsafe = /[^A-Za-z0-9_.-]/g

type OnRadio = { blocks: NativeBlock[]; slowSeconds: number }

/** One radio's file, its power, and a file of MACs for each network that filters by them. */
function onRadio(radio: Radio, all: Ssid[], input: RenderInput, warnings: Warning[]): OnRadio {
  const nothing = { blocks: [], slowSeconds: 0 }
  const bare = radio.driver === 'none'
  // A radio for several bands takes the one that the first network asks for.
  const band = radio.band ?? all[0]?.bands[0] ?? '2g'
  const set = radioSettings(input.documents)
  const air = airOf(radio, band, set)
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
  const lines = ({ one, ...more }: Carried, at: number) =>
    bssLines(one, { ...more, radio: radio.key, device: `${device}-${at}` })
  const more = rest.flatMap((next, at) => ['', `bss=${bssName(radio, at + 1)}`, ...lines(next, at + 1)])
  const top = [
    '# Written by Lanward. Changes made here are replaced.',
    ...radioLines(radio, band, { ...shared, all: sent, air, oldRates: set?.oldRates ?? true }),
  ]
  const text = `${[...top, ...lines(first, 0), ...more].join('\n')}\n`
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
      text: macList(one, blockedForGood(input.documents)),
    })),
    ...networks.flatMap(({ one, keys }, at) =>
      keyBlocks(one, radio.key, bssName(radio, at), keys, input.observation?.interfaces),
    ),
  ]
  return { blocks, slowSeconds: bare ? 0 : air.listenSeconds }
}

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
  let slowSeconds = 0
  for (const radio of radios) {
    if (radio.foreign) {
      warnings.push({ code: 'radioForeign', kind: 'ssid', values: { radio: radio.name } })
      continue
    }
    const written = onRadio(radio, wanted, input, warnings)
    if (written.blocks.length === 0) continue
    slowSeconds = Math.max(slowSeconds, written.slowSeconds)
    blocks.push(...written.blocks)
    blocks.push({ id: `file:${wantsPath(radio.key)}`, kind: 'ssid', text: wants(radio.key) })
    if (written.blocks.some(block => scheduledBy(block.text).length > 0))
      blocks.push({ id: `file:${scheduledPath(radio.key)}`, kind: 'ssid', text: scheduledUnit(radio.key) })
  }
  if (blocks.length > 0)
    blocks.push(
      { id: `file:${unitPath}`, kind: 'ssid', text: unit },
      { id: `file:${blockedPath}`, kind: 'blockedClient', text: macsText(blockedForGood(documents)) },
    )
  return { blocks, warnings, slowSeconds }
}

/** Wireless networks by hostapd: one process a radio, one BSS for each network that the radio's band asks for. */
export const wifiRenderer: Renderer = {
  kinds: ['ssid', 'radio', 'blockedClient', 'ppsk'],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  interrupts,
  adopt,
}
