import { deployments, importedItems, pushedDocuments } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const changeBelongings: readonly Belonging[] = [
  {
    table: deployments,
    organization: { of: deployments.organization, deleted: 'before' },
    device: { of: deployments.device, deleted: 'cascades' },
    handedOver: 'follows',
  },
  { table: pushedDocuments, network: { of: pushedDocuments.network, deleted: 'cascades' } },
  {
    table: importedItems,
    organization: { of: importedItems.organization, deleted: 'before' },
    device: { of: importedItems.device, deleted: 'cascades' },
    handedOver: 'follows',
    // Without its settings nothing decides what was imported: it is the device's own again.
    moved: 'drops',
  },
]
