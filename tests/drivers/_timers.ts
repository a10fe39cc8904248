// Timers that stand still while sockets go on: a wait for an answer ends when a test knows that none comes.

/** Until `jest.useRealTimers`. Clocks go on. */
export const stopTimers = (): void => {
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  })
}

/** Ends the wait at hand, after what is on its way here has arrived. */
export const waitIsOver = (): void => {
  setImmediate(() => setImmediate(() => jest.runOnlyPendingTimers()))
}
