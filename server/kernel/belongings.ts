import { inArray, sql } from 'drizzle-orm'
import { changelog, jobs, settings } from '@/db/schema'
import type { Belonging } from './belonging'

/** `organization:7:…` of own-settings.ts; the manager's own name none. */
const keyOf = sql<number>`cast(substr(${settings.key}, 14) as integer)`

export const kernelBelongings: readonly Belonging[] = [
  {
    table: settings,
    organization: {
      of: (_, ids) => sql`(${settings.key} like 'organization:%' and ${inArray(keyOf, ids as number[])})`,
      deleted: 'deletes',
    },
  },
  // Stays where it was written.
  {
    table: changelog,
    network: { of: changelog.network, deleted: 'stays' },
    organization: { of: changelog.organization, deleted: 'stays' },
  },
  {
    table: jobs,
    network: { of: jobs.network, deleted: 'deletes' },
    organization: { of: jobs.organization, deleted: 'deletes' },
    handedOver: 'follows',
  },
]
