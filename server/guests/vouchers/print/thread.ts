import { parentPort, workerData } from 'node:worker_threads'
import { drawVouchers, type PrintJob } from './draw'

/** What the thread says: how many are drawn, then the file. */
export type PrintNews = { done: number } | { pdf: Uint8Array; missing: string[] }

// A voucher takes milliseconds of a processor: a thousand of them are drawn beside the process, not in it.
const tell = (news: PrintNews) => parentPort?.postMessage(news)
const { pdf, missing } = await drawVouchers(workerData as PrintJob, done => tell({ done }))
tell({ pdf, missing })
