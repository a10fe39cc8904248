import { radiusNetworks, radiusSessions } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const radiusBelongings: readonly Belonging[] = [
  { table: radiusNetworks, network: { of: radiusNetworks.network, deleted: 'cascades' } },
  { table: radiusSessions, network: { of: radiusSessions.network, deleted: 'cascades' } },
]
