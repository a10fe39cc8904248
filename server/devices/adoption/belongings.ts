import { credentials, devices } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const adoptionBelongings: readonly Belonging[] = [
  {
    table: devices,
    network: { of: devices.network, deleted: 'before' },
    organization: { of: devices.organization, deleted: 'before' },
    handedOver: 'follows',
  },
  {
    table: credentials,
    network: { of: credentials.network, deleted: 'cascades' },
    organization: { of: credentials.organization, deleted: 'before' },
    handedOver: 'follows',
  },
]
