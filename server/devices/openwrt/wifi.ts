import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../driver'
import type { Radio } from '../observation'
import { quote } from '../shell'
import { marked } from '../unix/secret'
import { type Ssid, ssids } from '../unix/ssid'
import { prefix } from './package'
import { adopt, interrupts } from './wifi-back'

const safe = (text: string) => text.replace(/[^A-Za-z0-9]/g, '_')
const sectionName = (one: Ssid, radio: Radio) => `${prefix}${safe(one.id)}_${safe(radio.key)}`

const encryption: Record<Ssid['security'], string> = {
  open: 'none',
  owe: 'owe',
  wpa2: 'psk2',
  wpa2wpa3: 'sae-mixed',
  wpa3: 'sae',
}
const needs: Partial<Record<Ssid['security'], string>> = { owe: 'noOwe', wpa2wpa3: 'noSae', wpa3: 'noSae' }

/** A section as `uci show` prints it: option by option, in the order they are set. */
function section(name: string, one: Ssid, radio: Radio, network: string): string {
  const withKey = one.security !== 'open' && one.security !== 'owe' && one.key
  const options: [string, string][] = [
    ['device', radio.key],
    ['mode', 'ap'],
    ['network', network],
    ['ssid', one.name],
    ['encryption', encryption[one.security]],
    ...(withKey ? [['key', marked(one.key ?? '')] as [string, string]] : []),
    ['hidden', one.hidden ? '1' : '0'],
    ['isolate', one.isolation ? '1' : '0'],
    ['dtim_period', String(one.dtim)],
    // Rule W6: 0 sets no limit.
    ...(one.maxClients > 0 ? [['maxassoc', String(one.maxClients)] as [string, string]] : []),
  ]
  const lines = options.map(([option, value]) => `wireless.${name}.${option}=${quote(value)}`)
  return [`wireless.${name}=wifi-iface`, ...lines].join('\n')
}

type Networks = NonNullable<RenderInput['observation']>['networks']

/** The device's network for a VLAN: the one on `br-lan.20`; without a VLAN `lan`, else the first on a bridge. */
export function networkFor(vlan: number | undefined, networks: Networks = []): string | undefined {
  if (vlan !== undefined) return networks.find(one => one.device?.endsWith(`.${vlan}`))?.name
  return networks.find(one => one.name === 'lan')?.name ?? networks.find(one => one.device?.startsWith('br-'))?.name
}

function place(one: Ssid, radio: Radio, { facts, observation }: RenderInput): string | Warning {
  const about = { kind: 'ssid', document: one.id }
  const values = { ssid: one.name, radio: radio.name }
  const lacking = needs[one.security]
  if (lacking && facts.capabilities.includes(lacking)) return { ...about, code: 'securityMissing', values }
  const network = networkFor(one.vlan, observation?.networks)
  if (network) return network
  return one.vlan === undefined
    ? { ...about, code: 'networkMissing' }
    : { ...about, code: 'vlanMissing', values: { ...values, vlan: one.vlan } }
}

function render(input: RenderInput): Rendered {
  const wanted = ssids(input.documents)
  const blocks: NativeBlock[] = []
  const warnings: Warning[] = []
  if (wanted.length === 0) return { blocks, warnings }
  const radios = input.observation?.radios ?? []
  if (radios.length === 0) return { blocks, warnings: [{ code: 'needs.wifi', kind: 'ssid', blocks: true }] }
  for (const radio of radios) {
    const mine = wanted.filter(one => radio.band === undefined || one.bands.includes(radio.band))
    const about = { kind: 'ssid', values: { radio: radio.name } }
    // The radio itself is the system's: it is not switched on from here.
    if (mine.length > 0 && radio.up === false) warnings.push({ ...about, code: 'radioDisabled' })
    if (mine.length > 0 && radio.band !== '2g' && !radio.country) warnings.push({ ...about, code: 'countryMissing' })
    for (const one of mine) {
      const placed = place(one, radio, input)
      const name = sectionName(one, radio)
      if (typeof placed !== 'string') warnings.push(placed)
      else
        blocks.push({
          id: `uci:wireless.${name}`,
          kind: 'ssid',
          document: one.id,
          text: section(name, one, radio, placed),
        })
    }
  }
  return { blocks, warnings }
}

/** Wireless networks as `wifi-iface` sections of /etc/config/wireless, one for each network and radio. */
export const wifiRenderer: Renderer = {
  kinds: ['ssid'],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  interrupts,
  adopt,
}
