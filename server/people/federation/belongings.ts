import { roleLines } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const federationBelongings: readonly Belonging[] = [
  { table: roleLines, organization: { of: roleLines.organization, deleted: 'cascades' } },
]
