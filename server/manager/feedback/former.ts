import { createReadStream } from 'node:fs'
import { eq } from 'drizzle-orm'
import { feedback } from '@/db/schema'
import { putFile } from '@/server/kernel/files/store'
import type { Runtime } from '@/server/kernel/runtime'
import { type FormerFeedback, readFormer } from './former-folder'
import { attachments } from './store'

async function take(runtime: Runtime, { attachment, path, ...row }: FormerFeedback): Promise<void> {
  const { db } = runtime
  if (db.select({ id: feedback.id }).from(feedback).where(eq(feedback.id, row.id)).get()) return
  if (!attachment || !path) {
    db.insert(feedback).values(row).run()
    return
  }
  const body = createReadStream(/* turbopackIgnore: true */ path)
  const file = await putFile(runtime, attachments, { ...attachment, owner: row.id }, body, tx => {
    tx.insert(feedback).values(row).run()
  })
  if ('problem' in file) throw new Error(file.problem)
}

/** Feedback that waited when the manager was upgraded is in the database, too, with its attachment. */
export async function takeFormerFeedback(runtime: Runtime): Promise<void> {
  // It stays where it is, and the next start tries again.
  for (const one of readFormer(runtime))
    await take(runtime, one).catch(error => console.error(`feedback: ${one.id} cannot be taken over:`, error))
}
