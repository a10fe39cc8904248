import * as z from 'zod'
import { failFields } from './fail'

/** A new secret, or {set: true} for the one that is kept; absent clears it. */
export const secretInput = z
  .union([z.string().max(1024, 'tooLong'), z.strictObject({ set: z.literal(true) })])
  .optional()

/** What is stored then. */
export const secretAfter = (given: z.output<typeof secretInput>, kept: string): string =>
  typeof given === 'object' ? kept : (given ?? '')

/** A kept secret goes where it was given for, and nowhere else: refuses at `field` where `place`, the fields that say so, is another. */
export function checkPlace<V extends object>(
  given: z.output<typeof secretInput>,
  field: string,
  [before, next]: readonly [V | undefined, V],
  place: readonly (keyof V)[],
): void {
  if (typeof given === 'object' && place.some(key => before?.[key] !== next[key])) failFields({ [field]: 'typeAgain' })
}
