import { certificateAuthorities, certificates } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const certificateBelongings: readonly Belonging[] = [
  {
    table: certificateAuthorities,
    organization: { of: certificateAuthorities.organization, deleted: 'cascades' },
  },
  // The network has it, its organization is who signed it: whose list of revoked ones it stands in, whoever has it now.
  {
    table: certificates,
    network: { of: certificates.network, deleted: 'empties' },
    organization: { of: certificates.organization, deleted: 'cascades' },
  },
]
