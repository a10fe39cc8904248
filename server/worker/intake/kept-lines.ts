import type { Line, Store } from './store'

/** Written at once when so many wait. */
const linesAtOnce = 4000
/** While nothing can be written, so much waits in memory; then TCP is held and UDP is dropped, and counted. */
const mostLines = 20_000
const mostBytes = 16 * 1024 * 1024

/** Lines that came and are not written yet. */
function waitingLines() {
  let lines: Line[] = []
  let bytes = 0
  return {
    get length() {
      return lines.length
    },
    isFull: () => lines.length >= mostLines || bytes >= mostBytes,
    add(line: Line) {
      lines.push(line)
      bytes += line.text.length * 2 + 200
    },
    /** Gives them to `write`, which takes out what it has done. Returns how many these were. */
    flush(write: (lines: Line[]) => void): number {
      const before = lines.length
      try {
        write(lines)
        bytes = 0
        lines = []
        return before
      } catch (error) {
        bytes = lines.reduce((sum, line) => sum + line.text.length * 2 + 200, 0)
        throw error
      }
    },
  }
}

export type KeptLines = {
  keep(line: Line): void
  /** Nothing more fits. */
  isFull(): boolean
  /** Writes what waits, where that is possible. */
  write(): void
  /** Lines that are in the files. */
  count(): number
  /** Why lines cannot be written now. */
  error(): string | undefined
  /** Networks of lines that can be found since the last time this was asked. */
  news(): number[]
}

/** What came, until it is in the files. `onFull` is told after each change whether more fits. */
export function keptLines(store: Pick<Store<Line>, 'write'>, onFull: (full: boolean) => void): KeptLines {
  const waiting = waitingLines()
  const fresh = new Set<number>()
  let kept = 0
  let failure: string | undefined
  const write = () => {
    if (!waiting.length) return
    try {
      kept += waiting.flush(store.write)
      failure = undefined
    } catch (error) {
      const reason = (error as { code?: string }).code ?? String(error)
      if (failure !== reason) console.error('logs: lines cannot be written:', error)
      failure = reason
    }
    onFull(waiting.isFull())
  }
  return {
    keep(line) {
      waiting.add(line)
      fresh.add(line.network)
      if (waiting.length >= linesAtOnce && failure === undefined) write()
      else if (waiting.isFull()) onFull(true)
    },
    isFull: waiting.isFull,
    write,
    count: () => kept,
    error: () => failure,
    news() {
      if (failure !== undefined) return []
      const networks = [...fresh]
      fresh.clear()
      return networks
    },
  }
}
