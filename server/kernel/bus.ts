/**
 * What a page may hear: topics name calls' data that changed, never the data itself (each reader fetches with its own
 * rights). `networkMoved` (its `network` now belongs to another organization) is for the manager itself: no page hears of it. `sessions` says that some of an account (its id) ended; `signedOut` is a stream's last word to a browser whose own did.
 */
export type BusEvent = {
  topic:
    | 'devices'
    | 'device'
    | 'alerts'
    | 'push'
    | 'discovery'
    | 'backups'
    | 'networks'
    | 'networkMoved'
    | 'users'
    | 'settings'
    | 'mail'
    | 'webhooks'
    | 'sessions'
    | 'signedOut'
  id?: number | string
  organization?: number
  /** Only who enters it hears of it. */
  network?: number
}
export type Bus = { emit(event: BusEvent): void; on(listener: (event: BusEvent) => void): () => void }

export function createBus(): Bus {
  const listeners = new Set<(event: BusEvent) => void>()
  return {
    emit(event) {
      for (const listener of listeners) listener(event)
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
