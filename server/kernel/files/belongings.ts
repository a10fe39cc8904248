import { files } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const fileBelongings: readonly Belonging[] = [
  {
    table: files,
    network: { of: files.network, deleted: 'cascades' },
    organization: { of: files.organization, deleted: 'cascades' },
    handedOver: 'follows',
  },
]
