import * as z from 'zod'
import { limits } from './limits'

/** Rule A8: characters that nobody sees (zero width, direction marks, soft hyphens) come along when an address is copied. */
export const cleanEmail = (text: string): string => text.replace(/[\p{Cf}\p{Zs}\u{115F}\u{3164}]/gu, '')

/** Rule A8: one address. At most 64 characters before the @, 254 in all (RFC 5321). */
export const email = z
  .string()
  .max(512, 'tooLong')
  .transform(cleanEmail)
  .pipe(
    z
      .email('emailFormat')
      .max(254, 'tooLong')
      .regex(/^[^@]{1,64}@/, 'emailFormat'),
  )

/** Rule A19: whom letters are sent to by choice, not by account. */
export const isReceiver = (address: string): boolean => address.length <= limits.receiverCharacters
