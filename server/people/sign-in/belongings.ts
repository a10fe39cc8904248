import { ipWhitelist } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const signInBelongings: readonly Belonging[] = [
  { table: ipWhitelist, organization: { of: ipWhitelist.organization, deleted: 'cascades' } },
]
