import { organizations } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const organizationBelongings: readonly Belonging[] = [{ table: organizations }]
