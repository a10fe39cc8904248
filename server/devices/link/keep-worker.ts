import type { Runtime } from '@/server/kernel/runtime'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { type Patience, watch } from './watch'
import type { Link, Port } from './worker-client'

/** A worker as it is started here; `stack`: the functions it is in, innermost first. */
export type StartedWorker = Port & { terminate(): unknown; stack?(): Promise<string[]> }

/** Pause before a worker is started again; doubles while it goes on ending soon after its start. */
const restartMs = { first: 250, most: 10_000 }
const steadyMs = 120_000
/** Ends in a row without a steady run between, from which on nobody can say how devices are. */
const endsToUnknown = 3
/** So long without a worker it is the same. */
const awayMs = 5_000
const stopMs = 2000

/** A worker that is kept running: its questions, whether it answers, its ends, and the pause before the next. */
type Kept = {
  worker?: StartedWorker
  startedAt: number
  pauseMs: number
  /** Ends in a row without a steady run between. */
  ends: number
  stopping: boolean
  /** Why it is being ended. */
  cause?: Error
  unwatch(): void
  away?: NodeJS.Timeout
  restart?: NodeJS.Timeout
}

type Keeping = {
  runtime: Runtime
  link: Link
  patience: Patience
  /** Starts one, whose end is told. */
  spawn(onEnd: (failure?: Error) => void): StartedWorker
  /** Nobody can say how devices are. */
  onUnknown(): void
}

/** It computes without an end, so nothing of it is answered, and nothing ends it but from here. */
async function replace(kept: Kept, { link, patience: { everyMs, questions } }: Keeping): Promise<void> {
  const stuck = kept.worker
  const open = link.open()
  const stack = (await stuck?.stack?.()) ?? []
  if (kept.stopping || stuck !== kept.worker) return
  const seconds = Math.round((everyMs * questions) / 1000)
  const where = stack.length ? `it was in: ${stack.join(' < ')}` : 'what it was in cannot be seen'
  kept.cause = new Error(`it answered nothing for ${seconds} s; asked of it: ${open.join(', ')}; ${where}`)
  await stuck?.terminate()
}

/** A worker is started again also where nothing can be written down, as on a full disk. */
function noted(write: () => void): void {
  try {
    write()
  } catch (error) {
    console.error('device worker:', error)
  }
}

function start(kept: Kept, keeping: Keeping): void {
  const { link } = keeping
  kept.startedAt = Date.now()
  clearTimeout(kept.away)
  kept.worker = keeping.spawn(failure => ended(kept, keeping, failure))
  kept.unwatch = watch(
    () => link.ask('stats', undefined),
    () => void replace(kept, keeping),
    keeping.patience,
  )
}

function ended(kept: Kept, keeping: Keeping, failure?: Error): void {
  kept.unwatch()
  keeping.link.detach()
  if (kept.stopping) return
  const error = kept.cause ?? failure ?? new Error('it ended without an error')
  kept.cause = undefined
  console.error('the device worker ended and is started again:', error)
  const steady = Date.now() - kept.startedAt > steadyMs
  // One alert for a worker that ends again and again.
  if (steady || kept.pauseMs === restartMs.first)
    noted(() => raiseAlert(keeping.runtime, { type: 'workerRestarted', values: { error: error.message } }))
  if (steady) Object.assign(kept, { pauseMs: restartMs.first, ends: 0 })
  kept.ends += 1
  if (kept.ends >= endsToUnknown) noted(keeping.onUnknown)
  else kept.away = setTimeout(() => noted(keeping.onUnknown), awayMs).unref()
  kept.restart = setTimeout(() => start(kept, keeping), kept.pauseMs).unref()
  kept.pauseMs = Math.min(restartMs.most, kept.pauseMs * 2)
}

async function stop(kept: Kept, { link }: Keeping): Promise<void> {
  kept.stopping = true
  kept.unwatch()
  for (const timer of [kept.away, kept.restart]) clearTimeout(timer)
  const limit = new Promise(done => setTimeout(done, stopMs).unref())
  await Promise.race([link.ask('stop', undefined), limit]).catch(() => undefined)
  await kept.worker?.terminate()
}

/** Starts a worker over what `link` asks, and again whenever it ends or is stuck, until the runtime closes. */
export function keepWorker(keeping: Keeping): void {
  const kept: Kept = {
    startedAt: 0,
    pauseMs: restartMs.first,
    ends: 0,
    stopping: false,
    unwatch: () => undefined,
  }
  start(kept, keeping)
  keeping.runtime.closers.push(() => stop(kept, keeping))
}
