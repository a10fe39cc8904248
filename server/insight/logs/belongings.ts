import { syslogCaptures } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const logBelongings: readonly Belonging[] = [
  {
    table: syslogCaptures,
    network: { of: syslogCaptures.network, deleted: 'cascades' },
    device: { of: syslogCaptures.device, deleted: 'cascades' },
    // Its lines stay with the network that it was in.
    moved: 'drops',
  },
]
