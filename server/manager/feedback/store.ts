import { readFileSync } from 'node:fs'
import { and, desc, eq } from 'drizzle-orm'
import { feedback, files } from '@/db/schema'
import { attachmentBytes } from '@/model/feedback'
import { limits } from '@/model/limits'
import {
  dropFiles,
  dropFilesBefore,
  type FileKind,
  filesOf,
  giveFile,
  pathIfWhole,
  putFile,
} from '@/server/kernel/files/store'
import type { Runtime } from '@/server/kernel/runtime'
import { removeFormer } from './former-folder'

// Feedback that waits, and attachments that were sent ahead of theirs.

/** What an account sent ahead: the newest. */
const staged: FileKind = { name: 'feedbackStaged', bytes: attachmentBytes, each: 1, all: 200, replaces: true }
export const attachments: FileKind = { name: 'feedback', bytes: attachmentBytes, each: 1, all: limits.feedbackKept }

export type Attachment = { name: string; type: string; size: number }
export type Feedback = typeof feedback.$inferSelect & { attachment?: Attachment | undefined }

/** Keeps an attachment until its feedback is sent: one for each account, the newest. Undefined where there is no room. */
export async function stage(runtime: Runtime, account: number, file: Omit<Attachment, 'size'>, bytes: Uint8Array) {
  const made = await putFile(runtime, staged, { ...file, owner: String(account) }, [bytes])
  return 'problem' in made ? undefined : { id: made.id, name: made.name, size: made.bytes }
}

export const unstage = ({ db }: Runtime, account: number): void => dropFiles(db, staged, String(account))

/** The attachment that this account sent ahead under this id, if it is there still. */
export function stagedOf({ db }: Runtime, account: number, id: string): Attachment | undefined {
  const [found] = filesOf(db, staged, String(account))
  return found?.id === id ? { name: found.name, type: found.type, size: found.bytes } : undefined
}

/** Attachments whose feedback never came. */
export const dropStaged = ({ db }: Runtime, before: number): void => dropFilesBefore(db, staged, before)

/** Writes feedback down, with the attachment that its account staged. */
export function keep({ db }: Runtime, account: number, { attachment, ...row }: Feedback): void {
  db.transaction(tx => {
    tx.insert(feedback).values(row).run()
    const [file] = attachment ? filesOf(tx, staged, String(account)) : []
    if (file) giveFile(tx, file.id, attachments, row.id)
  })
}

/** Why the last try failed; nothing of what somebody deleted meanwhile. */
export const noteError = ({ db }: Runtime, id: string, error: string): void =>
  void db.update(feedback).set({ error }).where(eq(feedback.id, id)).run()

/** What is kept, the newest first. */
export const kept = ({ db }: Runtime): Feedback[] =>
  db
    .select({ row: feedback, attachment: { name: files.name, type: files.type, size: files.bytes } })
    .from(feedback)
    .leftJoin(files, and(eq(files.kind, attachments.name), eq(files.owner, feedback.id)))
    .orderBy(desc(feedback.at))
    .all()
    .map(({ row, attachment }) => ({ ...row, ...(attachment && { attachment }) }))

export function attached(runtime: Runtime, { id }: Feedback): Buffer | undefined {
  const [file] = filesOf(runtime.db, attachments, id)
  const path = file && pathIfWhole(runtime, file)
  return path ? readFileSync(/* turbopackIgnore: true */ path) : undefined
}

export function drop(runtime: Runtime, id: string): void {
  // Before its row: what still lies there is taken for what waits.
  removeFormer(runtime, id)
  runtime.db.transaction(tx => {
    dropFiles(tx, attachments, id)
    tx.delete(feedback).where(eq(feedback.id, id)).run()
  })
}
