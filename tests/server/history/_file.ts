import { type HistoryFile, openHistoryFile } from '@/server/history/file'
import type { Series } from '@/server/history/series'
import { emptySums, encodeSums, type Sums } from '@/server/history/sums'

/** A real history file, in memory. */
export const memoryFile = (): HistoryFile => openHistoryFile(':memory:', () => undefined)

export const device = (id: number): Series => ({ of: 'device', id })

/** A row's bytes: polls, and octets in over that many seconds. */
export const row = (parts: Partial<Sums>): Buffer => encodeSums({ ...emptySums(), ...parts })
