import type { Driver } from '@/server/drivers/driver'
import type { NewsBox } from './news-box'
import type { Poller } from './poller'
import type { CallName, DriverId, ProgressOf, StateChange, WorkerApi, WorkerData } from './protocol'
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

type Returned<K extends CallName> = ReturnType<WorkerApi[K]>

/** The calls, each as a function of its input and of how its progress is told. */
export type BoundCalls = {
  [K in CallName]: (
    input: Parameters<WorkerApi[K]>[0],
    progress: (value: ProgressOf<K>) => Promise<void>,
  ) => Returned<K> | Promise<Returned<K>>
}

/** Some of the calls, not bound to a worker yet. */
export type CallTable<K extends CallName> = {
  [N in K]: (worker: WorkerState, ...given: Parameters<BoundCalls[N]>) => ReturnType<BoundCalls[N]>
}
