import { and, asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { tags } from '@/db/schema'
import { call } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { id, tagName } from '@/server/kernel/shapes'
import { changing, reading } from '@/server/networks/sharing/call-terms'

const list = call({
  ...reading,
  path: 'networks/tags/list',
  input: z.strictObject(wholeListInput),
  run({ runtime: { db }, actor }, input) {
    const result = db
      .select({ tagId: tags.id, tagName: tags.name })
      .from(tags)
      .where(eq(tags.organization, actor.organization))
      .orderBy(asc(tags.name))
      .all()
    return listed(result, input, { text: ({ tagName }) => [tagName], sort: { tagName: one => one.tagName } })
  },
})

/** Rule N23: tag labels are unique. */
function checkTag(rows: { id: number; name: string }[], name: string, except?: number): void {
  if (rows.some(row => row.id !== except && row.name.toLowerCase() === name.toLowerCase()))
    failFields({ tagName: 'nameExists' }, 'tagExists')
}

const add = call({
  ...changing,
  path: 'networks/tags/add',
  topics: ['networks'],
  send: 'once',
  input: z.strictObject({ tagName }),
  run: ({ runtime: { db }, actor, log }, input) =>
    db.transaction(tx => {
      checkTag(tx.select().from(tags).where(eq(tags.organization, actor.organization)).all(), input.tagName)
      const made = tx
        .insert(tags)
        .values({ organization: actor.organization, name: input.tagName })
        .returning({ tagId: tags.id })
        .get()
      log({ action: 'add', object: 'tag', name: input.tagName })
      return { tagId: made.tagId }
    }),
})

const edit = call({
  ...changing,
  path: 'networks/tags/edit',
  topics: ['networks'],
  input: z.strictObject({ tagId: id, tagName }),
  run: ({ runtime: { db }, actor, log }, input) =>
    db.transaction(tx => {
      const rows = tx.select().from(tags).where(eq(tags.organization, actor.organization)).all()
      checkTag(rows, input.tagName, input.tagId)
      const before = rows.find(row => row.id === input.tagId) ?? fail('tagNotFound')
      tx.update(tags).set({ name: input.tagName }).where(eq(tags.id, before.id)).run()
      log({ action: 'edit', object: 'tag', name: input.tagName, fields: { name: [before.name, input.tagName] } })
      return {}
    }),
})

const remove = call({
  ...changing,
  path: 'networks/tags/delete',
  topics: ['networks'],
  send: 'once',
  input: z.strictObject({ tagId: id }),
  run: ({ runtime: { db }, actor, log }, input) =>
    db.transaction(tx => {
      const own = and(eq(tags.organization, actor.organization), eq(tags.id, input.tagId))
      const gone = tx.delete(tags).where(own).returning({ name: tags.name }).get() ?? fail('tagNotFound')
      log({ action: 'delete', object: 'tag', name: gone.name })
      return {}
    }),
})

export const tagCalls = [list, add, edit, remove] as const
