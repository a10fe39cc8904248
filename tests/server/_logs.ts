import type { LogThreads } from '@/server/insight/logs/threads'
import { createIntake } from '@/server/worker/intake/intake'
import { openRecordReader } from '@/server/worker/intake/record-search'
import { openReader } from '@/server/worker/intake/search'

/** The threads' own code in this one: TypeScript workers cannot start under jest. */
export const logsInProcess: LogThreads = {
  intake: (folder, { onEnd: _, ...events }) => createIntake({ folder, ...events }),
  reader(folder) {
    const reader = openReader(folder)
    const records = openRecordReader(folder)
    return {
      find: async query => reader.find(query),
      matches: async query => reader.matches(query),
      records: async query => records.find(query),
      sites: async query => records.sites(query),
      close() {
        reader.close()
        records.close()
      },
    }
  },
}
