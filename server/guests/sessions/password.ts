import { eq } from 'drizzle-orm'
import { portalPasswords } from '@/db/schema'
import { portal } from '@/model/profiles/portal'
import { openedRows } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'
import { portalRows } from '@/server/networks/settings/portals'

// How long the password that all guests share is valid: counted from when it was set, so a portal that is saved with the
// password that it had changes nothing.

const dayMs = 86_400_000
type Policy = { password?: string | undefined; passwordDays?: number | undefined }

/** When the password of a portal (its document's id) is valid no longer, unix ms; undefined: it has no end. */
export function passwordEnd(
  { db, secrets }: Pick<Runtime, 'db' | 'secrets'>,
  id: string,
  { password, passwordDays }: Policy,
  now: number,
): number | undefined {
  const own = eq(portalPasswords.portal, id)
  const held = db.select().from(portalPasswords).where(own).get()
  if (password === undefined || passwordDays === undefined) {
    if (held) db.delete(portalPasswords).where(own).run()
    return undefined
  }
  const digest = secrets.mac(password, `password of ${id}`)
  if (held?.digest === digest) return held.since + passwordDays * dayMs
  const set = { digest, since: now }
  db.insert(portalPasswords)
    .values({ portal: id, ...set })
    .onConflictDoUpdate({ target: portalPasswords.portal, set })
    .run()
  return now + passwordDays * dayMs
}

/** Notes which passwords are new, in one network or in all. */
function notePasswords(runtime: Runtime, network?: number): void {
  const { db, secrets } = runtime
  const now = Date.now()
  for (const { row, data } of openedRows(secrets, portal, portalRows(db, network)))
    passwordEnd(runtime, row.id, data as Policy, now)
}

/** From now on a password's days count from when it is saved. */
export function startGuestPasswords(runtime: Runtime): void {
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic === 'settings') notePasswords(runtime, network)
  })
  runtime.closers.push(off)
  notePasswords(runtime)
}
