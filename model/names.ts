import * as z from 'zod'
import { hasEmoji, hasLetterOrDigit, oneLine } from './rules'

/** A text of one line that is not empty. */
export const line = (characters: number) =>
  z.string().trim().min(1, 'required').max(characters, 'tooLong').regex(oneLine, 'controlCharacters')

/**
 * Rules A5 and N21, a name that people give: letters and digits of any script, with the signs between them that names
 * have, and no emoji.
 */
export const generalName = (characters: number) =>
  line(characters)
    .refine(text => !hasEmoji(text), 'emoji')
    .refine(hasLetterOrDigit, 'nameLetters')
