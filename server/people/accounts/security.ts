import { isNotNull } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts } from '@/db/schema'
import { type Security, security } from '@/model/people/security'
import type { OrganizationContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { type OwnSettings, readOwnOrDefaults } from '@/server/kernel/own-settings'
import { takeFormer } from '@/server/kernel/settings'
import { mailReady } from '@/server/mail/server'
import { isHostOrganization } from './actor'

/** What holds for everybody who signs in. */
export const readSecurity = (db: Db): Security => readOwnOrDefaults(db, security)

/** The rules hold for all companies on the manager: its own one's super administrator sets them. */
export const maySetSecurity = ({ runtime, actor }: Pick<OrganizationContext, 'runtime' | 'actor'>): boolean =>
  actor.authorities.has('organization_security_edit') && isHostOrganization(runtime.db, actor.organization)

export const securitySettings: OwnSettings<Security> = {
  kind: security,
  judge(context, { signUp }) {
    if (!maySetSecurity(context)) fail('noAuthority')
    return { signUp: signUp && !mailReady(context.runtime) ? 'needsMail' : undefined }
  },
  storing(_, tx, { syncTimeouts }) {
    if (syncTimeouts) tx.update(accounts).set({ sessionTimeout: null }).where(isNotNull(accounts.sessionTimeout)).run()
  },
  former: ({ db }) => takeFormer(db, 'security'),
}
