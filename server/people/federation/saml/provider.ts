import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { eq } from 'drizzle-orm'
import { generate } from 'selfsigned'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { samlProviders } from '@/db/schema'
import { limits } from '@/model/limits'
import type { Runtime } from '@/server/kernel/runtime'

const dataShape = z.object({
  /** Scheme, host and port under which people open this manager. */
  baseUrl: z.string(),
  entity: z.string(),
  signInUrl: z.string(),
  signOutUrl: z.string(),
  certificates: z.array(z.string()),
  /** Attributes that say who somebody is; '' for the account: its NameID. */
  accountAttribute: z.string(),
  nameAttribute: z.string(),
  emailAttribute: z.string(),
  roleAttribute: z.string(),
})
type Data = z.output<typeof dataShape>
export type Provider = Data & {
  organization: number
  enabled: boolean
  identifier: string
  /** Sealed. */
  key: string
  certificate: string
}

const placeOf = (organization: number) => `saml_providers:${organization}:key`
const ownYears = 10

function providerOf(row: typeof samlProviders.$inferSelect | undefined): Provider | undefined {
  if (!row) return undefined
  const { data, ...rest } = row
  return { ...rest, ...dataShape.parse(JSON.parse(data)) }
}

export const providerOfOrganization = (db: Db, organization: number): Provider | undefined =>
  providerOf(db.select().from(samlProviders).where(eq(samlProviders.organization, organization)).get())

/** By what people type on the sign-in page, without case. */
export const providerNamed = (db: Db, identifier: string): Provider | undefined =>
  providerOf(db.select().from(samlProviders).where(eq(samlProviders.identifier, identifier.trim().toLowerCase())).get())

/** A key pair that signs what this manager asks of a provider; RSA, since that is what all of them read. */
export async function newKey(runtime: Runtime, organization: number): Promise<Pick<Provider, 'key' | 'certificate'>> {
  const now = new Date()
  const made = await generate([{ name: 'commonName', value: 'Lanward' }], {
    keySize: 2048,
    algorithm: 'sha256',
    notAfterDate: new Date(Date.UTC(now.getUTCFullYear() + ownYears, now.getUTCMonth(), 1)),
  })
  return { key: runtime.secrets.seal(made.private, placeOf(organization)), certificate: made.cert }
}

/** Can the stored key be used? A restored backup without its passphrase has another one. */
export function keyOpens(runtime: Runtime, { key, organization }: Provider): boolean {
  try {
    return runtime.secrets.open(key, placeOf(organization)) !== ''
  } catch {
    return false
  }
}

export function saveProvider(tx: Db, provider: Provider): void {
  const { organization, enabled, identifier, key, certificate, ...data } = provider
  const values = { enabled, identifier, key, certificate, data: JSON.stringify(dataShape.parse(data)) }
  tx.insert(samlProviders)
    .values({ organization, ...values })
    .onConflictDoUpdate({ target: samlProviders.organization, set: values })
    .run()
}

/** Where the provider's answer goes to. */
export const answerUrl = ({ baseUrl }: Pick<Provider, 'baseUrl'>) => `${baseUrl}/app/sso/acs`
/** This manager's name for the provider, which is also where its metadata are. */
export const ownEntity = ({ baseUrl, identifier }: Pick<Provider, 'baseUrl' | 'identifier'>) =>
  `${baseUrl}/app/sso/metadata?registrationId=${encodeURIComponent(identifier)}`

/** The library with everything that it can check turned on. `requestId` names a request that it makes. */
export function libraryOf(runtime: Runtime, provider: Provider, requestId?: string): SAML {
  return new SAML({
    entryPoint: provider.signInUrl,
    logoutUrl: provider.signOutUrl,
    issuer: ownEntity(provider),
    audience: ownEntity(provider),
    callbackUrl: answerUrl(provider),
    idpCert: provider.certificates,
    idpIssuer: provider.entity,
    privateKey: runtime.secrets.open(provider.key, placeOf(provider.organization)),
    publicCert: provider.certificate,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    // The assertion is what counts, and not all sign what is around it.
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: limits.samlSkewSeconds * 1000,
    // answer.ts holds it against the browser that asked.
    validateInResponseTo: ValidateInResponseTo.never,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    ...(requestId !== undefined && { generateUniqueId: () => requestId }),
  })
}
