import { groups } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const groupBelongings: readonly Belonging[] = [
  {
    table: groups,
    network: { of: groups.network, deleted: 'cascades' },
    organization: { of: groups.organization, deleted: 'before' },
    handedOver: 'follows',
  },
]
