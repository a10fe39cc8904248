import type { credentials } from '@/db/schema'
import type { Credential } from '@/server/drivers/driver'
import type { Runtime } from '@/server/kernel/runtime'

export type CredentialRow = typeof credentials.$inferSelect

const place = (id: number) => `credentials:${id}:secret`

/** The login in clear, for the worker alone. */
export const openCredential = (runtime: Runtime, row: Pick<CredentialRow, 'id' | 'secret'>): Credential =>
  JSON.parse(runtime.secrets.open(row.secret, place(row.id))) as Credential

export const sealCredential = (runtime: Runtime, id: number, credential: Credential): string =>
  runtime.secrets.seal(JSON.stringify(credential), place(id))
