import { isSsidVlan, numberRanges } from '@/model/rules'
import { ssid as kind } from '@/model/wifi/ssid'
import type { Warning } from '../driver'
import type { Radio } from '../observation'
import { firstRadiusRequestPort } from '../radius-here'
import type { Ssid } from './ssid'

// What networks with enterprise security have of their RADIUS server beside its address.

/** On one radio: the VLANs that it may put clients into, and where it may ask to put one out. */
export type OfRadius = { vlans: readonly number[]; requests?: { port: number; client: string; secret: string } }

const radiusOf = ({ radius, security }: Ssid) => (security.endsWith('Enterprise') ? radius : undefined)

const assigned = (one: Ssid): number[] =>
  (numberRanges(radiusOf(one)?.vlans ?? '') ?? []).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(isSsidVlan),
  )

const asksHere = (one: Ssid) => radiusOf(one)?.here === true

/** Each network on each radio listens at a port of its own: two would not start at the same. */
function requestsOf(one: Ssid, radio: Radio, radios: readonly Radio[], all: readonly Ssid[]): OfRadius['requests'] {
  const here = all.filter(asksHere)
  const [at, place] = [here.findIndex(({ id }) => id === one.id), radios.findIndex(({ key }) => key === radio.key)]
  if (at < 0 || place < 0 || !one.radius) return undefined
  const { server: client, secret } = one.radius
  return { port: firstRadiusRequestPort + place * here.length + at, client, secret }
}

/** `all`: the device's networks; `reaches`: whether it has a VLAN. A warning for each VLAN that it has not. */
export function radiusOnRadio(
  one: Ssid,
  radio: Radio,
  { radios, all, reaches }: { radios: readonly Radio[]; all: readonly Ssid[]; reaches(vlan: number): boolean },
): OfRadius & { warnings: Warning[] } {
  const wanted = assigned(one)
  const requests = requestsOf(one, radio, radios, all)
  return {
    vlans: wanted.filter(reaches),
    ...(requests && { requests }),
    warnings: wanted
      .filter(vlan => !reaches(vlan))
      .map(vlan => ({
        code: 'radiusVlan',
        kind: kind.id,
        document: one.id,
        values: { ssid: one.name, radio: radio.name, vlan },
      })),
  }
}
