import type { Db } from '@/db/client'
import { accounts, organizations } from '@/db/schema'
import { sha256 } from '@/server/kernel/secrets'

/** What the browser sends at sign-in for a password: hex SHA-256 of its NFKC form. */
export const passwordDigest = (password: string): string => sha256(password.normalize('NFKC'))

export type NewAccount = { account: string; email: string; password: string; timezone: string; locale: string }

/** The first organization with its super administrator; `password` is the argon2id hash. */
export function createOrganization(
  db: Db,
  name: string,
  owner: NewAccount,
  now: number,
): { organization: number; account: number } {
  const organization = db
    .insert(organizations)
    .values({ name, createdAt: now })
    .returning({ id: organizations.id })
    .get().id
  const account = db
    .insert(accounts)
    .values({
      organization,
      account: owner.account,
      username: owner.account,
      email: owner.email || null,
      role: 'superAdministrator',
      password: owner.password,
      passwordChangedAt: now,
      state: 'active',
      register: 1,
      locale: owner.locale,
      timezone: owner.timezone,
      createdAt: now,
    })
    .returning({ id: accounts.id })
    .get().id
  return { organization, account }
}
