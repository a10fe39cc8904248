import { createHash } from 'node:crypto'
import { ipv4Number } from '@/model/addresses'
import { type RadiusFields, radius as radiusKind } from '@/model/profiles/radius'
import { ssid as kind, leastBeacon, type SsidFields } from '@/model/wifi/ssid'
import type { DesiredDocument, RenderInput, Warning } from '../driver'
import type { Radio } from '../observation'
import { bandNames } from './band'
import { fieldsOf } from './documents'
import { type Schedule, scheduleOf } from './schedules'

export type Ssid = Omit<SsidFields, 'radius' | 'schedule' | 'portal'> & {
  id: string
  radius?: RadiusFields
  schedule?: Schedule
}

/** The wireless networks that are switched on, in a lasting order: by name, since a plan must not depend on the storage's. */
export const ssids = (documents: DesiredDocument[]): Ssid[] =>
  documents
    .filter(document => document.kind === kind.id)
    .map(fromDocument)
    .filter(one => one.enabled)
    .sort((a, b) => (a.name === b.name ? compare(a.id, b.id) : compare(a.name, b.name)))

// A reference comes as what it points at.
function fromDocument({ id, data }: DesiredDocument): Ssid {
  // The gateway's.
  const { radius: _radius, schedule: _schedule, portal: _portal, ...fields } = fieldsOf(kind, data) as SsidFields
  const when = scheduleOf(data.schedule)
  const radius = data.radius as Record<string, unknown> | undefined
  return {
    ...fields,
    id,
    ...(typeof radius?.server === 'string' && { radius: fieldsOf(radiusKind, radius) as RadiusFields }),
    ...(when && { schedule: when }),
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Networks that no radio of the device sends: `on` are the bands of those that are on, undefined for one that takes any. */
export const withoutBand = (all: readonly Ssid[], on: readonly Radio['band'][]): Warning[] =>
  on.includes(undefined)
    ? []
    : all
        .filter(one => !on.some(band => band && one.bands.includes(band)))
        .map(({ id, name, bands }) => ({
          code: 'ssidBand',
          kind: kind.id,
          document: id,
          values: { ssid: name, bands: bands.map(band => bandNames[band]).join(', ') },
        }))

const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('hex')

/**
 * IEEE 802.11r: what every access point of a network has to know of the others, made of the network itself, so that none
 * has to be told. `key` guards what they send each other.
 */
export const roaming = ({ id, key, radius }: Pick<Ssid, 'id' | 'key' | 'radius'>) => ({
  domain: digest('mobility domain', id).slice(0, 4),
  key: digest('roaming key', id, key ?? radius?.secret ?? ''),
})

/** Seven letters by which a network is known to others, for as long as its document is there: no other's change changes it. */
export const keptName = ({ id }: Pick<Ssid, 'id'>): string => digest('kept name', id).slice(0, 7)

type Wide = 'minRssi' | 'minRate'

/**
 * hostapd has these once for all networks of a radio. What one network asks for would hold for the others too: so it is
 * taken only where all ask for it, then the mildest, and said otherwise.
 */
export function radioWide(
  all: readonly Ssid[],
  radio: string,
): { warnings: Warning[] } & Partial<Record<Wide, number>> {
  const warnings: Warning[] = []
  const shared = (field: Wide) => {
    const asking = all.filter(one => one[field] !== undefined)
    const values = asking.map(one => one[field] as number)
    if (asking.length === all.length && values.length > 0) return Math.min(...values)
    for (const one of asking)
      warnings.push({ code: `radioWide.${field}`, kind: 'ssid', document: one.id, values: { ssid: one.name, radio } })
    return undefined
  }
  return { minRssi: shared('minRssi'), minRate: shared('minRate'), warnings }
}

/** Rule W4: the longest interval that the radio's networks ask for, and no shorter than their number allows. */
export const beaconInterval = (all: readonly Ssid[]): number => {
  const asked = all.map(one => one.beaconInterval ?? 100)
  return Math.max(...asked, leastBeacon(all.length))
}

const isAddress = (server: string) => ipv4Number(server) !== undefined || server.includes(':')
const radiusServers = ({ radius, security }: Ssid): string[] =>
  radius && security.endsWith('Enterprise') ? [radius.server, radius.secondServer].filter(one => one !== undefined) : []

/** hostapd waits and asks again as it was written to. */
export const radiusWarnings = (one: Ssid): Warning[] =>
  radiusServers(one).length > 0 && (one.radius?.retries ?? one.radius?.retryTimeout) !== undefined
    ? [{ code: 'radiusRetries', kind: kind.id, document: one.id, values: { ssid: one.name } }]
    : []

/** RFC 2865 section 5.7, as hostapd takes an attribute of its own to send: number, type, value. */
export const framedProtocol = (protocol: number) => `7:d:${protocol}`

/** What a device says of itself when its Wi-Fi software cannot do a kind of security. */
const needs: Partial<Record<Ssid['security'], readonly string[]>> = {
  owe: ['noOwe'],
  wep: ['noWep'],
  wpa2wpa3: ['noSae'],
  wpa3: ['noSae'],
  ppskWpa3: ['noSae', 'noSaeKeys'],
  wpa2Enterprise: ['noEap'],
  wpa2wpa3Enterprise: ['noEap'],
  wpa3Enterprise: ['noEap'],
}
/**
 * Why a radio cannot send a network out with its security. One that it sends now would go off the air by that: a person
 * has to say so by other settings, so the push is stopped. One that it never sent is left out.
 */
export function unsecured(one: Ssid, radio: Radio, { facts, observation }: RenderInput): Warning | undefined {
  const nameless = radiusServers(one).find(server => !isAddress(server))
  if (nameless !== undefined)
    return {
      code: 'radiusName',
      kind: kind.id,
      document: one.id,
      values: { ssid: one.name, server: nameless },
      blocks: true,
    }
  if (!needs[one.security]?.some(lacking => facts.capabilities.includes(lacking))) return undefined
  const about = { kind: kind.id, document: one.id, values: { ssid: one.name, radio: radio.name } }
  const sent = observation?.bss?.some(bss => bss.up && bss.ssid === one.name && bss.radio === radio.key)
  return sent ? { ...about, code: 'securityLost', blocks: true } : { ...about, code: 'securityMissing' }
}

/** Rule W3 as hexadecimal digits, however it was typed. */
export const wepHex = (key: string): string =>
  /^(?:[0-9a-f]{10}|[0-9a-f]{26})$/i.test(key) ? key.toLowerCase() : Buffer.from(key, 'latin1').toString('hex')
