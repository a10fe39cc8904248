import type { StateChange } from './protocol'

/** What is told of devices and not sent yet, by device: several changes of one within a second are joined. */
export type NewsBox = { held: Map<number, StateChange>; send(states: StateChange[]): void }

export const newNewsBox = (send: NewsBox['send']): NewsBox => ({ held: new Map(), send })

/** Joins a change with what is held of its device: the newest word counts, of events all are kept, in order. */
export function keepNews({ held }: NewsBox, change: Partial<StateChange> & { id: number }): void {
  const before = held.get(change.id)
  const events = [...(before?.events ?? []), ...(change.events ?? [])]
  held.set(change.id, { at: Date.now(), status: 3, reason: '', ...before, ...change, events })
}

/** Sends what is held, in one piece. */
export function sendNews(box: NewsBox): void {
  if (!box.held.size) return
  const states = [...box.held.values()]
  box.held = new Map()
  box.send(states)
}
