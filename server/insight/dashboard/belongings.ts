import { dashboards } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const dashboardBelongings: readonly Belonging[] = [
  { table: dashboards, network: { of: dashboards.network, deleted: 'cascades' } },
]
