import { readdirSync, rmSync } from 'node:fs'
import { natPairs } from './nat-pairs'
import { type RecordKind, recordFolder, recordKinds, recordTable, type TrafficRow } from './record-table'
import { dropSegment, segmentBytes, segmentsIn } from './segment'
import { type Line, openStore, type Store } from './store'
import { readConnection, readLookup } from './traffic-lines'

/** Of which networks what is kept, and for how many days; a network that is not named keeps nothing. */
export type Recording = Record<number, { kinds: RecordKind[]; days: number }>
/** Of a kind of a network. `kept`, `dropped`: since the manager's start; `error`: why nothing can be written now. */
export type RecordCounts = {
  network: number
  kind: RecordKind
  kept: number
  dropped: number
  bytes: number
  oldest?: number
  error?: string
}

/** While nothing can be written, so many wait, of all networks; what comes then is dropped, and counted. */
const mostWaiting = 20_000
const bytesOfMb = 1024 * 1024

type Held = {
  network: number
  kind: RecordKind
  store: Store<TrafficRow>
  rows: TrafficRow[]
  counts: { kept: number; dropped: number }
  error?: string
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(/* turbopackIgnore: true */ folder)
  } catch {
    return []
  }
}

/** Deletes what lies there of networks and kinds that keep nothing. */
function removeOthers(folder: string, isKept: (network: number, kind: RecordKind) => boolean): void {
  for (const name of namesIn(`${folder}/records`).filter(one => /^\d+$/.test(one)))
    for (const kind of recordKinds)
      if (!isKept(Number(name), kind))
        rmSync(/* turbopackIgnore: true */ recordFolder(folder, Number(name), kind), { recursive: true, force: true })
}

type Options = {
  folder: string
  /** That all records together may have. */
  megabytes: number
}

/** Keeps records of traffic, each kind of each network in a folder of its own, apart from lines. */
export function trafficRecords({ folder, megabytes }: Options) {
  let recording: Recording = {}
  const held = new Map<string, Held>()
  const fresh = new Set<number>()
  let waiting = 0
  const keyOf = (network: number, kind: RecordKind) => `${network}/${kind}`
  const isOn = (network: number, kind: RecordKind) => recording[network]?.kinds.includes(kind) ?? false

  const keep = (network: number, kind: RecordKind, row: TrafficRow) => {
    const one = held.get(keyOf(network, kind))
    if (!one) return
    if (waiting >= mostWaiting) {
      one.counts.dropped += 1
      return
    }
    waiting += 1
    one.rows.push(row)
  }
  const networks = new Map<number, number>()
  const pairs = natPairs((connection, device, at) => {
    const network = networks.get(device)
    if (network !== undefined) keep(network, 'nat', { at, device, ...connection })
  })
  const open = (network: number, kind: RecordKind): Held => {
    const own = recordFolder(folder, network, kind)
    const share = () => ({ days: recording[network]?.days ?? 1, megabytes: megabytes / Math.max(1, held.size) })
    const store = openStore(own, share, recordTable(own))
    return { network, kind, store, rows: [], counts: { kept: 0, dropped: 0 } }
  }
  const write = () => {
    for (const one of held.values()) {
      const before = one.rows.length
      if (before === 0) continue
      try {
        one.store.write(one.rows)
        delete one.error
        fresh.add(one.network)
      } catch (error) {
        const reason = (error as { code?: string }).code ?? String(error)
        if (one.error !== reason) console.error('logs: records cannot be written:', error)
        one.error = reason
      }
      one.counts.kept += before - one.rows.length
      waiting -= before - one.rows.length
    }
  }
  /** Of all that is kept the oldest goes first, whosever it is. */
  const bound = () => {
    const all = [...held.values()].flatMap(one =>
      segmentsIn(recordFolder(folder, one.network, one.kind)).map(segment => ({ one, segment })),
    )
    let bytes = all.reduce((sum, { segment }) => sum + segmentBytes(segment), 0)
    for (const { one, segment } of all.toSorted((a, b) => a.segment.start - b.segment.start)) {
      if (bytes <= megabytes * bytesOfMb) return
      bytes -= segmentBytes(segment)
      one.store.close()
      dropSegment(segment)
    }
  }
  const prune = (now: number) => {
    for (const { network, store } of held.values())
      store.prune({ days: recording[network]?.days ?? 1, megabytes: Number.POSITIVE_INFINITY }, now)
    bound()
  }
  return {
    /** From now on these are kept. What is there of any other is deleted. */
    know(told: Recording, now: number): void {
      recording = told
      for (const [key, one] of held) {
        if (isOn(one.network, one.kind)) continue
        waiting -= one.rows.length
        one.store.close()
        held.delete(key)
      }
      removeOthers(folder, isOn)
      for (const [id, { kinds }] of Object.entries(told))
        for (const kind of kinds) {
          const key = keyOf(Number(id), kind)
          if (!held.has(key)) held.set(key, open(Number(id), kind))
        }
      prune(now)
    },
    /** Whether this line of a known device is one of these, and no line for the log. */
    take({ network, device, at, tag, text }: Pick<Line, 'network' | 'device' | 'at' | 'tag' | 'text'>): boolean {
      const kinds = recording[network]?.kinds
      if (!kinds || device === 0) return false
      const lookup = kinds.includes('url') ? readLookup({ tag, text }) : undefined
      if (lookup) {
        if (lookup !== 'other') keep(network, 'url', { at, device, ...lookup })
        return true
      }
      const half = kinds.includes('nat') ? readConnection({ tag, text }) : undefined
      if (!half) return false
      networks.set(device, network)
      if (half !== 'other') pairs.see(half, device, at)
      return true
    },
    write(now: number): void {
      pairs.settle(now)
      write()
    },
    prune,
    /** Networks of records that can be found since the last time this was asked. */
    news(): number[] {
      const found = [...fresh]
      fresh.clear()
      return found
    },
    counts: (): RecordCounts[] =>
      [...held.values()].map(({ network, kind, counts, store, error }) => ({
        ...{ network, kind, ...counts },
        ...(error !== undefined && { error }),
        ...store.size(),
      })),
    close(): void {
      pairs.end()
      write()
      for (const { store } of held.values()) store.close()
    },
  }
}
