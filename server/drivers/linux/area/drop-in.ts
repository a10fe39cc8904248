import { startPath, wantsText } from '../base/oneshot'
import { fileBlock } from './area'

// Files of ours beside the system's own.

const head = '# Written by Lanward. Changes made here are replaced.'
export const ownText = (...lines: string[]) => `${[head, ...lines].join('\n')}\n`

/** A drop-in starts the service at boot where the system does not do so itself. */
export const startFile = (service: string) => startPath(`lanward-${service}`)
export const startBlock = (service: string) => fileBlock(startFile(service), wantsText(service))
