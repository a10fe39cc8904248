import { X509Certificate } from 'node:crypto'
import { and, asc, eq, ne } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { samlProviders, samlRoles } from '@/db/schema'
import { limits } from '@/model/limits'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import { publicUrl } from '@/server/mail/server'
import { seenNetworks } from '@/server/networks/access'
import { id } from '@/server/networks/shapes'
import { givenNetworks, givenRole } from '@/server/users/changes'
import { ownRoles } from '@/server/users/people'
import { identifier } from './calls'
import { readMetadata } from './metadata'
import { answerUrl, keyOpens, newKey, ownEntity, type Provider, providerOfOrganization, saveProvider } from './provider'

const reading = { scope: 'organization', authority: 'organization_security', changes: false } as const
const changing = { scope: 'organization', authority: 'organization_security_edit', changes: true } as const

/** What comes back signs somebody in: it travels by https, or stays on this machine. */
const baseUrl = publicUrl.refine(
  text => /^https:/i.test(text) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/i.test(text),
  'httpsOnly',
)
const attribute = z
  .string()
  .trim()
  .max(limits.textCharacters, 'tooLong')
  .regex(/^[^\p{C}]*$/u, 'controlCharacters')

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

function logSave(context: OrganizationContext, before: Provider | undefined, after: Provider): void {
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

type RoleRow = typeof samlRoles.$inferSelect
const rowsOf = (db: Db, organization: number): RoleRow[] =>
  db.select().from(samlRoles).where(eq(samlRoles.organization, organization)).orderBy(asc(samlRoles.id)).all()

const rolesList = call({
  ...reading,
  path: 'saml/roles/list',
  input: z.strictObject({ page: listInput.page, pageSize: listInput.pageSize, search: listInput.search }),
  /** In the order in which they are tried. */
  run({ runtime: { db }, actor }, { page, pageSize, search = '' }) {
    const names = new Map(seenNetworks(db, actor).map(network => [network.id, network.name]))
    const custom = new Map(ownRoles(db, actor.organization).map(role => [role.id, role.name]))
    const rows = rowsOf(db, actor.organization)
      .filter(row => row.value.toLowerCase().includes(search.trim().toLowerCase()))
      .map(({ id, value, role, allNetworks, networks }) => ({
        ...{ id, value, role, allNetworks, roleName: custom.get(role) ?? '' },
        networks: (JSON.parse(networks) as number[]).flatMap(one => {
          const name = names.get(one)
          return name === undefined ? [] : [{ id: one, name }]
        }),
      }))
    return paginate(rows, page, pageSize)
  },
})

const rolesSave = call({
  ...changing,
  path: 'saml/roles/save',
  input: z.strictObject({
    id: id.optional(),
    value: attribute.min(1, 'required'),
    role: z.string().min(1, 'required').max(64, 'tooLong'),
    allNetworks: z.boolean().default(false),
    networks: z.array(id).max(limits.networks, 'tooMany').default([]),
  }),
  /** One line; never the super administrator's role. It counts from each person's next sign-in on. */
  run(context, { id: wanted, ...input }) {
    const { runtime, actor, log } = context
    return runtime.db.transaction(tx => {
      const rows = rowsOf(tx, actor.organization)
      const row = wanted === undefined ? undefined : rows.find(one => one.id === wanted)
      if (wanted !== undefined && !row) fail('documentNotFound')
      if (!row && rows.length >= limits.samlRoles) fail('documentLimit', { max: limits.samlRoles })
      if (rows.some(one => one.id !== wanted && one.value === input.value)) failFields({ value: 'nameExists' })
      const { id: role } = givenRole(tx, actor, input.role)
      const networks = givenNetworks(tx, actor, input)
      const values = {
        ...{ organization: actor.organization, value: input.value, role, allNetworks: networks === 'all' },
        networks: JSON.stringify(networks === 'all' ? [] : networks),
      }
      const saved = row
        ? tx.update(samlRoles).set(values).where(eq(samlRoles.id, row.id)).returning().get()
        : tx.insert(samlRoles).values(values).returning().get()
      const { organization: _, id: __, ...was } = row ?? ({} as Partial<RoleRow>)
      const keys = (['value', 'role', 'allNetworks', 'networks'] as const).filter(key => was[key] !== saved[key])
      log({
        action: row ? 'edit' : 'add',
        object: 'samlRole',
        name: saved.value,
        fields: Object.fromEntries(keys.map(key => [key, [was[key] ?? null, saved[key]]])),
      })
      return { id: saved.id }
    })
  },
})

const rolesDelete = call({
  ...changing,
  path: 'saml/roles/delete',
  input: z.strictObject({ id }),
  run({ runtime, actor, log }, input) {
    runtime.db.transaction(tx => {
      const own = and(eq(samlRoles.id, input.id), eq(samlRoles.organization, actor.organization))
      const row = tx.delete(samlRoles).where(own).returning().get() ?? fail('documentNotFound')
      log({ action: 'delete', object: 'samlRole', name: row.value, fields: { role: [row.role, null] } })
    })
    return {}
  },
})

export const samlCalls = [get, save, rolesList, rolesSave, rolesDelete] as const
