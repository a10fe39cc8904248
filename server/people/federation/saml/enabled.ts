import type { Db } from '@/db/client'
import { saml } from '@/model/people/saml'
import { organizationsWith, readOwn } from '@/server/kernel/own-settings'

/** Does anybody sign in here by an identity provider? Apart from the rest: the sign-in page needs nothing else of it. */
export const ssoEnabled = (db: Db): boolean =>
  organizationsWith(db, saml).some(organization => readOwn(db, saml, { organization })?.enabled)
