import { randomBytes } from 'node:crypto'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { decode, encode } from 'next-auth/jwt'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { accounts, sessions } from '@/db/schema'
import type { Ids } from '@/server/kernel/belonging'
import type { Actor } from '@/server/kernel/call'
import { isStorageFull } from '@/server/kernel/reserve'
import type { Runtime } from '@/server/kernel/runtime'
import { sha256 } from '@/server/kernel/secrets'
import { actorOf } from './actor'
import { readSecurity } from './security'
import { mayEnter } from './whitelist'

export const sessionCookie = (secure: boolean) =>
  secure ? '__Secure-next-auth.session-token' : 'next-auth.session-token'

/** The cookie's life and the session's, however much it is used. */
const cookieSeconds = 30 * 86_400
const writeEveryMs = 60_000

export type OpenSession = {
  actor: Actor
  row: typeof sessions.$inferSelect
  account: typeof accounts.$inferSelect
}

/** Makes a server-side session and the cookie's value for it (next-auth's own format, so its readers see it). */
export async function openSession(
  runtime: Runtime,
  account: { id: number; account: string },
  browser: { address: string; agent: string; network: number | null; sso?: string },
): Promise<string> {
  const sid = randomBytes(32).toString('base64url')
  const now = Date.now()
  runtime.db
    .insert(sessions)
    .values({
      id: sha256(sid),
      account: account.id,
      network: browser.network,
      createdAt: now,
      seenAt: now,
      address: browser.address,
      agent: browser.agent.slice(0, 255),
      sso: browser.sso,
    })
    .run()
  return encode({
    token: { sid, name: account.account, sub: String(account.id) },
    secret: runtime.secrets.derive('next-auth'),
    maxAge: cookieSeconds,
  })
}

async function sidOf(runtime: Runtime, cookie: string): Promise<string | undefined> {
  const token = await decode({ token: cookie, secret: runtime.secrets.derive('next-auth') }).catch(() => null)
  return typeof token?.sid === 'string' ? token.sid : undefined
}

/** Minutes without a person after which a session of this account is over (rule A16). */
export function timeoutOf(runtime: Runtime, account: { sessionTimeout: number | null }): number {
  const { sessionTimeout, syncTimeouts } = readSecurity(runtime.db)
  return syncTimeouts ? sessionTimeout : (account.sessionTimeout ?? sessionTimeout)
}

const sessionById = (db: Db) =>
  prepared(db, 'session', () =>
    db
      .select()
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.account))
      .where(eq(sessions.id, sql.placeholder('id')))
      .prepare(),
  )

/** On a full disk a session goes on, by what was written of it last. */
function noteSeen(runtime: Runtime, id: string, seenAt: number): void {
  try {
    runtime.db.update(sessions).set({ seenAt }).where(eq(sessions.id, id)).run()
  } catch (error) {
    if (!isStorageFull(error)) throw error
  }
}

/**
 * The session behind a cookie, or undefined when there is none, it ran out (rule A16), its account may not sign in, or
 * nobody may come from this address.
 * `prolong` is false for what a page does by itself (polling): an unattended screen must still time out.
 */
export async function findSession(
  runtime: Runtime,
  cookie: string | undefined,
  prolong: boolean,
  address: string,
  now = Date.now(),
): Promise<OpenSession | undefined> {
  const sid = cookie ? await sidOf(runtime, cookie) : undefined
  if (!sid) return undefined
  const found = sessionById(runtime.db).get({ id: sha256(sid) })
  if (found?.accounts.state !== 'active') return undefined
  if (!mayEnter(runtime, found.accounts.organization, address)) return undefined
  const idle = now - found.sessions.seenAt > timeoutOf(runtime, found.accounts) * 60_000
  if (idle || now - found.sessions.createdAt > cookieSeconds * 1000) {
    runtime.db.delete(sessions).where(eq(sessions.id, found.sessions.id)).run()
    return undefined
  }
  if (prolong && now - found.sessions.seenAt > writeEveryMs) noteSeen(runtime, found.sessions.id, now)
  return {
    actor: actorOf(runtime.db, found.accounts, found.sessions),
    row: found.sessions,
    account: found.accounts,
  }
}

export function closeSession(runtime: Runtime, id: string): void {
  runtime.db.delete(sessions).where(eq(sessions.id, id)).run()
}

/** Whether a session still stands for who comes from `address`: what ended between two requests is noticed by this. */
export const isOpen = (runtime: Runtime, actor: Pick<Actor, 'session' | 'organization'>, address: string): boolean =>
  mayEnter(runtime, actor.organization, address) &&
  !!runtime.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, actor.session)).get()

/** Ends one session, and its event stream at once. */
export function endSession(runtime: Runtime, account: { id: number; organization: number }, id: string): void {
  closeSession(runtime, id)
  runtime.bus.emit({ topic: 'sessions', id: account.id, organization: account.organization })
}

/**
 * Ends an account's sessions, all but `except` (a session's id), and closes their event streams at once. Call it right
 * after the transaction that changed what the account is or may do.
 */
export function endOtherSessions(
  runtime: Runtime,
  account: { id: number; organization: number },
  except?: string,
): void {
  const others = eq(sessions.account, account.id)
  runtime.db
    .delete(sessions)
    .where(except === undefined ? others : and(others, ne(sessions.id, except)))
    .run()
  runtime.bus.emit({ topic: 'sessions', id: account.id, organization: account.organization })
}

/** Sessions of these accounts show that network no more. */
export const deactivateNetwork = (db: Db, network: number, people: Ids): void =>
  void db
    .update(sessions)
    .set({ network: null })
    .where(and(eq(sessions.network, network), inArray(sessions.account, people as number[])))
    .run()

/** Whether the notice about an old password was put off in a session. */
export const isNoticeOff = ({ db }: Runtime, session: string): boolean =>
  db.select({ off: sessions.noticeOff }).from(sessions).where(eq(sessions.id, session)).get()?.off ?? false

export function putNoticeOff({ db }: Runtime, session: string): void {
  db.update(sessions).set({ noticeOff: true }).where(eq(sessions.id, session)).run()
}

export function activateNetwork(runtime: Runtime, session: string, network: number): void {
  runtime.db.update(sessions).set({ network }).where(eq(sessions.id, session)).run()
}
