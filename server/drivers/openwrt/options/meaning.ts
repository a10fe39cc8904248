import { prefixOfMask } from '@/model/addresses'
import { wordsIn } from '../uci/lists'
import { valuesOf } from '../uci/sections'
import { flag, type Meaning, plain, word } from './option-words'
import { wifiFields } from './wifi-fields'

// What options say, whichever of their words say it: `6h` is `360m`, `on` is `1`, and a default is as good as not set.

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
/** A span as dnsmasq and odhcpd read it, in seconds; undefined for `infinite` and what is none. */
export function spanSeconds(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhdw]?)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (seconds[unit] ?? 1)
}

/** dnsmasq's list of options: neither their order nor their quotes say anything. */
export const optionSet = (values: readonly string[]): string =>
  values
    .map(value => value.replaceAll('"', ''))
    .sort()
    .join('\n')

const meanings: Readonly<Record<string, Readonly<Record<string, Meaning>>>> = {
  dhcp: {
    leasetime: word(text => String(spanSeconds(text) ?? text), '43200'),
    start: plain('100'),
    limit: plain('150'),
    ignore: flag(false),
    dhcpv4: plain('server'),
    dhcp_option: { said: optionSet },
  },
  firewall: { masq: flag(false), input: word(text => text.toUpperCase()), forward: word(text => text.toUpperCase()) },
  network: { metric: plain('0') },
  system: {
    enabled: flag(true),
    log_port: plain('514'),
    log_proto: plain('udp'),
    zonename: word(text => text.replaceAll(' ', '_')),
  },
  dropbear: { PasswordAuth: flag(true), RootPasswordAuth: flag(true) },
  // What hostapd does where an option is not set.
  wireless: {
    ...Object.fromEntries(wifiFields.flatMap(({ option, meaning }) => (meaning ? [[option, meaning]] : []))),
    channel: word(text => (text === '0' ? 'auto' : text)),
  },
}

/** What an option says; two values of the same meaning give the same text. `undefined`: it is not set. */
export function meaningOf(config: string, option: string, values: readonly string[] | undefined): string {
  const { said, otherwise = '' } = meanings[config]?.[option] ?? plain('')
  return values?.length ? said(values) : otherwise
}

/** An address with its netmask beside it, and a pool switched off by either option, in one way. */
function joined(options: Map<string, string>): Map<string, string> {
  const prefix = prefixOfMask(options.get('netmask') ?? '')
  const address = options.get('ipaddr')
  if (prefix !== undefined && address !== undefined && !address.includes('/')) {
    options.set('ipaddr', `${address}/${prefix}`)
    options.delete('netmask')
  }
  if (options.get('ignore') === '1') {
    options.delete('ignore')
    options.set('dhcpv4', 'disabled')
  }
  return options
}

const optionLine = /^([a-z0-9]+)\.[^.=]+\.([A-Za-z0-9_]+)=(.*)$/s

/** What a section's lines of `uci show` say; order of the options is no part of it, nor are defaults. */
export function sectionMeaning(text: string): string {
  const options = new Map<string, string>()
  for (const line of text.split('\n').filter(Boolean)) {
    const [, config = '', option = '', words = ''] = optionLine.exec(line) ?? []
    const known = meanings[config]?.[option]
    const values = wordsIn(config, option, valuesOf(words))
    const said = known ? known.said(values) : values.join("' '")
    if (!option) options.set(line, '')
    else if (said !== known?.otherwise) options.set(option, said)
  }
  return [...joined(options)]
    .map(([option, said]) => `${option}=${said}`)
    .sort()
    .join('\n')
}
