import { feedback } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

/** The manager's own. After a restore what waited then waits again: sent twice it has the same Message-ID. */
export const feedbackBelongings: readonly Belonging[] = [{ table: feedback }]
