// Timers that stand still while sockets go on: a wait for an answer ends when a test knows that none comes.

const going = ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const

/** Until `jest.useRealTimers`. Clocks go on. */
export const stopTimers = (): void => {
  jest.useFakeTimers({ doNotFake: [...going, 'performance'] })
}

/** As `stopTimers`, and the clock by which the product measures goes as its timers do. */
export const stopClock = (): void => {
  jest.useFakeTimers({ doNotFake: [...going] })
}

/** Ends the wait at hand, after what is on its way here has arrived. */
export const waitIsOver = (): void => {
  setImmediate(() => setImmediate(() => jest.runOnlyPendingTimers()))
}

const turn = () => new Promise(done => setImmediate(done))
let passing: Promise<void> | undefined

/**
 * From here on time goes to the next timer whenever nothing is on its way, one by one, until none is left: what several
 * questions wait for comes in its order. `arrived` counts what came in.
 */
export function passTime(arrived: () => number): void {
  const pass = async () => {
    for (let before = -1; jest.getTimerCount() > 0; ) {
      if (arrived() === before) jest.advanceTimersToNextTimer()
      before = arrived()
      for (let i = 0; i < 3; i++) await turn()
    }
    passing = undefined
  }
  passing ??= pass()
}

/** When all that was waited for is over. */
export const timePassed = async (): Promise<void> => passing

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>
/** While timers stand still: they go on step by step until the answer is truthy, and what is sent arrives between steps. */
export async function untilLater<T>(attempt: () => Promise<T> | T, stepMs = 250): Promise<Truthy<T>> {
  for (const end = Date.now() + 200_000; Date.now() < end; ) {
    const seen = await attempt()
    if (seen) return seen as Truthy<T>
    jest.advanceTimersByTime(stepMs)
    for (let i = 0; i < 3; i++) await turn()
  }
  throw new Error('not within 200 seconds')
}

/** As `untilLater`, until the work is done. */
export async function later<T>(work: Promise<T>): Promise<T> {
  let over = false
  const noted = work.finally(() => {
    over = true
  })
  noted.catch(() => undefined)
  await untilLater(() => over)
  return noted
}
