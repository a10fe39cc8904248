/** A sender repeats an inform that nobody answers for about so long. */
const repeatMs = 60_000
/** More are forgotten, the oldest first: its repetition is kept as a line of its own. */
const most = 4096

/** Informs by what tells one from the other: each is kept once, and answered each time it comes once it is kept. */
export function informBook() {
  const book = new Map<string, { at: number; kept: boolean; answer(): void }>()
  return {
    /** What to call once it is kept; undefined where this one is a repetition. */
    note(key: string, at: number, answer: () => void): (() => void) | undefined {
      const held = book.get(key)
      if (held && at - held.at < repeatMs) {
        if (held.kept) answer()
        else held.answer = answer
        return undefined
      }
      const entry = { at, kept: false, answer }
      book.delete(key)
      book.set(key, entry)
      if (book.size > most) book.delete(book.keys().next().value as string)
      return () => {
        entry.kept = true
        entry.answer()
      }
    },
  }
}
