import { createHash } from 'node:crypto'
import { ipv4Text, mask4, segment4 } from '@/model/addresses'
import { lan as kind, type Lan } from '@/model/lan/lan'
import type { DesiredDocument } from '../driver'
import { documentsOf } from './documents'

export type LanNetwork = Lan & { id: string }

/** The LAN's networks by VLAN. */
export const lans = (documents: readonly DesiredDocument[]): LanNetwork[] =>
  documentsOf({ id: kind.id, fields: kind.fields }, documents, one => Number(one.vlan)) as LanNetwork[]

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
