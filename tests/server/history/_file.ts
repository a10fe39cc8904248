import { type HistoryFile, openHistoryFile } from '@/server/history/file'
import { emptySums, encodeSums, type Sums } from '@/server/history/sums'

/** A real history file, in memory. */
export const memoryFile = (): HistoryFile => openHistoryFile(':memory:', () => undefined)

/** A row's bytes: polls, and octets in over that many seconds. */
export const row = (parts: Partial<Sums>): Buffer => encodeSums({ ...emptySums(), ...parts })
