import { eq } from 'drizzle-orm'
import { documents } from '@/db/schema'
import type { Assign } from '@/model/assign'
import type { FieldError, FieldErrors } from '@/model/field-errors'
import type { Data } from '@/model/kind'
import type { KeptItem } from '@/server/devices/link/import-store'
import type { NativeBlock } from '@/server/drivers/driver'
import type { ImportProposal } from '@/server/drivers/unmanaged'
import type { Logging, NetworkContext } from '@/server/kernel/call'
import { fail, failFields, isRefusal } from '@/server/kernel/fail'
import { assignsOf } from '@/server/networks/settings/store'
import { adoptInto } from '../drift/drift'
import { fittedToImports } from '../plan/imported'
import { aboutDevice, compare, type DeviceRow, type Engine, type Plan } from '../plan/plan'

// What is imported of a part of which a document made by an earlier import decides the rest already: a LAN's pool, an
// option more. That document says nothing of it yet, and a push would put that on the device.

/** What a document has to say besides for the items to stay as they are. */
export type Later = { document: string; fields: Data; items: string[] }

/** `items`: what is being imported, with what is imported of the same already. */
export async function laterOf(
  engine: Engine,
  device: DeviceRow,
  plan: Plan,
  { items, proposals, now }: { items: readonly KeptItem[]; proposals: readonly ImportProposal[]; now: number },
): Promise<Later[]> {
  const earlier = new Set(plan.imported.flatMap(one => (one.document && !one.releasing ? [one.document] : [])))
  const decided = items.map(item => {
    const document = proposals.find(one => one.items.includes(item.id))?.document ?? item.document
    return { ...item, ...(document && { document }) }
  })
  const late = decided.filter(({ document }) => document !== undefined && earlier.has(document))
  if (late.length === 0) return []
  const { confirmSeconds, network } = plan
  const about = aboutDevice(engine.runtime, device, network)
  const imported = [...plan.imported.filter(one => !items.some(item => item.id === one.id)), ...decided]
  const input = { id: device.id, documents: plan.documents, confirmSeconds, ...about, imported }
  const { blocks, former } = await engine.transport.render(input)
  const ids = new Set(late.map(one => one.id))
  const own = (of: readonly NativeBlock[]) => ({ blocks: of.filter(one => ids.has(one.item ?? '')) })
  // What was imported before stays as it is planned: a change that waits, or one made on the device, is not imported with it.
  const seen = own(fittedToImports(plan.planned, former, { imported, at: now - 1 }).blocks)
  const changed = (await compare(engine, device, own(blocks), seen)).map(one => one.id)
  const asked = seen.blocks.filter(one => changed.includes(one.id))
  const told = asked.length > 0 ? await engine.transport.adopt({ ...input, seen: asked }) : []
  return told.flatMap(({ block, adopted }) => {
    const of = asked.find(one => one.id === block)?.item ?? ''
    return (adopted ?? []).map(({ document, fields }) => ({ document, fields, items: [of] }))
  })
}

/** What imports ask for, item by item. */
type Choices = readonly { id: string }[]

/** A refusal of the document, told at the thing that asked for it. */
export function atItem<T>(
  choices: Choices,
  proposal: Pick<ImportProposal, 'items'>,
  work: () => T,
  said = (found: FieldError) => found,
): T {
  try {
    return work()
  } catch (error) {
    const [first] = isRefusal(error) ? Object.values((error.data.fields ?? {}) as FieldErrors) : []
    const at = choices.findIndex(one => proposal.items.includes(one.id))
    if (first === undefined || at < 0) throw error
    return failFields({ [`items.${at}.id`]: said(first) })
  }
}

const isForAlone = ({ all, groups, devices }: Assign, device: number) =>
  !all && groups.length === 0 && devices.every(one => one === device)

/** Writes it into the document, where that reaches this device alone: others would be changed by it. */
export function writeLater(
  engine: Engine,
  context: NetworkContext & Logging,
  device: DeviceRow,
  { later, choices }: { later: readonly Later[]; choices: Choices },
): void {
  const { db } = context.runtime
  for (const document of new Set(later.map(one => one.document))) {
    const own = later.filter(one => one.document === document)
    const items = own.flatMap(one => one.items)
    const row = db.select().from(documents).where(eq(documents.id, document)).get()
    if (!row) continue
    if (!isForAlone(assignsOf(db, [document]).get(document) as Assign, device.id)) {
      const paths = items.map(id => `items.${choices.findIndex(one => one.id === id)}.id`)
      const at = <T>(value: T) => Object.fromEntries(paths.map(path => [path, value]))
      fail('invalidInput', { fields: at('importShared' as const), values: at({ other: row.name }) })
    }
    const fields = Object.assign({}, ...own.map(one => one.fields)) as Data
    const key = (found: FieldError) => (found === 'required' ? 'importWhole' : found)
    atItem(choices, { items }, () => adoptInto(engine, context, row, fields), key)
  }
}
