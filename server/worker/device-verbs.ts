import { sayable } from '@/server/drivers/assess'
import { DeviceError, type Driver, type NativeConfig, type Pending } from '@/server/drivers/driver'
import type { Admission, AwayList } from '@/server/drivers/guests'
import type { KeyList } from '@/server/drivers/keys'
import type { Facts } from '@/server/drivers/observation'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import type { ActionName, PushProgress } from './protocol'
import type { Progress } from './worker-state'

/**
 * `fresh`: over a new connection, never the pooled one (the proof of a push). `endBy`, in ms since 1970: whoever asks does
 * not wait longer, and the device is free for what is asked next.
 */
export type OnDevice = { id: number; fresh?: boolean; endBy?: number }

/** What a verb has besides the driver and its session: what the device said of itself when it was last read, and who waits. */
export type Turn<P> = { facts(): Facts | undefined; progress: Progress<P> }

type Run<I, O, P> = (driver: Driver<unknown>, session: unknown, input: I, turn: Turn<P>) => Promise<O>

export type Verb<I, O, P> = {
  /** After so long in its turn it has failed. */
  ms: number
  /** A connection that turned out dead is opened anew, once: it only reads, or twice is the same as once. */
  again: boolean
  /** It waits for nothing: while the device is busy it goes over a connection of its own for so long, and once more in its turn. */
  besideMs?: number
  run: Run<I, O, P>
}
const reads = <I, O, P = never>(ms: number, run: Run<I, O, P>): Verb<I, O, P> => ({ ms, again: true, run })
const repeats = reads
const urgently = <I, O, P = never>(ms: number, besideMs: number, run: Run<I, O, P>): Verb<I, O, P> => ({
  ...{ ms, again: true, besideMs, run },
})
const writes = <I, O, P = never>(ms: number, run: Run<I, O, P>): Verb<I, O, P> => ({ ms, again: false, run })

/** Ms of most verbs; of one that uploads, applies and restarts services; of one over a connection of its own. */
const [quick, long, beside] = [60_000, 180_000, 15_000]

const no = (detail: string) => new DeviceError('unsupported', detail)

/** An action of the driver, if it has it; `lacks`: what to say of one that does not. */
function actionOf<N extends ActionName>({ actions }: Driver<unknown>, name: N, lacks = `no ${name}`) {
  const action = actions[name]
  if (!action) throw no(lacks)
  return action
}
const gateOf = (driver: Driver<unknown>) => actionOf(driver, 'guests', 'no gate for guests')
const keysOf = (driver: Driver<unknown>) => actionOf(driver, 'keys', 'takes no vouchers as keys')

function awayOf(driver: Driver<unknown>) {
  const { away } = gateOf(driver)
  if (!away) throw no('lets nobody in by itself')
  return away
}

/** The device's own timer for a change that needs no proof over a new connection. */
const atOnceSeconds = 30

type Change = OnDevice & { before: NativeConfig; next: NativeConfig }
type OnPending = OnDevice & { pending: Pending }
type Login = { password?: string; publicKey?: string }

/** What is asked of a driver in a device's queue and session, as it stands in its contract: one line a verb. */
export const deviceVerbs = {
  facts: reads(quick, (driver, session, _: OnDevice) => driver.facts(session)),
  read: reads(quick, (driver, session, { imported }: OnDevice & { imported: ImportedItem[] }) =>
    driver.read(session, imported),
  ),
  /** What on the device is not ours; `unsupported` where its driver cannot tell. */
  unmanaged: reads(quick, async (driver, session, { imported }: OnDevice & { imported: ImportedItem[] }, { facts }) => {
    const { ownership, renderers } = driver
    if (!ownership) throw no('nothing to import')
    return sayable(await ownership.list(session, imported), renderers, facts())
  }),
  /** `pending` is awaited before the device is touched. */
  push: writes(
    long,
    (
      driver,
      session,
      { before, next, confirmSeconds }: Change & { confirmSeconds: number },
      turn: Turn<PushProgress>,
    ) =>
      driver.push(session, before, next, confirmSeconds, {
        pending: pending => turn.progress({ pending }),
        step: step => void turn.progress({ step }),
      }),
  ),
  confirm: writes(quick, (driver, session, { pending }: OnPending) => driver.confirm(session, pending)),
  revert: writes(quick, (driver, session, { pending }: OnPending) => driver.revert(session, pending)),
  state: writes(quick, (driver, session, { pending }: OnPending) => driver.state(session, pending)),
  verify: writes(quick, (driver, session, { next }: OnDevice & { next: NativeConfig }) =>
    driver.selfCheck(session, next),
  ),
  /**
   * A change that cannot cut the manager's way, taken whole and confirmed in one go. What the device refuses, or a link that
   * breaks in the middle, it puts back by itself.
   */
  writeAtOnce: writes(quick, async (driver, session, { before, next }: Change) => {
    const events = { pending: async () => undefined, step: () => undefined }
    const pending = await driver.push(session, before, next, atOnceSeconds, events)
    await driver.confirm(session, pending)
  }),
  reboot: writes(quick, (driver, session, _: OnDevice) => actionOf(driver, 'reboot')(session)),
  locate: writes(quick, (driver, session, { seconds }: OnDevice & { seconds: number }) =>
    actionOf(driver, 'locate')(session, seconds),
  ),
  power: repeats(quick, (driver, session, { port, on }: OnDevice & { port: string; on: boolean }) =>
    actionOf(driver, 'power', 'cannot switch PoE')(session, port, on),
  ),
  setLogin: writes(quick, (driver, session, { login }: OnDevice & { login: Login }) =>
    actionOf(driver, 'setLogin')(session, login),
  ),
  releaseLease: writes(quick, (driver, session, { lease }: OnDevice & { lease: { mac: string; address: string } }) =>
    actionOf(driver, 'releaseLease')(session, lease),
  ),
  kick: repeats(quick, (driver, session, { macs }: OnDevice & { macs: string[] }) =>
    actionOf(driver, 'kick')(session, macs),
  ),
  guests: reads(quick, (driver, session, _: OnDevice) => gateOf(driver).list(session)),
  guestAt: reads(quick, (driver, session, { address }: OnDevice & { address: string }) =>
    gateOf(driver).at(session, address),
  ),
  admitGuests: repeats(quick, (driver, session, { guests }: OnDevice & { guests: Admission[] }) =>
    gateOf(driver).admit(session, guests),
  ),
  removeGuests: urgently(quick, beside, (driver, session, { macs }: OnDevice & { macs: string[] }) =>
    gateOf(driver).remove(session, macs),
  ),
  awayState: reads(quick, (driver, session, _: OnDevice) => awayOf(driver).read(session)),
  putAway: repeats(quick, (driver, session, { list }: OnDevice & { list: AwayList }) =>
    awayOf(driver).put(session, list),
  ),
  keyState: reads(quick, (driver, session, _: OnDevice) => keysOf(driver).read(session)),
  voidKeys: urgently(quick, beside, (driver, session, { vouchers }: OnDevice & { vouchers: number[] }) =>
    keysOf(driver).void(session, vouchers),
  ),
  putKeys: repeats(quick, (driver, session, { list }: OnDevice & { list: KeyList }) =>
    keysOf(driver).put(session, list),
  ),
} as const
