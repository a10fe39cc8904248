import { X509Certificate } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import * as z from 'zod'
import { samlProviders } from '@/db/schema'
import { origin } from '@/model/fields'
import { limits } from '@/model/limits'
import { call, type Logging, type OrganizationContext } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import { attribute, roleLineCalls } from '../role-line-calls'
import { identifier } from './calls'
import { readMetadata } from './metadata'
import { answerUrl, keyOpens, newKey, ownEntity, type Provider, providerOfOrganization, saveProvider } from './provider'

const reading = { tag: 'users', scope: 'organization', authority: 'organization_security', changes: false } as const
const changing = {
  tag: 'users',
  scope: 'organization',
  authority: 'organization_security_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
} as const

/** What comes back signs somebody in: it travels by https, or stays on this machine. */
const baseUrl = origin.refine(
  text => /^https:/i.test(text) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/i.test(text),
  'httpsOnly',
)
const ofCertificate = (pem: string) => {
  const read = new X509Certificate(pem)
  return {
    subject: read.subject.replaceAll('\n', ', '),
    validTo: Date.parse(read.validTo),
    sha256: read.fingerprint256,
  }
}

/** Where a browser of this manager gets its metadata. */
const metadataPath = (provider: Provider) => {
  const { pathname, search } = new URL(ownEntity(provider))
  return `${pathname}${search}`
}

const get = call({
  ...reading,
  path: 'saml/get',
  input: z.strictObject({}),
  /** `own`: what the provider has to be told of this manager. */
  run({ runtime, actor }) {
    const found = providerOfOrganization(runtime.db, actor.organization)
    if (!found) return { set: false as const }
    const { enabled, baseUrl, entity, signInUrl, signOutUrl, certificates } = found
    return {
      set: true as const,
      ...{ enabled, baseUrl, identifier: found.identifier },
      provider: { entity, signInUrl, signOutUrl, certificates: certificates.map(ofCertificate) },
      accountAttribute: found.accountAttribute,
      nameAttribute: found.nameAttribute,
      emailAttribute: found.emailAttribute,
      roleAttribute: found.roleAttribute,
      own: { entity: ownEntity(found), answerUrl: answerUrl(found), metadata: metadataPath(found) },
    }
  },
})

type Told = Record<string, unknown>
const told = ({
  enabled,
  identifier,
  baseUrl,
  entity,
  signInUrl,
  signOutUrl,
  certificates,
  ...rest
}: Provider): Told => ({
  ...{ enabled, identifier, baseUrl, entity, signInUrl, signOutUrl },
  certificates: certificates.map(pem => ofCertificate(pem).sha256),
  accountAttribute: rest.accountAttribute,
  nameAttribute: rest.nameAttribute,
  emailAttribute: rest.emailAttribute,
  roleAttribute: rest.roleAttribute,
})

function logSave(context: OrganizationContext & Logging, before: Provider | undefined, after: Provider): void {
  const was: Told = before ? told(before) : {}
  const is = told(after)
  const keys = Object.keys(is).filter(
    key => JSON.stringify(was[key]) !== JSON.stringify(is[key]) && is[key] !== was[key],
  )
  if (!keys.length) return
  context.log({
    action: before ? 'edit' : 'add',
    object: 'saml',
    name: after.identifier,
    fields: Object.fromEntries(keys.map(key => [key, [was[key] ?? null, is[key]]])),
  })
}

const save = call({
  ...changing,
  path: 'saml/save',
  input: z.strictObject({
    enabled: z.boolean(),
    identifier: identifier.toLowerCase(),
    baseUrl,
    /** The provider's metadata, XML; without them those that are known stay. */
    metadata: z.string().max(limits.samlMetadataCharacters, 'tooLong').optional(),
    accountAttribute: attribute.default(''),
    nameAttribute: attribute.default(''),
    emailAttribute: attribute.default(''),
    roleAttribute: attribute.min(1, 'required'),
  }),
  async run(context, { metadata, ...input }) {
    const { runtime, actor } = context
    const { organization } = actor
    const known = providerOfOrganization(runtime.db, organization)
    const read = metadata?.trim() ? readMetadata(metadata) : (known ?? failFields({ metadata: 'required' }))
    if (typeof read === 'string') return failFields({ metadata: read })
    const { entity, signInUrl, signOutUrl, certificates } = read
    const own = known && keyOpens(runtime, known) ? known : await newKey(runtime, organization)
    runtime.db.transaction(tx => {
      const others = and(eq(samlProviders.identifier, input.identifier), ne(samlProviders.organization, organization))
      if (tx.select().from(samlProviders).where(others).get()) failFields({ identifier: 'nameExists' })
      const next = {
        ...input,
        organization,
        key: own.key,
        certificate: own.certificate,
        entity,
        signInUrl,
        signOutUrl,
        certificates,
      }
      logSave(context, providerOfOrganization(tx, organization), next)
      saveProvider(tx, next)
    })
    return {}
  },
})

export const samlCalls = [get, save, ...roleLineCalls('saml', 'organization_security')] as const
