import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { jobs } from '@/db/schema'
import type { BusEvent } from './bus'
import { part } from './part'
import type { Runtime } from './runtime'

// Long work that outlives its request (an adoption, a push, a sweep): a page starts it, asks how far it is, and may cancel
// it. How it stands is in the table `jobs`, where the next start finds what a killed manager left behind.

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
  topic: BusEvent['topic']
  /** `memory`: nobody asks for it after a restart. */
  kept: 'table' | 'memory'
}
type New<P> = Pick<TaskRecord<P>, 'network' | 'progress'> & { organization?: number }

/** By their ids. */
const running = part('tasks', () => new Map<string, { type: string; task: TaskRecord<unknown> }>())

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
    signal: AbortSignal.any([cancelled.signal, runtime.stopping.signal]),
    save() {
      // Work that ends after the database is closed counts as cut off.
      if (kind.kept === 'memory' || !runtime.sqlite.open) return
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
    run: work => run(runtime, kind, task, work).catch(error => console.error(`${kind.type} ${id}:`, error)),
  }
  return task
}

const recordOf = <P>({ id, organization, network, state, createdAt, endedAt, progress }: JobRow): TaskRecord<P> => ({
  ...{ id, organization, network, state, createdAt, endedAt },
  progress: JSON.parse(progress) as P,
})

/** Names a kind of long work whose progress is a `P`. */
export function taskKind<P>(kind: Kind) {
  const { type, kept } = kind
  return {
    /** Writes new work down, in the caller's transaction; `run` does it afterwards. */
    add(runtime: Runtime, { organization = 0, network, progress }: New<P>): Task<P> {
      const own = { id: randomUUID(), organization, network, state: 'running', createdAt: Date.now() } as const
      const row = { ...own, type, progress: JSON.stringify(progress) }
      if (kept === 'table') runtime.db.insert(jobs).values(row).run()
      return open(runtime, kind, { ...own, endedAt: null, progress })
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
