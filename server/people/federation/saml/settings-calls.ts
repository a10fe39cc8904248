import * as z from 'zod'
import { limits } from '@/model/limits'
import { saml } from '@/model/people/saml'
import { call } from '@/server/kernel/call'
import { type Certificate, certificatesIn, describe } from '@/server/kernel/certificates/read'
import { failFields } from '@/server/kernel/fail'
import { olderInput } from '@/server/kernel/own-fields'
import { saveOwn } from '@/server/kernel/own-settings'
import { roleLineCalls } from '../role-line-calls'
import { readMetadata } from './metadata'
import { answerUrl, ownEntity, type Provider, providerOfOrganization, samlSettings } from './provider'

const reading = { tag: 'users', scope: 'organization', authority: 'organization_security', changes: false } as const
const changing = {
  tag: 'users',
  scope: 'organization',
  authority: 'organization_security_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
} as const

const ofCertificate = (one: Certificate) => {
  const { subject, validTo, fingerprint: sha256 } = describe(one)
  return { subject, validTo, sha256 }
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
    const { organization, identifier, entity, signInUrl, signOutUrl = '', certificates, ...rest } = found
    return {
      set: true as const,
      ...{ accountAttribute: '', nameAttribute: '', emailAttribute: '' },
      ...rest,
      identifier: identifier.toLowerCase(),
      provider: {
        entity,
        signInUrl,
        signOutUrl,
        certificates: (certificatesIn(certificates) ?? []).map(ofCertificate),
      },
      own: { entity: ownEntity(found), answerUrl: answerUrl(found), metadata: metadataPath(found) },
    }
  },
})

const metadataText = z.string().max(limits.samlMetadataCharacters, 'tooLong')

/** The fields that an identity provider's metadata give, or a refusal at `metadata`. */
function fieldsOf(metadata: string) {
  const read = readMetadata(metadata)
  if (typeof read === 'string') return failFields({ metadata: read })
  const { entity, signInUrl, signOutUrl, certificates } = read
  return { entity, signInUrl, signOutUrl, certificates: certificates.map(pem => pem.trim()).join('\n') }
}

const read = call({
  ...reading,
  authority: 'organization_security_edit',
  path: 'saml/metadata/read',
  input: z.strictObject({ metadata: metadataText.min(1, 'required') }),
  /** What an identity provider's metadata (XML) say, as the settings take it; nothing is saved. */
  run: (_, { metadata }) => fieldsOf(metadata),
})

const { entity, signInUrl, signOutUrl, certificates, ...typed } = olderInput(saml).shape

const save = call({
  ...changing,
  path: 'saml/save',
  topics: ['provider'],
  /**
   * The provider's metadata, XML; without them those that are known stay. On unless it says otherwise, as scripts that
   * leave it out were written for.
   */
  input: z.strictObject({ ...typed, enabled: z.boolean().default(true), metadata: metadataText.optional() }),
  run(context, { metadata, ...input }) {
    const known = providerOfOrganization(context.runtime.db, context.actor.organization)
    const provider = metadata?.trim() ? fieldsOf(metadata) : (known ?? failFields({ metadata: 'required' }))
    const { entity, signInUrl, signOutUrl = '', certificates } = provider
    saveOwn(context, samlSettings, {
      fields: { ...input, entity, signInUrl, signOutUrl, certificates },
      lenient: true,
    })
    return {}
  },
})

export const samlCalls = [get, read, save, ...roleLineCalls('saml', 'organization_security')] as const
