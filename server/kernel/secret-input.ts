import * as z from 'zod'

/** A new secret, or {set: true} for the one that is kept; absent clears it. */
export const secretInput = z
  .union([z.string().max(1024, 'tooLong'), z.strictObject({ set: z.literal(true) })])
  .optional()
