import { roles } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const roleBelongings: readonly Belonging[] = [
  { table: roles, organization: { of: roles.organization, deleted: 'deletes' } },
]
