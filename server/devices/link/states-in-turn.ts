import { isStorageFull } from '@/server/kernel/reserve'
import type { StateChange } from '@/server/worker/protocol'

/** What was told at once, while nothing can be written; of more the oldest is lost. */
const most = 2000

/**
 * Writes what the worker tells, in its order. While the disk takes nothing it waits and is tried again: nobody else would
 * catch what a message's listener throws, and the manager would end by it.
 */
export function statesInTurn(write: (changes: StateChange[]) => void, retryMs = 10_000) {
  const waiting: StateChange[][] = []
  let timer: NodeJS.Timeout | undefined
  /** True: it is done, or can never be. */
  const wrote = (changes: StateChange[]): boolean => {
    try {
      write(changes)
      return true
    } catch (error) {
      console.error('devices: their states could not be written:', error)
      return !isStorageFull(error)
    }
  }
  const flush = () => {
    timer = undefined
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (!wrote(next)) {
        timer = setTimeout(flush, retryMs)
        return
      }
      waiting.shift()
    }
  }
  return {
    take(changes: StateChange[]): void {
      waiting.push(changes)
      if (waiting.length > most) waiting.shift()
      if (!timer) flush()
    },
    stop: () => clearTimeout(timer),
  }
}
