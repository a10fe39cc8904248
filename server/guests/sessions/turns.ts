type Waiting<T> = { items: T[]; sent: Promise<void> }
/** Items of one key that are under way, and those that came meanwhile. */
export type Turns<T> = Map<string, { running: Promise<void>; next?: Waiting<T> }>

/**
 * Sends items by their key, one sending at a time: what comes meanwhile goes together, next, and shares its outcome. So
 * however many come at once wait for two sendings at most.
 */
export function inTurn<T>(
  turns: Turns<T>,
  key: string,
  items: readonly T[],
  send: (items: T[]) => Promise<void>,
): Promise<void> {
  const begin = (all: T[]): Promise<void> => {
    const turn: { running: Promise<void>; next?: Waiting<T> } = { running: send(all) }
    turns.set(key, turn)
    const done = () => {
      if (!turn.next) turns.delete(key)
    }
    turn.running.then(done, done)
    return turn.running
  }
  const held = turns.get(key)
  if (!held) return begin([...items])
  if (held.next) {
    held.next.items.push(...items)
    return held.next.sent
  }
  const all = [...items]
  const after = () => begin(all)
  held.next = { items: all, sent: held.running.then(after, after) }
  return held.next.sent
}
