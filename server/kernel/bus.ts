/**
 * What a page may hear: topics name calls' data that changed, never the data itself (each reader fetches with its own
 * rights). `networkMoved` (its `network` now belongs to another organization) and `networkGone` (it was deleted) are for the manager itself: no page hears of them. `vouchersChanged`: those with these `ids` are gone, renewed, or have other terms; for the manager, too. `sessions` says that some of an account (its id) ended; `signedOut` is a stream's last word to a browser whose own did.
 */
export type BusEvent = {
  topic:
    | 'devices'
    | 'device'
    | 'clients'
    | 'alerts'
    | 'push'
    | 'discovery'
    | 'backups'
    | 'networks'
    | 'networkMoved'
    | 'networkGone'
    | 'users'
    | 'settings'
    | 'mail'
    | 'webhooks'
    | 'sessions'
    | 'signedOut'
    | 'vouchers'
    | 'vouchersChanged'
    | 'guests'
    | 'topology'
    | 'logs'
    | 'records'
    | 'diagnoses'
    | 'speedTests'
  id?: number | string
  ids?: readonly number[]
  organization?: number
  /** Only who enters it hears of it. */
  network?: number
  /** Of `devices`: each one that changed has an event of its own beside, and the others are as they were. */
  each?: true
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
