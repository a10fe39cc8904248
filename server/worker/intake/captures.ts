import type { CapturedLines, ToldCapture } from './protocol'
import type { Line } from './store'

/** Whether a line is one of those that somebody captures now. */
const isCaptured = ({ network, device, pri, at }: Line, one: ToldCapture): boolean =>
  network === one.network &&
  (one.device === undefined || one.device === device) &&
  // A line that tells no severity is left out only where all are not wanted.
  (one.severity === 7 || (pri !== undefined && (pri & 7) <= one.severity)) &&
  at < one.until

/** Which captures lines are kept for, counted. */
export function captureBook(captures: () => readonly ToldCapture[]) {
  let fresh = new Map<number, number>()
  return {
    /** Counts a line for those that it belongs to; whether there is one. */
    see(line: Line): boolean {
      const own = captures().filter(one => isCaptured(line, one))
      for (const { id } of own) fresh.set(id, (fresh.get(id) ?? 0) + 1)
      return own.length > 0
    },
    /** Counts since the last time this was asked. */
    news(): CapturedLines {
      const counts = [...fresh]
      fresh = new Map()
      return counts
    },
  }
}
