import cron from 'node-cron'

export type JobSpec<R> = {
  id: string
  /** Cron expression, or milliseconds. */
  every: string | number
  /** IANA name; a cron expression is of this zone, else of the process's. */
  timezone?: string
  run(runtime: R): Promise<void> | void
}
/** Times in unix ms; `next` only of jobs by a cron expression. */
export type JobState = { startedAt?: number; endedAt?: number; error?: string; running: boolean; next?: number }
export type Jobs<R> = {
  start(spec: JobSpec<R>): void
  stop(id: string): void
  stopAll(): void
  state(id: string): JobState | undefined
}

/** Repeated work of the manager, on what `runtime` gives when its time comes: never two runs of one job at once, its last result kept, its failures logged and survived. */
export function createJobs<R>(runtime: () => R): Jobs<R> {
  const active = new Map<string, { state: JobState; next?(): number | undefined; stop(): void }>()
  const runOnce = async (spec: JobSpec<R>, state: JobState) => {
    if (state.running) return
    Object.assign(state, { running: true, startedAt: Date.now(), error: undefined })
    try {
      await spec.run(runtime())
    } catch (error) {
      state.error = error instanceof Error ? error.message : String(error)
      console.error(`job ${spec.id}:`, error)
    } finally {
      state.running = false
      state.endedAt = Date.now()
    }
  }
  const stop = (id: string) => {
    active.get(id)?.stop()
    active.delete(id)
  }
  return {
    start(spec) {
      stop(spec.id)
      const state: JobState = { running: false }
      if (typeof spec.every === 'number') {
        const timer = setInterval(() => void runOnce(spec, state), spec.every)
        timer.unref()
        active.set(spec.id, { state, stop: () => clearInterval(timer) })
      } else {
        const task = cron.schedule(spec.every, () => void runOnce(spec, state), { timezone: spec.timezone })
        active.set(spec.id, { state, next: () => task.getNextRun()?.getTime(), stop: () => void task.stop() })
      }
    },
    stop,
    stopAll: () => [...active.keys()].forEach(stop),
    state(id) {
      const job = active.get(id)
      return job && { ...job.state, next: job.next?.() }
    },
  }
}
