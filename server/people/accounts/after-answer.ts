import { randomInt } from 'node:crypto'
import type { Runtime } from '@/server/kernel/runtime'

/**
 * Does what follows from a question after its answer has gone, some time later: neither the answer nor how long it or the
 * next one takes says whether there was anything to do.
 */
export function afterAnswer(runtime: Runtime, work: () => void): void {
  const timer = setTimeout(
    () => {
      // The manager may have ended meanwhile.
      if (!runtime.sqlite.open) return
      try {
        work()
      } catch (error) {
        console.error('after an answer:', error)
      }
    },
    randomInt(50, 500),
  )
  timer.unref()
}
