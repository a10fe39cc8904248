import { clientEvents, clients, clientTimes } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const clientBelongings: readonly Belonging[] = [
  {
    table: clients,
    network: { of: clients.network, deleted: 'cascades' },
    device: { of: clients.device, deleted: 'stays' },
    moved: 'empties',
  },
  {
    table: clientEvents,
    network: { of: clientEvents.network, deleted: 'cascades' },
    device: { of: clientEvents.device, deleted: 'stays' },
    moved: 'empties',
  },
  { table: clientTimes, network: { of: clientTimes.network, deleted: 'cascades' } },
]
