import { eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { samlProviders } from '@/db/schema'

/** Does anybody sign in here by an identity provider? Apart from the rest: the sign-in page needs nothing else of it. */
export const ssoEnabled = (db: Db): boolean =>
  !!db.select({ of: samlProviders.organization }).from(samlProviders).where(eq(samlProviders.enabled, true)).get()
