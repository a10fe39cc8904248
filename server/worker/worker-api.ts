import type { Reason } from '@/server/drivers/driver'
import type { StateChange } from './protocol'
import type { callTable } from './worker-service'
import type { Progress } from './worker-state'

// The worker's calls as the main thread sees them, made of their tables, and the messages that they go by.

type Table = typeof callTable
export type CallName = keyof Table

export type InputOf<K extends CallName> = Parameters<Table[K]> extends [unknown, infer I, ...unknown[]] ? I : undefined
export type OutputOf<K extends CallName> = Awaited<ReturnType<Table[K]>>
/** What a call's progress events carry. */
export type ProgressOf<K extends CallName> =
  Parameters<Table[K]> extends [unknown, unknown, Progress<infer P>] ? P : never

export type Request = { id: number; call: CallName; input: unknown } | { ack: number; error?: string }
export type Reply =
  | { id: number; value: unknown }
  | { id: number; error: { reason: Reason; detail?: string } }
  | { id: number; progress: unknown; ack: number }
  | { states: StateChange[] }
  /** History had to be made anew, or cannot be written. */
  | { trouble: string }
