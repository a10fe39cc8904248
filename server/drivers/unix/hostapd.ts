import type { Bss, Station } from '../observation'
import { clean, lines, mac, number, pairs, present } from './text'

/**
 * An SSID as hostapd and wpa_supplicant print it (printf_encode): bytes outside printable ASCII as \xHH, and \\ \" \n \r \t \e.
 * Octets that are no UTF-8 become U+FFFD and are shown as blanks.
 */
export function decodeSsid(text: string): string {
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', e: '\x1b' }
  const bytes = text.replace(/\\(x[0-9a-f]{2}|.)/gi, (_all, code: string) =>
    /^x[0-9a-f]{2}$/i.test(code)
      ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
      : (named[code] ?? (code as string)),
  )
  const latin = [...bytes].every(character => character.charCodeAt(0) < 256)
  return latin ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}

/** `hostapd_cli status`: one BSS for each bss[N]. */
export function parseHostapdStatus(text: string | undefined, radio: string): { bss: Bss[]; channel?: number } {
  const fields = pairs(text)
  const enabled = fields.state === 'ENABLED'
  const bss: Bss[] = []
  for (let at = 0; at < 64 && fields[`bss[${at}]`] !== undefined; at++) {
    const name = clean(fields[`bss[${at}]`], 64) ?? `${radio}-${at}`
    bss.push(
      present<Bss>({
        key: name,
        radio,
        interface: name,
        ssid: clean(decodeSsid(fields[`ssid[${at}]`] ?? ''), 64) ?? '',
        bssid: mac(fields[`bssid[${at}]`]),
        up: enabled,
        clients: number(fields[`num_sta[${at}]`]),
      }),
    )
  }
  return { bss, channel: number(fields.channel, 1, 233) }
}

/** A neighbor report element (IEEE 802.11 9.4.2.36) in hexadecimal digits: BSSID, 4 bytes, class, channel, type, and more. */
export const neighborElement = /^(?:[0-9a-f]{2}){13,100}$/
export const bssidOf = (element: string): string => element.slice(0, 12).replace(/..(?!$)/g, '$&:')

const mostNeighbors = 200

/** `hostapd_cli show_neighbor`: a line for each access point that it tells clients of, itself included. Absent: 802.11k is off. */
export function parseNeighbors(text: string | undefined, bssid: string | undefined): Bss['neighbors'] {
  const all = lines(text)
    .slice(0, mostNeighbors)
    .flatMap(line => / nr=([0-9a-f]+)/.exec(line)?.[1] ?? [])
    .filter(element => neighborElement.test(element))
  return neighborsOf(
    all.find(element => bssidOf(element) === bssid),
    all,
  )
}

export const neighborsOf = (own: string | undefined, all: readonly string[]): Bss['neighbors'] =>
  own === undefined ? undefined : { own, told: all.filter(element => bssidOf(element) !== bssidOf(own)) }

/**
 * `hostapd_cli all_sta`: a line with the MAC, then its `key=value` lines. Rates are in units of 100 kbit/s. One that went
 * on to another BSS, or never got in, stays in the table for minutes: it is left out.
 */
export function parseAllSta(text: string | undefined, bss: { key: string; ssid?: string } | undefined): Station[] {
  const found: { mac: string; fields: Record<string, string> }[] = []
  for (const line of lines(text).slice(0, 100_000)) {
    const owner = mac(line)
    if (owner) found.push({ mac: owner, fields: {} })
    const at = line.indexOf('=')
    const last = found.at(-1)
    if (at > 0 && last) last.fields[line.slice(0, at)] = line.slice(at + 1)
  }
  return found
    .filter(({ fields }) => isIn(fields))
    .map(({ mac, fields }) => present({ mac, ...stationOf(fields), bss: bss?.key, ssid: bss?.ssid }))
}

/** Where there is a key to agree on, an associated station still has to show that it knows it. */
const isIn = ({ flags = '', ...fields }: Record<string, string>): boolean =>
  flags.includes('[AUTHORIZED]') || (flags.includes('[ASSOC]') && fields.hostapdWPAPTKState === undefined)

const rate = (text: string | undefined) => {
  const units = number(text?.split(' ')[0], 1)
  return units && units * 100_000
}

function stationOf(fields: Record<string, string>): Partial<Station> {
  return present({
    // hostapd writes 0 where the driver told it nothing.
    signalDbm: number(fields.signal, -120, -1),
    rxRate: rate(fields.rx_rate_info),
    txRate: rate(fields.tx_rate_info),
    rxBytes: number(fields.rx_bytes),
    txBytes: number(fields.tx_bytes),
    connectedSeconds: number(fields.connected_time),
    silentMs: number(fields.inactive_msec),
  })
}
