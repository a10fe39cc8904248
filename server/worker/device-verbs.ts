import type { Driver, ImportedItem, NativeConfig, Pending } from '@/server/drivers/driver'

/**
 * `fresh`: over a new connection, never the pooled one (the proof of a push). `endBy`, in ms since 1970: whoever asks does
 * not wait longer, and the device is free for what is asked next.
 */
export type OnDevice = { id: number; fresh?: boolean; endBy?: number }

type Verb<I, O> = {
  /** A connection that turned out dead is opened anew, once: it only reads. */
  again: boolean
  run(driver: Driver<unknown>, session: unknown, input: I): Promise<O>
}
const reads = <I, O>(run: Verb<I, O>['run']): Verb<I, O> => ({ again: true, run })
const writes = <I, O>(run: Verb<I, O>['run']): Verb<I, O> => ({ again: false, run })

/** What is asked of a driver in a device's queue and session, as it stands in its contract: one line a verb. */
export const deviceVerbs = {
  facts: reads((driver, session, _: OnDevice) => driver.facts(session)),
  read: reads((driver, session, { taken }: OnDevice & { taken: ImportedItem[] }) => driver.read(session, taken)),
  confirm: writes((driver, session, { pending }: OnDevice & { pending: Pending }) => driver.confirm(session, pending)),
  revert: writes((driver, session, { pending }: OnDevice & { pending: Pending }) => driver.revert(session, pending)),
  state: writes((driver, session, { pending }: OnDevice & { pending: Pending }) => driver.state(session, pending)),
  verify: writes((driver, session, { next }: OnDevice & { next: NativeConfig }) => driver.selfCheck(session, next)),
} as const

/** The verbs as calls of the worker. */
export type DeviceVerbs = {
  [K in keyof typeof deviceVerbs]: (typeof deviceVerbs)[K] extends Verb<infer I, infer O> ? (input: I) => O : never
}
