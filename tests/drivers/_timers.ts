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
