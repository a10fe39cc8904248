import { and, eq } from 'drizzle-orm'
import { voucherTemplates } from '@/db/schema'
import { type Template, template } from '@/model/guests/voucher-template'
import type { NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'

export type TemplateRow = typeof voucherTemplates.$inferSelect
/** `revision`: what a change has to name. */
export type ListedTemplate = Template & { id: number; revision: number }

export function templateOf({ id, name, revision, data }: TemplateRow): ListedTemplate {
  return { ...template.parse({ ...(JSON.parse(data) as object), name }), id, revision }
}

/** Refuses by `fail`: voucherTemplateNotFound. */
export function findTemplate({ runtime: { db }, network }: NetworkContext, id: number): ListedTemplate {
  const own = and(eq(voucherTemplates.network, network.id), eq(voucherTemplates.id, id))
  const row = db.select().from(voucherTemplates).where(own).get()
  return row ? templateOf(row) : fail('voucherTemplateNotFound')
}
