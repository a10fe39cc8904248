/** How often the worker is asked whether it hears, and how many questions in a row stay without an answer until it is stuck. */
export type Patience = { everyMs: number; questions: number }
export const patience: Patience = { everyMs: 5000, questions: 12 }

/**
 * Asks by the clock, one question at a time; calls `stuck` once when so many rounds went by without the answer. Rounds are
 * counted, not time: while the whole process stood still, nobody was asked. Returns what ends it.
 */
export function watch(ask: () => Promise<unknown>, stuck: () => void, { everyMs, questions }: Patience): () => void {
  let waits = 0
  let open = false
  const timer = setInterval(() => {
    waits = open ? waits + 1 : 0
    if (waits >= questions) {
      clearInterval(timer)
      return stuck()
    }
    if (open) return
    open = true
    const answered = () => {
      open = false
    }
    // A refusal is an answer, too.
    void ask().then(answered, answered)
  }, everyMs).unref()
  return () => clearInterval(timer)
}
