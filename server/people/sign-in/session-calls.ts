import { desc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { sessions } from '@/db/schema'
import { agentWords } from '@/model/agent-words'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'
import { endOtherSessions, endSession, timeoutOf } from '@/server/people/accounts/sessions'
import { ownAccount } from './attempts'

const shown = 16
/** A session's name for its own person: the beginning of a digest, of no use to anybody else. */
const idOf = (row: { id: string }) => row.id.slice(0, shown)

/** An account's sessions that still stand, the one used last first. */
function openOnes(runtime: Runtime, account: { id: number; sessionTimeout: number | null }, now: number) {
  const since = now - timeoutOf(runtime, account) * 60_000
  const rows = runtime.db.select().from(sessions).where(eq(sessions.account, account.id)).orderBy(desc(sessions.seenAt))
  return rows.all().filter(row => row.seenAt >= since)
}

const list = call({
  path: 'sessions/list',
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: false,
  input: z.strictObject({ page: listInput.page, pageSize: listInput.pageSize }),
  run({ runtime, actor, now }, { page, pageSize }) {
    const rows = openOnes(runtime, ownAccount({ runtime, actor }), now)
    const told = rows.map(row => ({
      id: idOf(row),
      address: row.address,
      ...agentWords(row.agent),
      since: row.createdAt,
      seen: row.seenAt,
      current: row.id === actor.session,
    }))
    return paginate(
      told.toSorted((a, b) => Number(b.current) - Number(a.current)),
      page,
      pageSize,
    )
  },
})

const end = call({
  path: 'sessions/end',
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id: z.string().regex(/^[0-9a-f]{16}$/, 'invalidFormat') }),
  run({ runtime, actor, now, log }, { id }) {
    const account = ownAccount({ runtime, actor })
    const row = openOnes(runtime, account, now).find(one => idOf(one) === id && one.id !== actor.session)
    if (!row) return fail('sessionNotFound')
    log({ action: 'endSession', object: 'account', name: actor.account, fields: { address: [row.address, null] } })
    endSession(runtime, actor, row.id)
    return {}
  },
})

const endOthers = call({
  path: 'sessions/end-others',
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({}),
  run({ runtime, actor, log }) {
    log({ action: 'endSessions', object: 'account', name: actor.account })
    endOtherSessions(runtime, actor, actor.session)
    return {}
  },
})

export const sessionCalls = [list, end, endOthers] as const
