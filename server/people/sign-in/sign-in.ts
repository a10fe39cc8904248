import { eq } from 'drizzle-orm'
import { accounts } from '@/db/schema'
import type { BaseContext } from '@/server/kernel/call'
import { appendLog } from '@/server/kernel/changelog'
import { fail, requirePrivate } from '@/server/kernel/fail'
import { homeNetwork } from '@/server/people/access/access'
import { networksOfAccount } from '@/server/people/accounts/actor'
import { isKnown, rememberBrowser } from '@/server/people/accounts/known-browser'
import { forgetFailures, type LockState } from '@/server/people/accounts/lock'
import { type Account, takeCode, takeRecoveryCode } from '@/server/people/accounts/mfa'
import { notifyNewBrowser } from '@/server/people/accounts/notices'
import { verifyPassword } from '@/server/people/accounts/passwords'
import { readSecurity } from '@/server/people/accounts/security'
import { closeSession, findSession, openSession, sessionCookie } from '@/server/people/accounts/sessions'
import { mayEnter } from '@/server/people/accounts/whitelist'
import { inTurn } from '@/server/people/federation/ldap/ask'
import { accountByDirectory, openDirectory } from '@/server/people/federation/ldap/sign-in'
import { admitAttempt, asksCode, countAttempt, lockData } from './attempts'
import { graphicalCodes } from './graphical-code'
import { pendingSignIns } from './pending'

const pendingCookie = 'lanward.factor'

/** `plainPwd`: the same password in clear, which a directory has to be told. */
export type FirstFactor = {
  userName: string
  userPwd: string
  plainPwd?: string
  code?: string
  codeToken?: string
}
/** `checkCode`: a code of the second factor. */
export type SecondFactor = { checkCode?: string; recoveryCode?: string }

/** How far a sign-in came. `code`: the second factor's code is still wanted. `setup`: one has to be set up first. */
export type Stage = { account: Account; wanted: 'nothing' | 'code' | 'setup' }

/** State and address: what keeps a person out who proved to be one. */
function admitAccount({ runtime, address }: BaseContext, account: Account): void {
  if (account.state !== 'active') fail('accountDisabled')
  if (!mayEnter(runtime, account.organization, address)) fail('ipRefused', { ip: address })
}

/** It was `solved` when this request brought the right code. */
function admitCode(state: LockState, solved: boolean): void {
  if (asksCode(state) && !solved) fail('codeRequired', lockData(state))
}

function solvePicture(context: BaseContext, input: FirstFactor, state: LockState): boolean {
  if (!asksCode(state) || !input.code || !input.codeToken) return false
  if (graphicalCodes.of(context.runtime).check(input.codeToken, input.code, context.now)) return true
  return fail('codeWrong', lockData(state))
}

/** Counts a wrong password, and says so. */
function refuse(context: BaseContext, name: string, known: boolean): never {
  const after = countAttempt(context, name, known)
  return fail(after.lockStatus === 2 ? 'accountLocked' : 'wrongPassword', lockData(after))
}

/**
 * lock → code → password → state → address. An account of this manager comes first, then the directory, where there is one
 * and the password came in clear. An unknown account answers, and costs, as a wrong password.
 */
async function firstFactor(context: BaseContext, input: FirstFactor): Promise<Account> {
  const { plainPwd = '' } = input
  if (plainPwd !== '') requirePrivate(context)
  const name = input.userName.trim().toLowerCase()
  const account = context.runtime.db.select().from(accounts).where(eq(accounts.account, name)).get()
  const known = isKnown(context, account)
  const state = admitAttempt(context, name, known)
  const solved = solvePicture(context, input, state)
  admitCode(state, solved)
  const admit = () => admitCode(admitAttempt(context, name, known), solved)
  const byDirectory = async (): Promise<Account> => {
    const directory = plainPwd === '' ? undefined : openDirectory(context.runtime)
    if (!directory) return refuse(context, name, known)
    return inTurn(name, async () => {
      admit()
      const found = await accountByDirectory(context, directory, account, name, plainPwd)
      return found ?? refuse(context, name, known)
    })
  }
  // An account of an identity provider answers, and costs, as a wrong password whatever is stored with it.
  const own = account?.source === 'local' ? account : undefined
  const right = await verifyPassword(own?.password, input.userPwd, admit, context.address)
  const found = right && own ? own : await byDirectory()
  admitAccount(context, found)
  return found
}

/** Of the sign-in that this browser began: whose, and when its password was given, unix ms. */
export const pendingSince = (context: BaseContext): { account: number; at: number } | undefined =>
  pendingSignIns.of(context.runtime).find(context.cookie(pendingCookie), context.now)

/** Whose password this browser gave a moment ago; refuses with mfaExpired when that was nobody's, or counts no more. */
export function pendingAccount(context: BaseContext): Account {
  const found = pendingSince(context)
  const account = found && context.runtime.db.select().from(accounts).where(eq(accounts.id, found.account)).get()
  if (!found || !account || account.passwordChangedAt > found.at) return fail('mfaExpired')
  admitAccount(context, account)
  return account
}

/** Checks the second factor; a wrong one counts as a wrong password does. */
export function secondFactor(context: BaseContext, account: Account, input: SecondFactor, field?: string): void {
  const { runtime, now } = context
  const known = isKnown(context, account)
  admitAttempt(context, account.account, known)
  const right =
    input.recoveryCode === undefined
      ? takeCode(runtime, account, input.checkCode ?? '', now)
      : takeRecoveryCode(runtime, account, input.recoveryCode)
  if (right) return
  const after = lockData(countAttempt(context, account.account, known))
  fail('mfaWrong', { ...after, ...(field && { fields: { [field]: 'mfaCodeWrong' } }) })
}

const wantedOf = (context: BaseContext, account: Account): Stage['wanted'] =>
  account.mfa ? 'code' : readSecurity(context.runtime.db).forceMfa ? 'setup' : 'nothing'

function beginPending(context: BaseContext, account: Account): void {
  context.setCookie(pendingCookie, pendingSignIns.of(context.runtime).begin(account.id, context.now))
}

/** How the sign-in that this browser began stands; refuses as `pendingAccount`. */
export function pendingStage(context: BaseContext): Stage {
  const account = pendingAccount(context)
  return { account, wanted: wantedOf(context, account) }
}

/** The password, and what is wanted after it; then the browser may come back with that alone. */
export async function checkFactor(context: BaseContext, input: FirstFactor): Promise<Stage> {
  const account = await firstFactor(context, input)
  const wanted = wantedOf(context, account)
  if (wanted !== 'nothing') beginPending(context, account)
  return { account, wanted }
}

/**
 * Signs in, or says what is still wanted. Without `first` it goes on with the sign-in whose password was given before.
 * Refusals: accountLocked {lockTime minutes, lockSeconds}, codeRequired / codeWrong {showCode}, wrongPassword and mfaWrong
 * {lockStatus, remainCount}, accountDisabled, ipRefused, mfaExpired.
 */
export async function signIn(
  context: BaseContext,
  first: FirstFactor | undefined,
  second: SecondFactor,
): Promise<Stage> {
  const stage = first ? await checkFactor(context, first) : pendingStage(context)
  const given = second.checkCode !== undefined || second.recoveryCode !== undefined
  if (stage.wanted === 'code' && given) secondFactor(context, stage.account, second)
  else if (stage.wanted !== 'nothing') return stage
  await finishSignIn(context, stage.account)
  return { account: stage.account, wanted: 'nothing' }
}

/**
 * The one end of every way to sign in: opens the session, sets its cookies and writes it down. The caller proved who it is;
 * state and address are checked here. A session that this browser had before is over. `sso`: what `sessions.sso` keeps.
 */
export async function finishSignIn(context: BaseContext, account: Account, sso?: string): Promise<void> {
  const { runtime } = context
  admitAccount(context, account)
  const former = await findSession(runtime, context.cookie(sessionCookie(context.secure)), false, context.address)
  if (former) closeSession(runtime, former.actor.session)
  pendingSignIns.of(context.runtime).end(context.cookie(pendingCookie))
  context.clearCookie(pendingCookie)
  forgetFailures(runtime.db, account.account, context.address)
  notifyNewBrowser(context, account)
  rememberBrowser(context, account)
  const token = await openSession(runtime, account, {
    address: context.address,
    agent: context.request.headers.get('user-agent') ?? '',
    network: homeNetwork(runtime.db, { ...account, networks: networksOfAccount(runtime.db, account) })?.id ?? null,
    sso,
  })
  context.setCookie(sessionCookie(context.secure), token)
  runtime.db.update(accounts).set({ lastSignInAt: context.now }).where(eq(accounts.id, account.id)).run()
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
}
