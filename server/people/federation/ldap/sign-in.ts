import { randomBytes } from 'node:crypto'
import type { BaseContext } from '@/server/kernel/call'
import type { Runtime } from '@/server/kernel/runtime'
import { type AccountRow, hostOrganization } from '@/server/people/accounts/actor'
import { accountOf, type Somebody } from '../people'
import { askDirectory } from './ask'
import { type Directory, readDirectory } from './directory'
import type { Person } from './people'

/** The directory, where people may sign in by it. */
export function openDirectory(runtime: Runtime): Directory | undefined {
  const directory = readDirectory(runtime)
  return directory?.enabled ? directory : undefined
}

export const somebody = (organization: number, { subject, account, names, email, groups }: Person): Somebody => ({
  ...{ organization, source: 'ldap', subject, account, names, email },
  values: groups,
})

/**
 * The account of who proves to be somebody of the directory, made at the first sign-in. `row`: the account of that name; one
 * of another kind is never taken over, but costs the same. Refuses with ssoNoRole and ssoAccount, which only they learn.
 */
export async function accountByDirectory(
  context: BaseContext,
  directory: Directory,
  row: AccountRow | undefined,
  name: string,
  password: string,
): Promise<AccountRow | undefined> {
  const { runtime } = context
  if (row && row.source !== 'ldap') {
    // Nobody's name and password: what was typed for another account is not for the directory to read.
    await askDirectory(runtime, directory, ...nobody())
    return undefined
  }
  const person = await askDirectory(runtime, directory, name, password)
  const organization = hostOrganization(runtime.db)
  if (!person || organization === null || (row && row.subject !== person.subject)) return undefined
  return accountOf(context, somebody(organization, person))
}

const nobody = (): [name: string, password: string] => [randomBytes(8).toString('hex'), randomBytes(18).toString('hex')]
