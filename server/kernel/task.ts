import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { jobs } from '@/db/schema'
import type { BusEvent } from './bus'
import { keepNewest } from './keep-newest'
import { part } from './part'
import type { Runtime } from './runtime'

// Long work that outlives its request (an adoption, a push, a sweep): a page starts it, asks how far it is, and may cancel
// it. How it stands is in the table `jobs`, where the next start finds what a killed manager left behind.

/** Of each type; what runs stays. Who asks for older work is told that it is unknown. */
const jobsKept = 500

type JobRow = typeof jobs.$inferSelect
export type TaskState = JobRow['state']

/** How work stands. Times in unix ms; `network`: whose devices it is about, null: none. */
export type TaskRecord<P> = {
  id: string
  organization: number
  network: number | null
  state: TaskState
  createdAt: number
  endedAt: number | null
  /** JSON, shape by type: the items and how each fares. */
  progress: P
}

export type Task<P> = TaskRecord<P> & {
  /** Cancelled, or the manager ends. */
  readonly signal: AbortSignal
  /** Writes its progress down. */
  save(): void
  /** Tells the pages that there is news. */
  tell(): void
  /** Its state is `cancelled` from now on; the work ends when it hears so by `signal`. */
  cancel(): void
  /**
   * Does the work after the caller's transaction. It ends as `done`, or as `failed` where the work throws, which is
   * logged; resolves then. Work that the manager's end cuts off stays `running` in the table.
   */
  run(work: () => Promise<void>): Promise<void>
}

type Kind = {
  /** In `jobs`. */
  type: string
  /** So many of each network, instead of so many of all. */
  keptOfNetwork?: number
  topic: BusEvent['topic']
}
type New<P> = Pick<TaskRecord<P>, 'network' | 'progress'> & { organization?: number }

/** By their ids. */
const running = part('tasks', () => new Map<string, { type: string; task: TaskRecord<unknown> }>())

/**
 * Work that is ended by the manager's end as well. The manager's signal lives as long as the manager: a signal joined to it
 * would be held by it for ever (AbortSignal.any), so each one's listener goes with the work.
 */
async function withEnd<P>(runtime: Runtime, controller: AbortController, work: () => Promise<P>): Promise<P> {
  const { signal: stopping } = runtime.stopping
  const end = () => controller.abort()
  if (stopping.aborted) end()
  stopping.addEventListener('abort', end)
  return work().finally(() => stopping.removeEventListener('abort', end))
}

async function run<P>(runtime: Runtime, { type }: Kind, task: Task<P>, work: () => Promise<void>): Promise<void> {
  /** The manager's end cuts work off, and does not cancel it. */
  const isCutOff = () => runtime.stopping.signal.aborted && task.state === 'running'
  running.of(runtime).set(task.id, { type, task })
  try {
    // After the caller's transaction, which is synchronous.
    await Promise.resolve().then(work)
    if (isCutOff()) return
    if (task.state === 'running') task.state = 'done'
  } catch (error) {
    if (isCutOff()) return
    if (task.state === 'running') task.state = 'failed'
    console.error(`${type} ${task.id}:`, error)
  } finally {
    running.of(runtime).delete(task.id)
  }
  task.endedAt = Date.now()
  task.save()
  task.tell()
}

function open<P>(runtime: Runtime, kind: Kind, record: TaskRecord<P>): Task<P> {
  const cancelled = new AbortController()
  const { id, organization, network } = record
  const task: Task<P> = {
    ...record,
    signal: cancelled.signal,
    save() {
      // Work that ends after the database is closed counts as cut off.
      if (!runtime.sqlite.open) return
      const { state, endedAt, progress } = task
      const row = { state, endedAt, progress: JSON.stringify(progress) }
      runtime.db.update(jobs).set(row).where(eq(jobs.id, id)).run()
    },
    tell() {
      const place = { organization: organization || undefined, network: network ?? undefined }
      runtime.bus.emit({ topic: kind.topic, id, ...place })
    },
    cancel() {
      if (task.state !== 'running') return
      task.state = 'cancelled'
      task.save()
      cancelled.abort()
    },
    run: work =>
      withEnd(runtime, cancelled, () => run(runtime, kind, task, work)).catch(error =>
        console.error(`${kind.type} ${id}:`, error),
      ),
  }
  return task
}

const recordOf = <P>({ id, organization, network, state, createdAt, endedAt, progress }: JobRow): TaskRecord<P> => ({
  ...{ id, organization, network, state, createdAt, endedAt },
  progress: JSON.parse(progress) as P,
})

/** Names a kind of long work whose progress is a `P`. */
export function taskKind<P>(kind: Kind) {
  const { type, keptOfNetwork } = kind
  return {
    /** Writes new work down, in the caller's transaction; `run` does it afterwards. */
    add(runtime: Runtime, { organization = 0, network, progress }: New<P>): Task<P> {
      const record = { id: randomUUID(), organization, network, state: 'running', createdAt: Date.now() } as const
      const row = { ...record, type, progress: JSON.stringify(progress) }
      runtime.db.insert(jobs).values(row).run()
      const own = network !== null && keptOfNetwork ? eq(jobs.network, network) : undefined
      keepNewest(runtime.db, jobs, and(eq(jobs.type, type), own), (own && keptOfNetwork) ?? jobsKept, {
        except: eq(jobs.state, 'running'),
      })
      return open(runtime, kind, { ...record, endedAt: null, progress })
    },

    /** How it stands, whosever it is; what the manager's end cut off and nobody took up is `failed`. */
    find(runtime: Runtime, id: string): TaskRecord<P> | undefined {
      const live = running.of(runtime).get(id)
      if (live?.type === type) return live.task as TaskRecord<P>
      const row = runtime.db
        .select()
        .from(jobs)
        .where(and(eq(jobs.id, id), eq(jobs.type, type)))
        .get()
      return row && { ...recordOf<P>(row), state: row.state === 'running' ? 'failed' : row.state }
    },

    /** The newest of a network that came to its end, also when that was before the manager started. */
    last(runtime: Runtime, network: number): TaskRecord<P> | undefined {
      const ended = and(eq(jobs.type, type), eq(jobs.network, network), inArray(jobs.state, ['done', 'cancelled']))
      const row = runtime.db.select().from(jobs).where(ended).orderBy(desc(jobs.createdAt)).limit(1).get()
      return row && recordOf<P>(row)
    },

    /** Those of a network, newest first; of those that run how they stand now. */
    all(runtime: Runtime, network: number): TaskRecord<P>[] {
      const own = and(eq(jobs.type, type), eq(jobs.network, network))
      const rows = runtime.db.select().from(jobs).where(own).orderBy(desc(jobs.createdAt), desc(sql`rowid`)).all()
      const live = running.of(runtime)
      return rows.map(row => (live.get(row.id)?.task as TaskRecord<P> | undefined) ?? recordOf<P>(row))
    },

    /** Of a network, those of these that came to their end, are forgotten. */
    drop(runtime: Runtime, network: number, ids: readonly string[]): void {
      const own = and(eq(jobs.type, type), eq(jobs.network, network), inArray(jobs.id, [...ids]))
      runtime.db
        .delete(jobs)
        .where(and(own, ne(jobs.state, 'running')))
        .run()
    },

    /** What came to its end in a network is forgotten, but for one. */
    forget(runtime: Runtime, network: number, except = ''): void {
      const own = and(eq(jobs.type, type), eq(jobs.network, network), ne(jobs.id, except))
      if (runtime.sqlite.open)
        runtime.db
          .delete(jobs)
          .where(and(own, ne(jobs.state, 'running')))
          .run()
    },

    /** What the manager's end cut off, at its start: goes on by `work`, from the progress that was written down; or failed. */
    takeUp(runtime: Runtime, work?: (task: Task<P>) => Promise<void>): void {
      const cutOff = and(eq(jobs.type, type), eq(jobs.state, 'running'))
      if (!work) {
        runtime.db.update(jobs).set({ state: 'failed', endedAt: Date.now() }).where(cutOff).run()
        return
      }
      for (const row of runtime.db.select().from(jobs).where(cutOff).all()) {
        const task = open(runtime, kind, recordOf<P>(row))
        void task.run(() => work(task))
      }
    },
  }
}
