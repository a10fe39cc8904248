import { guestAccounts, guestBlocks, guests, guestUse, portalPasswords, portalVisits } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const guestBelongings: readonly Belonging[] = [
  {
    table: guests,
    network: { of: guests.network, deleted: 'cascades' },
    organization: { of: guests.organization, deleted: 'before' },
    device: { of: guests.device, deleted: 'empties' },
    handedOver: 'follows',
    moved: 'empties',
  },
  { table: guestUse, network: { of: guestUse.network, deleted: 'cascades' } },
  {
    table: guestAccounts,
    network: { of: guestAccounts.network, deleted: 'cascades' },
    organization: { of: guestAccounts.organization, deleted: 'before' },
    handedOver: 'follows',
  },
  { table: portalPasswords },
  { table: portalVisits, network: { of: portalVisits.network, deleted: 'cascades' } },
  { table: guestBlocks, network: { of: guestBlocks.network, deleted: 'cascades' } },
]
