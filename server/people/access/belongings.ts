import { accountNetworks } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const accessBelongings: readonly Belonging[] = [
  // At a hand-over networks/sharing/invitations.ts has seen to it.
  { table: accountNetworks, network: { of: accountNetworks.network, deleted: 'cascades' } },
]
