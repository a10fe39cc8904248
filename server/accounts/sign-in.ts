import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { accounts, knownBrowsers } from '@/db/schema'
import type { BaseContext } from '@/server/kernel/call'
import { appendLog } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import { part } from '@/server/kernel/runtime'
import { sha256 } from '@/server/kernel/secrets'
import { homeNetwork } from '@/server/networks/access'
import { accountSees } from './actor'
import type { GraphicalCodes } from './graphical-code'
import { countFailure, forgetFailures, type LockState, lockState } from './lock'
import { verifyPassword } from './passwords'
import { openSession, sessionCookie } from './sessions'

const browserCookie = 'lanward.browser'
const browserSeconds = 365 * 86_400

export type SignIn = { userName: string; userPwd: string; code?: string; codeToken?: string }

type Account = typeof accounts.$inferSelect

/** A browser is known to an account by a random cookie whose digest was stored at an earlier sign-in. */
function isKnown(context: BaseContext, account: Account | undefined): boolean {
  const cookie = context.cookie(browserCookie)
  if (!cookie || !account) return false
  return !!context.runtime.db
    .select()
    .from(knownBrowsers)
    .where(and(eq(knownBrowsers.id, sha256(cookie)), eq(knownBrowsers.account, account.id)))
    .get()
}

function rememberBrowser(context: BaseContext, account: Account): void {
  const cookie = context.cookie(browserCookie) ?? randomBytes(24).toString('base64url')
  // A browser that several people use is known to the last of them.
  context.runtime.db
    .insert(knownBrowsers)
    .values({ id: sha256(cookie), account: account.id, seenAt: context.now })
    .onConflictDoUpdate({ target: knownBrowsers.id, set: { account: account.id, seenAt: context.now } })
    .run()
  context.setCookie(browserCookie, cookie, { maxAgeSeconds: browserSeconds })
}

const lockData = (state: LockState) =>
  state.lockStatus === 2
    ? { ...state, showCode: true }
    : state.lockStatus === 1
      ? { lockStatus: 1, remainCount: state.remainCount, showCode: true }
      : { lockStatus: 0, showCode: state.failures > 0 }

function refuse(context: BaseContext, name: string, known: boolean): never {
  const { db } = context.runtime
  const state = countFailure(db, name, context.address, known, context.now)
  return fail(state.lockStatus === 2 ? 'accountLocked' : 'wrongPassword', lockData(state))
}

/**
 * Signs in and sets the cookies. Refusals: accountLocked {lockTime minutes, lockSeconds}, codeRequired / codeWrong {showCode},
 * wrongPassword {lockStatus, remainCount}, accountDisabled. An unknown account answers, and costs, as a wrong password.
 */
export async function signIn(context: BaseContext, input: SignIn): Promise<Account> {
  const { runtime } = context
  const name = input.userName.trim().toLowerCase()
  const account = runtime.db.select().from(accounts).where(eq(accounts.account, name)).get()
  const known = isKnown(context, account)
  const state = lockState(runtime.db, name, context.address, known, context.now)
  if (state.lockStatus === 2) fail('accountLocked', lockData(state))
  if (state.failures > 0) {
    if (!input.code || !input.codeToken) fail('codeRequired', lockData(state))
    if (!part<GraphicalCodes>(runtime, 'graphicalCodes').check(input.codeToken, input.code, context.now))
      fail('codeWrong', lockData(state))
  }
  if (!(await verifyPassword(account?.password, input.userPwd)) || !account) return refuse(context, name, known)
  if (account.state !== 'active') fail('accountDisabled')
  forgetFailures(runtime.db, name, context.address)
  rememberBrowser(context, account)
  const agent = context.request.headers.get('user-agent') ?? ''
  const token = await openSession(runtime, account, {
    address: context.address,
    agent,
    network: homeNetwork(runtime.db, { ...account, networks: accountSees(runtime.db, account) })?.id ?? null,
  })
  context.setCookie(sessionCookie(context.secure), token)
  appendLog(runtime.db, runtime.secrets, {
    organization: account.organization,
    network: null,
    at: context.now,
    account: account.account,
    address: context.address,
    action: 'signIn',
    object: 'account',
    name: account.account,
    fields: {},
  })
  return account
}
