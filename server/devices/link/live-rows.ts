import { type LiveTable, liveRows } from '@/server/worker/live'

/** Rows of the live table, given out to devices by id and taken back. Throws where it has no more. */
export function createLiveRows(live: LiveTable) {
  const rows = new Map<number, number>()
  const free: number[] = []
  let next = 0
  return {
    of(id: number): number {
      const held = rows.get(id)
      if (held !== undefined) return held
      const row = free.pop() ?? next++
      if (row >= liveRows) throw new Error('more devices than the live table holds')
      rows.set(id, row)
      live.clear(row)
      return row
    },
    drop(id: number): void {
      const held = rows.get(id)
      if (held === undefined) return
      rows.delete(id)
      free.push(held)
    },
  }
}
