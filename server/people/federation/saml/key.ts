import { generate } from 'selfsigned'
import * as z from 'zod'
import type { Db } from '@/db/client'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'

// What this manager signs its requests with: made by itself, once for each organization, never typed.

const shape = z.object({ key: z.string().default(''), certificate: z.string().default('') })
/** Its name goes with the organization's own settings when that is removed. */
const kept = (organization: number) => state(`organization:${organization}:samlKey`, shape)
const placeOf = (organization: number) => `saml_providers:${organization}:key`
const validYears = 10

export type OwnKey = {
  /** PEM, in clear. */
  key: string
  certificate: string
}

/** Undefined where there is none, or it cannot be opened: a backup restored without its passphrase has another secret. */
function stored({ secrets }: Runtime, db: Db, organization: number): OwnKey | undefined {
  const { key, certificate } = kept(organization).read(db)
  try {
    return key ? { key: secrets.open(key, placeOf(organization)), certificate } : undefined
  } catch {
    return undefined
  }
}

/** RSA, since that is what all providers read. */
async function made(): Promise<OwnKey> {
  const now = new Date()
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Lanward' }], {
    keySize: 2048,
    algorithm: 'sha256',
    notAfterDate: new Date(Date.UTC(now.getUTCFullYear() + validYears, now.getUTCMonth(), 1)),
  })
  return { key, certificate: cert }
}

/** The organization's key and its certificate, made when they are first asked for. */
export async function ownKey(runtime: Runtime, organization: number): Promise<OwnKey> {
  const found = stored(runtime, runtime.db, organization)
  if (found) return found
  const fresh = await made()
  return runtime.db.transaction(tx => {
    // Two asked at once: the one that is kept counts for both.
    const other = stored(runtime, tx, organization)
    if (other) return other
    const { key, certificate } = fresh
    kept(organization).change(tx, { key: runtime.secrets.seal(key, placeOf(organization)), certificate })
    return fresh
  })
}
