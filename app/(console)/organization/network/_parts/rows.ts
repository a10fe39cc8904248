import type { CallInput, CallOutput, CallPath } from '@/app/_api/client'

export type Network = CallOutput<'networks/list'>['result'][number]
export type Asking =
  | { what: 'delete' | 'clone' | 'export' | 'globalSsid' | 'share' | 'handOver' | 'giveBack'; network: Network }
  | { what: 'import' | 'importDevices' }
  | undefined

/** Makes a call about the list and says what it did. */
export type Run = <P extends CallPath>(path: P, input: CallInput<P>, said?: string) => Promise<void>
