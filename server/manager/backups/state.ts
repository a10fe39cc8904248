import * as z from 'zod'
import { state } from '@/server/kernel/settings'

/** How the last backup went, and what the last one holds that was proven. */
export const backupState = state(
  'backups',
  z.object({
    lastProven: z
      .object({
        name: z.string(),
        at: z.number(),
        documents: z.number(),
        devices: z.number(),
        /** It holds its key under a passphrase: another machine can restore it. */
        portable: z.boolean().default(false),
      })
      .optional(),
    lastFailure: z.object({ at: z.number(), reason: z.string() }).optional(),
  }),
)
