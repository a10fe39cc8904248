import { deployments, pushedDocuments } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const changeBelongings: readonly Belonging[] = [
  {
    table: deployments,
    organization: { of: deployments.organization, deleted: 'before' },
    device: { of: deployments.device, deleted: 'cascades' },
    handedOver: 'follows',
  },
  { table: pushedDocuments, network: { of: pushedDocuments.network, deleted: 'cascades' } },
]
