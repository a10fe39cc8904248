import * as z from 'zod'
import { limits } from '@/model/limits'
import { countryCodes, isTimezone } from '@/model/places'

// Lone surrogates and control characters break files and logs that names end in.
const clean = /^[^\p{Cc}\p{Cs}]*$/u
const nameOf = (characters: number) =>
  z.string().trim().min(1, 'required').max(characters, 'tooLong').regex(clean, 'controlCharacters')

/** Rule N1. */
export const networkName = nameOf(limits.networkNameCharacters)
export const roleName = nameOf(limits.roleNameCharacters)
/** Rule N22. */
export const groupName = nameOf(limits.groupNameCharacters)
export const tagName = nameOf(limits.tagCharacters)
export const country = z.string().refine(code => countryCodes.includes(code), 'notAllowed')
export const timezone = z.string().refine(isTimezone, 'notAllowed')
export const id = z.int().positive()
/** Somebody by the name they sign in with, which may be of before rule A6 held. */
export const signInName = nameOf(limits.accountCharacters).toLowerCase()
