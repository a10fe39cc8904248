import { DeviceError, type Driver, type NativeConfig, type Pending } from '@/server/drivers/driver'
import type { Admission, AwayList } from '@/server/drivers/guests'
import type { KeyList } from '@/server/drivers/keys'
import type { ImportedItem } from '@/server/drivers/unmanaged'

/**
 * `fresh`: over a new connection, never the pooled one (the proof of a push). `endBy`, in ms since 1970: whoever asks does
 * not wait longer, and the device is free for what is asked next.
 */
export type OnDevice = { id: number; fresh?: boolean; endBy?: number }

type Verb<I, O> = {
  /** A connection that turned out dead is opened anew, once: it only reads, or twice is the same as once. */
  again: boolean
  /** It waits for nothing: while the device is busy it goes over a connection of its own, and once more in its turn. */
  urgent?: boolean
  run(driver: Driver<unknown>, session: unknown, input: I): Promise<O>
}
const reads = <I, O>(run: Verb<I, O>['run']): Verb<I, O> => ({ again: true, run })
const repeats = reads
const urgently = <I, O>(run: Verb<I, O>['run']): Verb<I, O> => ({ again: true, urgent: true, run })
const writes = <I, O>(run: Verb<I, O>['run']): Verb<I, O> => ({ again: false, run })

function gateOf({ actions }: Driver<unknown>) {
  if (!actions.guests) throw new DeviceError('unsupported', 'no gate for guests')
  return actions.guests
}

function kickOf({ actions }: Driver<unknown>) {
  if (!actions.kick) throw new DeviceError('unsupported', 'no kick')
  return actions.kick
}

/** The device's own timer for a change that needs no proof over a new connection. */
const atOnceSeconds = 30

function awayOf(driver: Driver<unknown>) {
  const { away } = gateOf(driver)
  if (!away) throw new DeviceError('unsupported', 'lets nobody in by itself')
  return away
}

function keysOf({ actions }: Driver<unknown>) {
  if (!actions.keys) throw new DeviceError('unsupported', 'takes no vouchers as keys')
  return actions.keys
}

/** What is asked of a driver in a device's queue and session, as it stands in its contract: one line a verb. */
export const deviceVerbs = {
  facts: reads((driver, session, _: OnDevice) => driver.facts(session)),
  read: reads((driver, session, { taken }: OnDevice & { taken: ImportedItem[] }) => driver.read(session, taken)),
  confirm: writes((driver, session, { pending }: OnDevice & { pending: Pending }) => driver.confirm(session, pending)),
  revert: writes((driver, session, { pending }: OnDevice & { pending: Pending }) => driver.revert(session, pending)),
  state: writes((driver, session, { pending }: OnDevice & { pending: Pending }) => driver.state(session, pending)),
  verify: writes((driver, session, { next }: OnDevice & { next: NativeConfig }) => driver.selfCheck(session, next)),
  /**
   * A change that cannot cut the manager's way, taken whole and confirmed in one go. What the device refuses, or a link that
   * breaks in the middle, it puts back by itself.
   */
  writeAtOnce: writes(async (driver, session, change: OnDevice & { before: NativeConfig; next: NativeConfig }) => {
    const events = { pending: async () => undefined, step: () => undefined }
    const pending = await driver.push(session, change.before, change.next, atOnceSeconds, events)
    await driver.confirm(session, pending)
  }),
  guests: reads((driver, session, _: OnDevice) => gateOf(driver).list(session)),
  guestAt: reads((driver, session, { address }: OnDevice & { address: string }) => gateOf(driver).at(session, address)),
  admitGuests: repeats((driver, session, { guests }: OnDevice & { guests: Admission[] }) =>
    gateOf(driver).admit(session, guests),
  ),
  removeGuests: urgently((driver, session, { macs }: OnDevice & { macs: string[] }) =>
    gateOf(driver).remove(session, macs),
  ),
  kick: repeats((driver, session, { macs }: OnDevice & { macs: string[] }) => kickOf(driver)(session, macs)),
  awayState: reads((driver, session, _: OnDevice) => awayOf(driver).read(session)),
  putAway: repeats((driver, session, { list }: OnDevice & { list: AwayList }) => awayOf(driver).put(session, list)),
  keyState: reads((driver, session, _: OnDevice) => keysOf(driver).read(session)),
  voidKeys: urgently((driver, session, { vouchers }: OnDevice & { vouchers: number[] }) =>
    keysOf(driver).void(session, vouchers),
  ),
  putKeys: repeats((driver, session, { list }: OnDevice & { list: KeyList }) => keysOf(driver).put(session, list)),
} as const

/** The verbs as calls of the worker. */
export type DeviceVerbs = {
  [K in keyof typeof deviceVerbs]: (typeof deviceVerbs)[K] extends Verb<infer I, infer O> ? (input: I) => O : never
}
