import * as z from 'zod'
import { limits } from '@/model/limits'
import { generalName, line } from '@/model/names'
import { countryCodes, isTimezone } from '@/model/places'
import { hasEmoji, oneLine } from '@/model/rules'

// Lone surrogates and control characters break files and logs that names end in.
const plain = (text: string) => !hasEmoji(text)

/** What people write beside something, one line that may be empty; rule N21. */
export const note = (characters: number = limits.textCharacters) =>
  z.string().trim().max(characters, 'tooLong').regex(oneLine, 'controlCharacters').refine(plain, 'emoji')

/** A device by the name people give it; nothing in it turns the rest of a line round. */
export const deviceName = z
  .string()
  .trim()
  .max(limits.deviceNameCharacters, 'tooLong')
  .regex(/^\P{C}*$/u, 'controlCharacters')
  .refine(plain, 'emoji')

/** Rule N1. */
export const networkName = generalName(limits.networkNameCharacters)
export const roleName = generalName(limits.roleNameCharacters)
/** Rule N22. */
export const groupName = generalName(limits.groupNameCharacters)
export const tagName = generalName(limits.tagCharacters)
export const country = z.string().refine(code => countryCodes.includes(code), 'notAllowed')
export const timezone = z.string().refine(isTimezone, 'notAllowed')
export const id = z.int().positive()
/** Somebody by the name they sign in with, which may be of before rule A6 held. */
export const signInName = line(limits.accountCharacters).toLowerCase()
