import { secretClose, secretOpen } from '../driver'

/** The block as the device gets it. */
export const unmarked = (text: string): string => text.replaceAll(secretOpen, '').replaceAll(secretClose, '')

/** Marks a secret inside a native block; whoever shows the block masks what is between the marks. One in it would end it. */
export const marked = (secret: string): string => `${secretOpen}${unmarked(secret)}${secretClose}`
