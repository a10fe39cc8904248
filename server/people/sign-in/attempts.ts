import { eq } from 'drizzle-orm'
import { accounts } from '@/db/schema'
import { limits } from '@/model/limits'
import type { Actor, BaseContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { isKnown } from '@/server/people/accounts/known-browser'
import { countFailure, forgetFailures, type LockState, lockState } from '@/server/people/accounts/lock'
import type { Account } from '@/server/people/accounts/mfa'
import { verifyPassword } from '@/server/people/accounts/passwords'
import { isOpen } from '@/server/people/accounts/sessions'
import { askDirectory, inTurn } from '@/server/people/federation/ldap/ask'
import { readDirectory } from '@/server/people/federation/ldap/directory'

type Standing = Pick<Actor, 'session' | 'organization'>

/** Whether the picture's code is asked: after so many failures in a row. */
export const asksCode = (state: LockState): boolean =>
  state.lockStatus !== 2 && state.failures >= limits.failuresBeforeCode

export const lockData = (state: LockState) =>
  state.lockStatus === 2
    ? { ...state, showCode: true }
    : state.lockStatus === 1
      ? { lockStatus: 1, remainCount: state.remainCount, showCode: asksCode(state) }
      : { lockStatus: 0, showCode: false }

/** What stands between this browser and a try at `name`; refuses when that is the lock. */
export function admitAttempt(context: BaseContext, name: string, known: boolean) {
  const state = lockState(context.runtime.db, name, context.address, known, context.now)
  return state.lockStatus === 2 ? fail('accountLocked', lockData(state)) : state
}

/** Counts a wrong try; gives what the lock says now. */
export const countAttempt = (context: BaseContext, name: string, known: boolean): LockState =>
  countFailure(context.runtime.db, name, context.address, known, context.now)

/** The row of who asks. */
export const ownAccount = ({ runtime, actor }: { runtime: Runtime; actor: { id: number } }): Account =>
  runtime.db.select().from(accounts).where(eq(accounts.id, actor.id)).get() ?? fail('sessionExpired')

/**
 * Refuses who was let out since the call began: while a password is hashed or verified the session may have ended, or the
 * account be another's in all but name.
 */
export function mustStillBeSignedIn(
  { runtime, actor, address }: BaseContext & { actor?: Standing },
  account: Account,
): void {
  const now = runtime.db.select().from(accounts).where(eq(accounts.id, account.id)).get()
  const same = now?.state === account.state && now.password === account.password
  if (!same || (actor && !isOpen(runtime, actor, address))) fail('sessionExpired')
}

/** Refuses who has no password of this manager: it cannot be changed here, nor what the directory tells of them. */
export function mustBeLocal({ source }: Account, field: string): void {
  if (source !== 'local') failFields({ [field]: 'samlAccount' }, 'oldPasswordWrong')
}

/** Whether the directory takes this for the password of the account, and means the same person by its name. */
async function holdsAtDirectory({ runtime }: BaseContext, account: Account, password: string): Promise<boolean> {
  const directory = readDirectory(runtime)
  const person = directory?.enabled && (await askDirectory(runtime, directory, account.account, password))
  return !!person && person.subject === account.subject
}

/**
 * Asks a signed-in person's password again, before something that a lost session must not do. A wrong one counts as a try
 * at signing in and is told at `field`. A right one forgets earlier tries only where it is all that lets the person in:
 * else it would give everybody who has it a new start at guessing codes. The directory is asked for those of its own; who
 * signs in by an identity provider is told to have none.
 */
export async function confirmPassword(
  context: BaseContext & { actor?: Standing },
  account: Account,
  password: string,
  field: string,
): Promise<void> {
  if (account.source === 'ldap')
    return inTurn(account.account, () => confirmBy(holdsAtDirectory, context, account, password, field))
  mustBeLocal(account, field)
  return confirmBy(holdsHere, context, account, password, field)
}

const holdsHere = (context: BaseContext, account: Account, password: string, admit: () => void) =>
  verifyPassword(account.password, passwordDigest(password), admit, context.address)

async function confirmBy(
  holds: typeof holdsHere,
  context: BaseContext & { actor?: Standing },
  account: Account,
  password: string,
  field: string,
): Promise<void> {
  const known = isKnown(context, account)
  const admit = () => void admitAttempt(context, account.account, known)
  admit()
  if (await holds(context, account, password, admit)) {
    mustStillBeSignedIn(context, account)
    if (!account.mfa) forgetFailures(context.runtime.db, account.account, context.address)
    return
  }
  const state = countAttempt(context, account.account, known)
  if (state.lockStatus === 2) fail('accountLocked', lockData(state))
  fail('oldPasswordWrong', { ...lockData(state), fields: { [field]: 'passwordWrong' } })
}
