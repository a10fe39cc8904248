import { eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import { limits } from '@/model/limits'
import { folderOf, logsPart } from '@/server/insight/logs/reception'
import { startOutbox } from '@/server/kernel/outbox'
import type { Runtime } from '@/server/kernel/runtime'
import { askOnce } from '@/server/notify/webhooks/send'
import { type Lookup, segmentsFor, systemLookup } from '@/server/notify/webhooks/targets'
import { type RecordKind, recordFolder } from '@/server/worker/intake/record-table'
import { numberAt } from '@/server/worker/intake/segment'
import { forgetSent, readSent, type Sent, writeSent } from './sent'
import { recordedKinds, type TrafficLogs } from './settings'
import { type ShownRecord, shownRecords } from './shown'

// Records are sent to a network's log server in the order in which they came, each at least once. What waits is not kept a
// second time: it lies among the records, and a file beside them says how far it was sent. What is deleted before it could
// be sent is counted by the gap that it leaves.

/** How it stands with one kind. Times in unix ms; `failed`: the last try, where it did not arrive. */
export type Sending = {
  sentAt?: number
  dropped: number
  failed?: { at: number; error: string; code: number }
}
export type LogServers = {
  /** Takes the settings as they are now. */
  know(logs: ReadonlyMap<number, TrafficLogs>): void
  /** Records of these networks have come. */
  wake(networks: readonly number[]): void
  /** undefined: nothing of it is sent. */
  status(network: number, kind: RecordKind): Sending | undefined
}

/** One kind of one network on its way to its server. */
type Lane = {
  key: string
  network: number
  kind: RecordKind
  url: string
  /** When there may be something to send; absent: nothing waits. */
  dueAt?: number
  failures: number
  failed?: NonNullable<Sending['failed']>
}

type Ways = { lookup: Lookup; retryMs: readonly number[]; limitMs: number }
const usual: Ways = {
  lookup: systemLookup,
  retryMs: [1000, 5000, 15_000, 60_000, 300_000],
  limitMs: limits.webhookSeconds * 1000,
}

const atOnce = 4

/** One line of JSON: without what is not known. */
const lineOf = (network: { id: number; name: string }, kind: RecordKind, { at, ...record }: ShownRecord): string =>
  `${JSON.stringify({ kind, time: new Date(at).toISOString(), network, ...record })}\n`

/** Lanes as the settings say; one whose server is the same goes on as it is. */
const lanesOf = (logs: ReadonlyMap<number, TrafficLogs>, before: ReadonlyMap<string, Lane>): Lane[] =>
  [...logs].flatMap(([network, own]) =>
    recordedKinds(own).flatMap(kind => {
      const key = `${network}/${kind}`
      const url = own.logServer
      const held = before.get(key)
      if (url === undefined) return []
      return held?.url === url ? [held] : [{ key, network, kind, url, dueAt: 0, failures: 0 }]
    }),
  )

export function startLogServers(runtime: Runtime, own: Partial<Ways> = {}): LogServers {
  const ways = { ...usual, ...own }
  let lanes: ReadonlyMap<string, Lane> = new Map()
  const folder = (network: number, kind: RecordKind) => recordFolder(folderOf(runtime), network, kind)
  /** What comes from now on is sent, and nothing of before. */
  const begun = (path: string): Sent => {
    const sent = readSent(path) ?? { id: numberAt(Date.now()), dropped: 0 }
    if (!readSent(path)) writeSent(path, sent)
    return sent
  }
  const send = async (lane: Lane, stop: AbortSignal): Promise<void> => {
    const { network: id, kind, url } = lane
    delete lane.dueAt
    const row = runtime.db.select().from(networks).where(eq(networks.id, id)).get()
    if (!row) return
    const path = folder(id, kind)
    const sent = begun(path)
    const limit = limits.trafficRecordsSent
    const { records } = await logsPart.of(runtime).records({ network: id, kind, after: sent.id, limit })
    const [first, last] = [records[0], records.at(-1)]
    if (!first || !last || stop.aborted) return
    const told = shownRecords(runtime, id, records)
    const body = told.map(one => lineOf({ id, name: row.name }, kind, one)).join('')
    const { lookup, limitMs, retryMs } = ways
    const { code, error } = await askOnce(
      () => ({ url: new URL(url), headers: { 'content-type': 'application/x-ndjson' }, body }),
      { allowed: segmentsFor(runtime, row.organization), lookup, limitMs, stop },
    )
    // The settings may be others meanwhile, or its records gone.
    if (stop.aborted || lanes.get(lane.key) !== lane) return
    const now = Date.now()
    if (error !== '') {
      lane.failed = { at: now, error, code }
      lane.dueAt = now + (retryMs[Math.min(lane.failures, retryMs.length - 1)] ?? 0)
      lane.failures += 1
    } else {
      delete lane.failed
      lane.failures = 0
      const missed = sent.seq === undefined ? 0 : Math.max(0, first.seq - sent.seq - 1)
      writeSent(path, { id: last.id, seq: last.seq, dropped: sent.dropped + missed, at: now })
      if (records.length === limit) lane.dueAt = now
    }
    runtime.bus.emit({ topic: 'records', network: id })
  }
  const outbox = startOutbox<Lane, string, void>(runtime, {
    ...{ name: 'log server', atOnce, keyOf: lane => lane.key, send },
    next(now, busy) {
      const waiting = [...lanes.values()].filter(lane => lane.dueAt !== undefined && !busy.includes(lane.key))
      const [next] = waiting.toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
      if (next?.dueAt === undefined) return undefined
      return next.dueAt <= now ? { due: next } : { at: next.dueAt }
    },
  })
  return {
    know(logs) {
      lanes = new Map(lanesOf(logs, lanes).map(lane => [lane.key, lane]))
      // A server that is named later is not sent what came meanwhile; one that cannot be read is, once it can.
      for (const [network, own] of logs)
        if (own.logServer === undefined && !own.damaged)
          for (const kind of recordedKinds(own)) forgetSent(folder(network, kind))
      outbox.wake()
    },
    wake(ids) {
      for (const lane of lanes.values())
        if (ids.includes(lane.network) && lane.failures === 0) lane.dueAt ??= Date.now()
      outbox.wake()
    },
    status(network, kind) {
      const lane = lanes.get(`${network}/${kind}`)
      if (!lane) return undefined
      const sent = readSent(folder(network, kind))
      return {
        dropped: sent?.dropped ?? 0,
        ...(sent?.at !== undefined && { sentAt: sent.at }),
        ...(lane.failed && { failed: lane.failed }),
      }
    },
  }
}
