import { desc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { sessions } from '@/db/schema'
import { agentWords } from '@/model/agent-words'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'
import { id } from '@/server/kernel/shapes'
import { findAccessible, homeNetwork } from '@/server/people/access/access'
import { activateNetwork, endOtherSessions, endSession, timeoutOf } from '@/server/people/accounts/sessions'
import { ownAccount } from './attempts'
import { changing, reading } from './call-terms'
import { appearance, language } from './calls'
import { yearSeconds } from './sign-in-calls'

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
  ...reading,
  path: 'sessions/list',
  input: z.strictObject(listInput),
  run({ runtime, actor, now }, input) {
    const rows = openOnes(runtime, ownAccount({ runtime, actor }), now)
    const told = rows.map(row => ({
      id: idOf(row),
      address: row.address,
      ...agentWords(row.agent),
      since: row.createdAt,
      seen: row.seenAt,
      current: row.id === actor.session,
    }))
    return listed(
      told.toSorted((a, b) => Number(b.current) - Number(a.current)),
      input,
      {
        text: one => [one.address, one.browser, one.system],
        sort: {
          browser: one => one.browser,
          address: one => one.address,
          since: one => one.since,
          seen: one => one.seen,
        },
      },
    )
  },
})

const end = call({
  ...changing,
  path: 'sessions/end',
  topics: ['sessions'],
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
  ...changing,
  path: 'sessions/end-others',
  topics: ['sessions'],
  input: z.strictObject({}),
  run({ runtime, actor, log }) {
    log({ action: 'endSessions', object: 'account', name: actor.account })
    endOtherSessions(runtime, actor, actor.session)
    return {}
  },
})

const set = call({
  ...changing,
  path: 'session/set',
  topics: ['networks', 'sessions'],
  changelog: 'own',
  input: z
    .strictObject({ networkId: id.optional(), lang: language.optional(), appearance: appearance.optional() })
    .refine(given => Object.keys(given).length > 0, { path: ['networkId'], message: 'required' }),
  /** What this browser shows from now on, whatever the account says: network, language, appearance. The account stays. */
  run({ runtime, actor, setCookie }, { networkId, lang, appearance: shown }) {
    if (networkId !== undefined)
      activateNetwork(runtime, actor.session, findAccessible(runtime.db, actor, networkId).id)
    if (lang !== undefined) setCookie('locale', lang, { maxAgeSeconds: yearSeconds })
    if (shown !== undefined) setCookie('theme', String(shown), { maxAgeSeconds: yearSeconds })
    return {}
  },
})

const clear = call({
  ...changing,
  path: 'session/clear',
  topics: ['networks', 'sessions'],
  changelog: 'own',
  input: z.strictObject({}),
  /** This browser shows what the account says again, and the network that one lands in. */
  run(context) {
    const { runtime, actor, setCookie, clearCookie } = context
    const { locale, appearance: own } = ownAccount(context)
    const home = homeNetwork(runtime.db, actor)
    if (home) activateNetwork(runtime, actor.session, home.id)
    if (locale) setCookie('locale', locale, { maxAgeSeconds: yearSeconds })
    else clearCookie('locale')
    setCookie('theme', String(own), { maxAgeSeconds: yearSeconds })
    return { networkId: home?.id ?? null }
  },
})

export const sessionCalls = [list, end, endOthers, set, clear] as const
