import type { IntakeStatus } from './protocol'

/** More are forgotten, the longest silent first: a flood of forged addresses takes no memory. */
const most = 64
const shown = 10

/** Senders that are no device, with how much they sent. */
export function strangersBook() {
  const book = new Map<string, { lines: number; at: number }>()
  return {
    note(address: string, at: number): void {
      const before = book.get(address)
      book.delete(address)
      book.set(address, { lines: (before?.lines ?? 0) + 1, at })
      if (book.size > most) book.delete(book.keys().next().value as string)
    },
    forget: (address: string) => void book.delete(address),
    list: (): IntakeStatus['strangers'] =>
      [...book]
        .slice(-shown)
        .toReversed()
        .map(([address, one]) => ({ address, ...one })),
  }
}
