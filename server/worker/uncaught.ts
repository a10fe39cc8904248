/** More in a minute than stray callbacks throw: something of the worker itself is broken, and a new one is better. */
const most = 50
const withinMs = 60_000

/**
 * Keeps the thread going when a callback throws where nobody catches it, a socket's say: it belongs to one device's work,
 * which ends by its time limit, and all other devices are polled on. `end` is called where it does not stop.
 */
export function surviveCallbacks(
  thread: Pick<NodeJS.EventEmitter, 'on'>,
  { tell, end }: { tell(what: string): void; end(error: unknown): void },
  now: () => number = () => performance.now(),
): void {
  let times: number[] = []
  thread.on('uncaughtException', (error: unknown) => {
    times = [...times.filter(time => now() - time < withinMs), now()]
    tell(`uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    if (times.length >= most) end(error)
  })
}
