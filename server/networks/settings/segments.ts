import type { Db } from '@/db/client'
import type { Assign } from '@/model/assign'
import type { FieldError, FieldErrors, FieldValues } from '@/model/field-errors'
import { wan } from '@/model/internet/wan'
import type { Data, Kind } from '@/model/kind'
import { lan } from '@/model/lan/lan'
import { segmentField, segmentsClash } from '@/model/lan/segments'
import { staticRoute } from '@/model/traffic/static-route'
import { openedRows } from '@/server/kernel/documents'
import type { Secrets } from '@/server/kernel/secrets'
import { overlappingRows } from './assignment'
import { kindRows } from './store'

// A LAN network that lies in the network of a WAN, or in what a static route leads to, on a gateway that has both.

const kinds: readonly { kind: Kind; error: FieldError }[] = [
  { kind: lan, error: 'segmentLan' },
  { kind: wan, error: 'segmentWan' },
  { kind: staticRoute, error: 'segmentRoute' },
]

/** What the values of a document share with documents of other kinds; `assign`: who gets it. The first is named. */
export function segmentProblems(
  db: Db,
  secrets: Secrets,
  network: number,
  kind: Kind,
  { data, assign }: { data: Data; assign: Assign },
): { fields: FieldErrors; values: FieldValues } {
  const field = segmentField(kind.id)
  const others = field === undefined ? [] : kinds.filter(one => one.kind.id !== kind.id)
  for (const { kind: other, error } of others) {
    const near = overlappingRows(db, network, kindRows(db, network, other.id), assign)
    const found = openedRows(secrets, other, near).find(one =>
      segmentsClash({ kind: kind.id, data }, { kind: other.id, data: one.data }),
    )
    if (field !== undefined && found)
      return { fields: { [field]: error }, values: { [field]: { other: found.row.name } } }
  }
  return { fields: {}, values: {} }
}
