import type { Readable } from 'node:stream'
import type * as z from 'zod'
import type { Runtime } from '@/server/kernel/runtime'

/** What a command gives back: data for people or scripts, and whether the manager must start again for it to be true. */
export type Outcome = { data: Record<string, unknown>; restart?: boolean }

export type Command<I extends z.ZodType> = {
  input: I
  /** `body`: the bytes of a file that the caller names. */
  run(runtime: Runtime, input: z.output<I>, body?: Readable): Outcome | Promise<Outcome>
}
export const command = <I extends z.ZodType>(spec: Command<I>): Command<I> => spec
