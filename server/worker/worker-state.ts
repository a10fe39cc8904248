import type { Driver } from '@/server/drivers/driver'
import type { NewsBox } from './news-box'
import type { Poller } from './poller'
import type { DriverId, StateChange, WorkerData } from './protocol'
import type { Sinks } from './record'
import type { Probes } from './sweep'

export type WorkerServiceOptions = WorkerData & {
  onStates(states: StateChange[]): void
  onTrouble(what: string): void
  drivers?: (id: DriverId) => Driver<unknown>
  probes: Probes
  pollMs?: number
}

/** All that the worker holds; every call of it works on this. */
export type WorkerState = Pick<Sinks, 'live' | 'history' | 'clients'> & {
  drivers(id: DriverId): Driver<unknown>
  probes: Probes
  onTrouble(what: string): void
  /** Milliseconds from poll to poll. */
  pollMs: number
  poller: Poller
  news: NewsBox
  /** Sweeps and identifications that run, by the caller's number of them. */
  stoppable: Map<string, AbortController>
  timers: NodeJS.Timeout[]
}

/** Tells the main thread how a call gets on; awaited where it matters that it was heard. */
export type Progress<P> = (value: P) => Promise<void>

/** Some of the worker's calls, not bound to a worker yet. Each rejects with a DeviceError's reason. */
export type CallTable = Record<string, (worker: WorkerState, input: never, progress: Progress<unknown>) => unknown>
