import * as z from 'zod'
import { state } from '@/server/kernel/settings'

/** How the last letter fared. */
export const lastMail = state(
  'mail',
  z.object({ last: z.object({ at: z.number(), ok: z.boolean(), error: z.string() }).optional() }),
)
