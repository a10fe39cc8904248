import { signUps } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const userBelongings: readonly Belonging[] = [
  { table: signUps, organization: { of: signUps.organization, deleted: 'cascades' } },
]
