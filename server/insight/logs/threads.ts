import { Worker } from 'node:worker_threads'
import type { RuleNews, ToldRule } from '@/server/worker/intake/log-rules'
import type {
  CapturedLines,
  FromIntake,
  FromReader,
  IntakeSettings,
  IntakeStatus,
  ReaderQuestion,
  Senders,
  ToIntake,
  ToReader,
  TrapLogins,
} from '@/server/worker/intake/protocol'
import type { RecordPage, RecordQuery } from '@/server/worker/intake/record-search'
import type { RecordCounts, Recording } from '@/server/worker/intake/records'
import type { LogPage, LogQuery, RuleMatches, RuleQuery } from '@/server/worker/intake/search'
import type { SiteCount, SiteQuery } from '@/server/worker/intake/site-counts'

// The threads of logs as the main thread holds them: one receives and writes, one searches.

export type IntakeHold = {
  tell(
    message:
      | { settings: IntakeSettings }
      | { senders: Senders }
      | { trapLogins: TrapLogins }
      | { rules: ToldRule[] }
      | { recording: Recording },
  ): void
  /** Resolves once all that has come is written. */
  stop(): Promise<void>
}
export type IntakeEvents = {
  onStatus(status: IntakeStatus): void
  onNews(networks: number[]): void
  onLook(device: number): void
  onRule(news: RuleNews): void
  onCaptured(counts: CapturedLines): void
  onRecords(counts: RecordCounts[]): void
  onRecorded(networks: number[]): void
  onEnd(): void
}
export type ReaderHold = {
  find(query: LogQuery): Promise<LogPage>
  matches(query: RuleQuery): Promise<RuleMatches>
  records(query: RecordQuery): Promise<RecordPage>
  sites(query: SiteQuery): Promise<SiteCount[]>
  close(): void
}
/** How both are started; `folder` is where lines lie. */
export type LogThreads = {
  intake(folder: string, events: IntakeEvents): IntakeHold
  reader(folder: string, onEnd: () => void): ReaderHold
}

/** MB of heap: lines that wait are bounded by the threads themselves. */
const resourceLimits = { maxOldGenerationSizeMb: 256 }

/** Hands on what the thread says; false: it has stopped. */
function heard(message: FromIntake, events: IntakeEvents): boolean {
  if ('status' in message) events.onStatus(message.status)
  else if ('news' in message) events.onNews(message.news)
  else if ('look' in message) events.onLook(message.look)
  else if ('rule' in message) events.onRule(message.rule)
  else if ('captured' in message) events.onCaptured(message.captured)
  else if ('records' in message) events.onRecords(message.records)
  else if ('recorded' in message) events.onRecorded(message.recorded)
  else return false
  return true
}

function intake(folder: string, events: IntakeEvents): IntakeHold {
  const worker = new Worker(new URL('../../worker/intake/intake-thread.ts', import.meta.url), {
    workerData: { folder },
    resourceLimits,
  })
  const ended = new Promise<void>(done => {
    worker.on('message', (message: FromIntake) => {
      if (!heard(message, events)) done()
    })
    worker.once('exit', () => {
      done()
      events.onEnd()
    })
  })
  worker.on('error', error => console.error('logs: the reception ended:', error))
  const tell = (message: ToIntake) => worker.postMessage(message)
  return {
    tell,
    stop() {
      tell({ stop: true })
      return ended
    },
  }
}

function reader(folder: string, onEnd: () => void): ReaderHold {
  const worker = new Worker(new URL('../../worker/intake/reader-thread.ts', import.meta.url), {
    workerData: { folder },
    resourceLimits,
  })
  type Answer = Exclude<FromReader, { error: string }>
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let last = 0
  worker.on('message', (message: FromReader) => {
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if ('error' in message) asked?.reject(new Error(message.error))
    else asked?.resolve(message)
  })
  const ask = (question: ReaderQuestion) =>
    new Promise<Answer>((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, ...question } satisfies ToReader)
    })
  worker.on('error', error => console.error('logs: the search ended:', error))
  worker.once('exit', () => {
    for (const one of waiting.values()) one.reject(new Error('the search ended'))
    waiting.clear()
    onEnd()
  })
  return {
    async find(query) {
      const answer = await ask({ query })
      return 'page' in answer ? answer.page : { lines: [] }
    },
    async matches(rule) {
      const answer = await ask({ rule })
      if (!('matches' in answer)) throw new Error('the search ended')
      return answer.matches
    },
    async records(records) {
      const answer = await ask({ records })
      if (!('records' in answer)) throw new Error('the search ended')
      return answer.records
    },
    async sites(sites) {
      const answer = await ask({ sites })
      if (!('sites' in answer)) throw new Error('the search ended')
      return answer.sites
    },
    close: () => void worker.terminate(),
  }
}

export const logThreads: LogThreads = { intake, reader }
