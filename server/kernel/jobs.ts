import cron from 'node-cron'
import { skippedTimes } from './skipped-times'

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

const lookMs = 3_600_000

/** Runs at the times of a cron expression, and as long after the shift at those that the clocks skip. */
function timed(every: string, timezone: string | undefined, run: () => void) {
  const task = cron.schedule(every, run, { timezone })
  const skipped = skippedTimes(every, timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  let timer: NodeJS.Timeout
  const watch = (from: number) => {
    const at = skipped.next(from, from + lookMs)
    const until = at ?? from + lookMs
    timer = setTimeout(() => {
      if (at !== undefined) run()
      watch(until)
    }, until - Date.now()).unref()
  }
  watch(Date.now())
  return {
    next() {
      const planned = task.getNextRun()?.getTime()
      return planned && (skipped.next(Date.now(), planned) ?? planned)
    },
    stop() {
      clearTimeout(timer)
      skipped.stop()
      void task.stop()
    },
  }
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
        active.set(spec.id, { state, ...timed(spec.every, spec.timezone, () => void runOnce(spec, state)) })
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
