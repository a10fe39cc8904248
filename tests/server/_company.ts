// Another company on a manager, with its super administrator, signed in.
import { eq } from 'drizzle-orm'
import { accounts } from '@/db/schema'
import type { Browser, Manager } from './_manager'
import { type Person, signedIn } from './_people'

export type Company = { id: number; head: Person }

/** Opened by the manager's own super administrator; the invitation is followed. */
export async function company(manager: Manager, owner: Browser, name: string, account: string): Promise<Company> {
  const { data } = await owner.post('companies/add', { name, account })
  const token = String(data.link).split('#')[1]
  const password = 'Tw0-companies!'
  const done = await manager
    .browser()
    .post('auth/activate', { token, username: `${account} 1`, password, repeat: password })
  if (done.retCode !== 0) throw new Error(JSON.stringify(done.data))
  const row = manager.runtime.db.select().from(accounts).where(eq(accounts.account, account)).get()
  if (!row) throw new Error('no account')
  return { id: Number(data.id), head: { ...(await signedIn(manager, row)), account: row } }
}
