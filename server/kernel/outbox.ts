import type { Runtime } from './runtime'

// What leaves the manager: it waits in a table (or folder) of its area, and goes out at least once, also when the manager is
// killed in between. A try that was cut off is made again under the same id, by which the receiver knows it.

/** The next one to send; or when (unix ms) there will be one. */
export type Next<Item> = { due: Item } | { at: number }

type Box<Item, Key, Result> = {
  /** Begins its lines of the log. */
  name: string
  /** How many are on their way at the same time. */
  atOnce: number
  /** Of whatever has one on its way alone: the item itself, or its receiver. */
  keyOf(item: Item): Key
  /** Called once at the start: what was on its way when the manager ended waits again, for nobody knows whether it arrived. */
  comeBack?(): void
  /** The first that is due, written down as on its way; undefined: nothing waits. `busy`: keys to pass by. */
  next(now: number, busy: readonly Key[]): Next<Item> | undefined
  /**
   * One try, and how it ended written down: gone, later, or given up. After `stop` (the manager ends) a failure is not
   * written: what was cut off comes back.
   */
  send(item: Item, stop: AbortSignal): Promise<Result>
}

export type Outbox<Item, Result> = {
  /** Looks for what is due; called after a transaction that put something in, or made something due. */
  wake(): void
  /** Sends one that waits before its turn; undefined where it is on its way. */
  sendNow(item: Item): Promise<Result> | undefined
  /** Resolves when nothing is due and nothing on its way. */
  idle(): Promise<void>
}

/** A timer can be no longer, and a clock that is set is noticed. Also after an error that nobody expected. */
const longestWaitMs = 60_000

/** Sends what waits, and wakes by itself for what is to be tried later; a clean stop waits for what is on its way. */
export function startOutbox<Item, Key extends number | string, Result>(
  runtime: Runtime,
  box: Box<Item, Key, Result>,
): Outbox<Item, Result> {
  const sending = new Map<Key, Promise<Result>>()
  const stop = runtime.stopping.signal
  let timer: NodeJS.Timeout | undefined

  const begin = (item: Item): Promise<Result> => {
    const key = box.keyOf(item)
    const work = box.send(item, stop).finally(() => sending.delete(key))
    work.then(wake, lookLater)
    sending.set(key, work)
    return work
  }
  const wakeAt = (at: number): void => {
    clearTimeout(timer)
    timer = setTimeout(wake, Math.min(at - Date.now(), longestWaitMs))
    timer.unref()
  }
  const fill = (): void => {
    while (sending.size < box.atOnce) {
      const next = box.next(Date.now(), [...sending.keys()])
      if (!next) return
      if ('due' in next) void begin(next.due)
      else {
        wakeAt(next.at)
        return
      }
    }
  }
  /** At once it might fail again, and so on for ever. */
  const lookLater = (error: unknown): void => {
    console.error(`${box.name}:`, error)
    wakeAt(Date.now() + longestWaitMs)
  }
  const wake = (): void => {
    if (stop.aborted) return
    clearTimeout(timer)
    try {
      fill()
    } catch (error) {
      lookLater(error)
    }
  }
  const idle = async (): Promise<void> => {
    while (sending.size > 0) await Promise.allSettled(sending.values())
  }
  box.comeBack?.()
  runtime.closers.push(async () => {
    clearTimeout(timer)
    await idle()
  })
  wake()
  return { wake, idle, sendNow: item => (sending.has(box.keyOf(item)) ? undefined : begin(item)) }
}
