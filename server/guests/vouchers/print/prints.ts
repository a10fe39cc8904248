import { Worker } from 'node:worker_threads'
import { fail } from '@/server/kernel/fail'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { type TaskRecord, taskKind } from '@/server/kernel/task'
import type { Printed, PrintJob } from './draw'
import type { PrintNews } from './thread'

/** How far a print is. `missing`: characters that no font has. */
export type PrintProgress = { group: number; done: number; total: number; missing: string[] }
const prints = taskKind<PrintProgress>({ type: 'voucherPrint', topic: 'vouchers' })

/** What the manager's end cut off is printed anew by whoever wants it. */
export const startVoucherPrints = (runtime: Runtime): void => prints.takeUp(runtime)

export type Draw = (job: PrintJob, onDone: (count: number) => void, stop: AbortSignal) => Promise<Printed>

/** In a thread of its own; a cancelled one ends with it. */
const inThread: Draw = (job, onDone, stop) =>
  new Promise((done, failed) => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: job })
    const end = () => void thread.terminate()
    stop.addEventListener('abort', end, { once: true })
    thread.on('message', (news: PrintNews) => {
      if ('done' in news) onDone(news.done)
      else done({ pdf: Buffer.from(news.pdf), missing: news.missing })
    })
    thread.once('error', failed)
    thread.once('exit', status => {
      stop.removeEventListener('abort', end)
      failed(new Error(`printing ended with ${status}`))
    })
  })
/** Files with codes in clear, in memory alone, and few of them. */
const files = part('voucherPrints', () => new Map<string, Buffer>())
const filesKept = 8
const drawing = part<{ now: number; draw: Draw }>('voucherDrawing', () => ({ now: 0, draw: inThread }))
const together = 2
const tellMs = 250

/** Other than in a thread, which takes a build. */
export const drawWith = (runtime: Runtime, draw: Draw): void => drawing.start(runtime, { now: 0, draw })

type Place = { organization: number; network: number; group: number }

/** Prints in the background; resolves at once to the job's id. Refuses by `fail`: busy. */
export function print(runtime: Runtime, { organization, network, group }: Place, job: PrintJob): string {
  const state = drawing.of(runtime)
  if (state.now >= together) fail('busy')
  const progress = { group, done: 0, total: job.vouchers.length, missing: [] }
  const task = prints.add(runtime, { organization, network, progress })
  let toldAt = 0
  const note = (done: number) => {
    task.progress.done = done
    if (Date.now() - toldAt < tellMs) return
    toldAt = Date.now()
    task.tell()
  }
  state.now += 1
  void task
    .run(async () => {
      const { pdf, missing } = await state.draw(job, note, task.signal)
      task.progress.missing = missing
      const kept = files.of(runtime)
      kept.set(task.id, pdf)
      for (const old of [...kept.keys()].slice(0, -filesKept)) kept.delete(old)
    })
    .finally(() => {
      state.now -= 1
    })
  return task.id
}

/** A print of this network. Refuses by `fail`: jobNotFound. */
export function findPrint(runtime: Runtime, network: number, id: string): TaskRecord<PrintProgress> {
  const found = prints.find(runtime, id)
  return found?.network === network ? found : fail('jobNotFound')
}

export const fileOf = (runtime: Runtime, id: string): Buffer => files.of(runtime).get(id) ?? fail('jobNotFound')
