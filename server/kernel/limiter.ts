/** At most `width` pieces of work at a time, the rest in the order they came. */
export type Limiter = { run<T>(work: () => Promise<T>): Promise<T>; readonly waiting: number; readonly running: number }

export function limiter(width: number): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return {
    get waiting() {
      return waiting.length
    },
    get running() {
      return running
    },
    async run(work) {
      if (running >= width) await new Promise<void>(go => waiting.push(go))
      else running++
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
