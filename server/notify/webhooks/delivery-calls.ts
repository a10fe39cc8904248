import { desc, eq, getTableColumns } from 'drizzle-orm'
import * as z from 'zod'
import { webhookDeliveries as deliveries } from '@/db/schema'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { type Context, oneOf, ownHooks, visibleHooks } from './found'
import { type About, type Hook, maySee } from './hooks'
import { type DeliveryRow, sendAgain, wakeHooks } from './queue'

const own = { tag: 'api', scope: 'organization', authority: 'organization_api' } as const
const id = z.int().positive()

/** Of somebody else's webhook only what one may see oneself. */
const isSeen = ({ runtime, actor }: Context, { topic, network }: Pick<DeliveryRow, 'topic' | 'network'>): boolean =>
  maySee(runtime.db, actor, { topic, network } as About)

/** Moments are unix ms; `triedAt` 0: not tried yet, `code` 0: no answer. `error`: key of webhooks.json reasons, or a system's word. */
const viewOf = ({ id, event, type, state, tries, createdAt, nextAt, triedAt, ms, code, error }: Listed) => ({
  ...{ id, event, type, state, tries, createdAt, nextAt, triedAt, ms, code, error },
})
type Listed = Omit<DeliveryRow, 'body' | 'answer' | 'webhook'>

const list = call({
  ...own,
  path: 'webhooks/deliveries/list',
  changes: false,
  input: z.strictObject({
    webhookId: id,
    ...listInput,
  }),
  /** Newest first, unless sorted. */
  run(context, { webhookId, ...input }) {
    const { hook, account } = oneOf(visibleHooks(context), webhookId)
    const { body: _body, answer: _answer, webhook: _webhook, ...columns } = getTableColumns(deliveries)
    const rows = context.runtime.db
      .select(columns)
      .from(deliveries)
      .where(eq(deliveries.webhook, hook.id))
      .orderBy(desc(deliveries.id))
      .all()
      .filter(row => isSeen(context, row))
    const { result, ...about } = listed(rows, input, {
      text: row => [row.type, row.event],
      sort: { what: row => row.type, state: row => row.state, at: row => row.id },
    })
    const mine = account.id === context.actor.id
    return { ...about, name: hook.name, mine, result: result.map(viewOf) }
  },
})

function find(context: Context, wanted: number, hooks: readonly Hook[]): DeliveryRow {
  const row = context.runtime.db.select().from(deliveries).where(eq(deliveries.id, wanted)).get()
  const isThere = row && hooks.some(({ hook }) => hook.id === row.webhook) && isSeen(context, row)
  return isThere ? row : fail('deliveryNotFound')
}

const get = call({
  ...own,
  path: 'webhooks/deliveries/get',
  changes: false,
  input: z.strictObject({ id }),
  /** With what was sent, and the first 2 kB of what came back. */
  run(context, input) {
    const row = find(context, input.id, visibleHooks(context))
    return { ...viewOf(row), body: row.body, answer: row.answer }
  },
})

const retry = call({
  ...own,
  path: 'webhooks/deliveries/retry',
  topics: ['webhooks'],
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id }),
  /** Now, as the same event, whether it arrived or was given up. */
  run(context, input) {
    const { runtime, actor, now } = context
    runtime.db.transaction(tx => {
      const row = find(context, input.id, ownHooks(context))
      if (row.state === 'sending') fail('deliveryWaiting')
      sendAgain(tx, row.id, now)
    })
    wakeHooks(runtime)
    runtime.bus.emit({ topic: 'webhooks', organization: actor.organization })
    return {}
  },
})

export const deliveryCalls = [list, get, retry] as const
