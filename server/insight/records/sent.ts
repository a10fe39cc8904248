import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import * as z from 'zod'
import { writeFileSafely } from '@/db/generation'

/**
 * How far a kind of a network's records was sent: with its records, so that it goes with them. `id`, `seq`: of the last one
 * that arrived; `dropped`: how many were deleted before they could be sent; `at`: when one arrived last, unix ms.
 */
export type Sent = { id: number; seq?: number | undefined; dropped: number; at?: number | undefined }

const shape = z.object({
  id: z.number(),
  seq: z.number().optional(),
  dropped: z.number().default(0),
  at: z.number().optional(),
})
const fileIn = (folder: string) => `${folder}/sent.json`

/** undefined: nothing was ever sent, or it cannot be read. */
export function readSent(folder: string): Sent | undefined {
  try {
    return shape.parse(JSON.parse(readFileSync(/* turbopackIgnore: true */ fileIn(folder), 'utf8')))
  } catch {
    return undefined
  }
}

export function writeSent(folder: string, sent: Sent): void {
  mkdirSync(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 })
  writeFileSafely(folder, 'sent.json', JSON.stringify(sent))
}

export const forgetSent = (folder: string): void => rmSync(/* turbopackIgnore: true */ fileIn(folder), { force: true })
