import { deviceEvents, importedItems } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const linkBelongings: readonly Belonging[] = [
  { table: deviceEvents, device: { of: deviceEvents.device, deleted: 'cascades' } },
  {
    table: importedItems,
    organization: { of: importedItems.organization, deleted: 'before' },
    device: { of: importedItems.device, deleted: 'cascades' },
    handedOver: 'follows',
    // Without its settings nothing decides what was imported: it is the device's own again.
    moved: 'drops',
  },
]
