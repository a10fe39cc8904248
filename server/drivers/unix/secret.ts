import { secretClose, secretOpen } from '../driver'

/** Marks a secret inside a native block; whoever shows the block masks what is between the marks. */
export const marked = (secret: string): string => `${secretOpen}${secret}${secretClose}`

/** The block as the device gets it. */
export const unmarked = (text: string): string => text.replaceAll(secretOpen, '').replaceAll(secretClose, '')
