import type { Data } from '@/model/kind'
import { proposedPool } from '@/model/lan/pool'
import type { KindId } from '@/model/registry'

type Proposal = { by: string; fields: readonly string[]; of: (value: Data) => Data | undefined }

/** What a form fills in itself, by the field that it follows from. */
const proposals: Partial<Record<KindId, Proposal>> = {
  lan: { by: 'address', fields: ['poolStart', 'poolEnd'], of: ({ address }) => proposedPool(String(address ?? '')) },
}

const isEmpty = (value: unknown) => value === undefined || value === ''

/** Values for the fields that follow from `typed`, as long as nobody typed there: they are empty, or as proposed `before`. */
export function proposed(kind: string, typed: string, values: Data, before: Data | undefined): Data | undefined {
  const proposal = proposals[kind as KindId]
  if (proposal?.by !== typed) return undefined
  const { fields, of } = proposal
  const untyped =
    fields.every(key => isEmpty(values[key])) || (before && fields.every(key => values[key] === before[key]))
  return untyped ? of(values) : undefined
}
