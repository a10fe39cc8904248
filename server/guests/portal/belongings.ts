import { adViews } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const portalBelongings: readonly Belonging[] = [
  { table: adViews, network: { of: adViews.network, deleted: 'cascades' } },
]
