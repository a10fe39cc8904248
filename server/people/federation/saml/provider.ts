import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Db } from '@/db/client'
import { limits } from '@/model/limits'
import { type SamlSettings, saml } from '@/model/people/saml'
import { pemsIn } from '@/server/kernel/certificates/read'
import { type OwnSettings, organizationsWith, readOwn } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { ownKey } from './key'
import { areSigning } from './metadata'

/** An organization's identity provider, as it is set. */
export type Provider = SamlSettings & { organization: number }

export function providerOfOrganization(db: Db, organization: number): Provider | undefined {
  const found = readOwn(db, saml, { organization })
  return found && { ...found, organization }
}

const allProviders = (db: Db): Provider[] =>
  organizationsWith(db, saml).flatMap(organization => providerOfOrganization(db, organization) ?? [])

const sameName = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

/** By what people type on the sign-in page, without case. */
export const providerNamed = (db: Db, identifier: string): Provider | undefined =>
  allProviders(db).find(one => sameName(one.identifier, identifier))

export const samlSettings: OwnSettings<SamlSettings> = {
  kind: saml,
  judge({ runtime: { db }, actor }, { identifier, certificates }) {
    const found = providerNamed(db, identifier)
    return {
      identifier: found && found.organization !== actor.organization ? 'nameExists' : undefined,
      certificates: areSigning(certificates) ? undefined : 'samlCertificate',
    }
  },
}

/** Where the provider's answer goes to. */
export const answerUrl = ({ baseUrl }: Pick<Provider, 'baseUrl'>) => `${baseUrl}/app/sso/acs`
/** This manager's name for the provider, which is also where its metadata are. */
export const ownEntity = ({ baseUrl, identifier }: Pick<Provider, 'baseUrl' | 'identifier'>) =>
  `${baseUrl}/app/sso/metadata?registrationId=${encodeURIComponent(identifier.toLowerCase())}`

/** The library with everything that it can check turned on. `requestId` names a request that it makes. */
export async function libraryOf(runtime: Runtime, provider: Provider, requestId?: string): Promise<SAML> {
  const own = await ownKey(runtime, provider.organization)
  return new SAML({
    entryPoint: provider.signInUrl,
    logoutUrl: provider.signOutUrl ?? '',
    issuer: ownEntity(provider),
    audience: ownEntity(provider),
    callbackUrl: answerUrl(provider),
    idpCert: pemsIn(provider.certificates),
    idpIssuer: provider.entity,
    privateKey: own.key,
    publicCert: own.certificate,
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
