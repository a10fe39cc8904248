import { createHash } from 'node:crypto'
import * as z from 'zod'
import { ipv4Text, mask4, segment4 } from '@/model/addresses'
import { lan as kind, type Lan } from '@/model/lan/lan'
import { type PortalFields, portal } from '@/model/profiles/portal'
import type { DesiredDocument, Warning } from '../driver'
import { documentsOf } from './documents'

export type LanNetwork = Omit<Lan, 'portal'> & { id: string; portal?: PortalFields }

// What a renderer gets in place of the reference is the portal's own data; what that refers to the manager alone needs.
const withPortal = kind.fields.extend({
  portal: z
    .object(portal.fields.shape)
    .omit({ externalKey: true, radius: true, schedule: true, sms: true, splash: true })
    .optional(),
})

/** The LAN's networks by VLAN. */
export const lans = (documents: readonly DesiredDocument[]): LanNetwork[] =>
  documentsOf({ id: kind.id, fields: withPortal }, documents, one => Number(one.vlan)) as unknown as LanNetwork[]

/** The gateway's address in a network and what belongs to it, dotted. */
export function addressing({ address }: Pick<Lan, 'address'>) {
  const segment = segment4(address)
  if (!segment) throw new Error('an address that its field accepted has a segment')
  return { own: ipv4Text(segment.address), mask: mask4(segment.prefix), first: segment.first, prefix: segment.prefix }
}

/** RFC 4193: a /64 of a unique local prefix; the same for the same document, whatever the device. `fd12:3456:789a:14` */
export function uniqueLocalPrefix({ id, vlan }: Pick<LanNetwork, 'id' | 'vlan'>): string {
  const global = createHash('sha256').update(id).digest('hex').slice(0, 10)
  return `fd${global.slice(0, 2)}:${global.slice(2, 6)}:${global.slice(6, 10)}:${vlan.toString(16)}`
}

/** A network for guests is not made where nothing would ask them for anything. */
export const withoutGate = (all: readonly LanNetwork[]): Warning[] =>
  all
    .filter(one => one.portal)
    .map(({ id, name }) => ({
      code: 'portalUnsupported',
      kind: 'lan',
      document: id,
      values: { lan: name },
      blocks: true,
    }))
