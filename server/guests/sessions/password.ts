import { and, eq, ne } from 'drizzle-orm'
import { portalPasswords } from '@/db/schema'
import { portal } from '@/model/profiles/portal'
import { type DocumentRow, openedRows } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'
import { portalRows } from '@/server/networks/settings/portals'
import { raiseAlert } from '@/server/notify/alerts/raise'

// How long the password that all guests share is valid: counted from when it was set, so a portal that is saved with the
// password that it had changes nothing.

const dayMs = 86_400_000
const lookEveryMs = 600_000
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
  const set = { digest, since: now, told: false }
  db.insert(portalPasswords)
    .values({ portal: id, ...set })
    .onConflictDoUpdate({ target: portalPasswords.portal, set })
    .run()
  return now + passwordDays * dayMs
}

type Portal = Pick<DocumentRow, 'id' | 'name' | 'organization' | 'scopeId'>

/** Somebody has to set another one: told once, and again where it was valid again meanwhile. */
function tellOver(runtime: Runtime, { id, name, organization, scopeId: network }: Portal, over: boolean, at: number) {
  const changed = and(eq(portalPasswords.portal, id), ne(portalPasswords.told, over))
  if (runtime.db.update(portalPasswords).set({ told: over }).where(changed).run().changes === 0 || !over) return
  raiseAlert(runtime, { type: 'guestPasswordOver', organization, network, at, values: { portal: name } })
}

/** Notes which passwords are new, in one network or in all, and tells which are valid no longer. */
export function lookAtPasswords(runtime: Runtime, network?: number): void {
  const { db, secrets } = runtime
  const now = Date.now()
  for (const { row, data } of openedRows(secrets, portal, portalRows(db, network))) {
    const end = passwordEnd(runtime, row.id, data as Policy, now)
    if (end !== undefined) tellOver(runtime, row, end <= now, now)
  }
}

/** From now on a password's days count from when it is saved. */
export function startGuestPasswords(runtime: Runtime): void {
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic === 'settings') lookAtPasswords(runtime, network)
  })
  runtime.closers.push(off)
  runtime.jobs.start({ id: 'guest-passwords', every: lookEveryMs, run: () => lookAtPasswords(runtime) })
  lookAtPasswords(runtime)
}
