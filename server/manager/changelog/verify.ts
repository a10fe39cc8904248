import { asc, gt } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Db, Sqlite } from '@/db/client'
import * as schema from '@/db/schema'
import { macOf } from '@/server/kernel/changelog'
import type { Secrets } from '@/server/kernel/secrets'
import { headText } from './head'

export type LogProblem =
  /** Entries of these numbers are missing. */
  | { problem: 'missing'; from: number; to: number }
  /** This entry is not as it was written, or what was written before it was removed, changed or moved. */
  | { problem: 'changed'; id: number; at: number }
  /** An entry that is known to have been written is not there: the log was cut, rewritten, or an older backup restored. */
  | { problem: 'head'; head: string }

export type LogVerdict = {
  entries: number
  /** Its newest entry, `number:hmac`; '' of an empty log. */
  head: string
  problems: LogProblem[]
  /** When a backup was restored: heads written down in the time that was left behind are not in this log. */
  restores: number[]
}

type Row = typeof schema.changelog.$inferSelect

const batch = 1000
/** What is wrong is known by then. */
const mostProblems = 20

type Walk = LogVerdict & { before: Row | undefined; wanted: Set<string> }

function look(walk: Walk, secrets: Secrets, row: Row): void {
  const { before, problems } = walk
  const expected = (before?.id ?? 0) + 1
  if (row.id > expected) problems.push({ problem: 'missing', from: expected, to: row.id - 1 })
  else if (macOf(secrets, row, before?.mac ?? '') !== row.mac)
    problems.push({ problem: 'changed', id: row.id, at: row.at })
  walk.wanted.delete(headText(row))
  if (row.action === 'restore' && row.object === 'backup') walk.restores.push(row.at)
  walk.before = row
  walk.entries += 1
}

/** The highest number that SQLite ever gave an entry: who cuts the end of the log forgets it easily. */
function givenOut(sqlite: Sqlite): number {
  const row = sqlite.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'changelog'").get() as
    | { seq: number }
    | undefined
  return row?.seq ?? 0
}

/**
 * Reads the whole changelog and says what is wrong with it, at most twenty things. `heads`: newest entries as they were
 * written down elsewhere. Lets other work run between batches; what is appended meanwhile is read too.
 */
export async function verifyLog(sqlite: Sqlite, secrets: Secrets, heads: readonly string[] = []): Promise<LogVerdict> {
  const db: Db = drizzle(sqlite, { schema })
  const { changelog } = schema
  const wanted = new Set(heads)
  const highest = givenOut(sqlite)
  const walk: Walk = { entries: 0, head: '', problems: [], restores: [], before: undefined, wanted }
  for (;;) {
    const after = walk.before?.id ?? Number.MIN_SAFE_INTEGER
    const rows = db
      .select()
      .from(changelog)
      .where(gt(changelog.id, after))
      .orderBy(asc(changelog.id))
      .limit(batch)
      .all()
    for (const row of rows) look(walk, secrets, row)
    if (rows.length < batch) break
    await new Promise(done => setImmediate(done))
  }
  const last = walk.before?.id ?? 0
  if (highest > last) walk.problems.push({ problem: 'missing', from: last + 1, to: highest })
  for (const head of wanted) walk.problems.push({ problem: 'head', head })
  return {
    entries: walk.entries,
    head: walk.before ? headText(walk.before) : '',
    problems: walk.problems.slice(0, mostProblems),
    restores: walk.restores,
  }
}
