import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { certificates, networks } from '@/db/schema'
import { isCertificateName } from '@/model/rules'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import {
  authorityCertificate,
  type CertificateRow,
  issueCertificate,
  networkCertificates,
  openKey,
  revocationList,
} from './store'

const reading = { tag: 'settings', scope: 'network', authority: 'settings_profiles', changes: false } as const
const changing = {
  tag: 'settings',
  scope: 'network',
  authority: 'settings_profiles_edit',
  changes: true,
  topics: ['settings'],
  changelog: 'entry',
  send: 'once',
} as const

/** Whose authority signs for a network: that of the organization whose it is, whoever asks. */
function organizationOf({ runtime, network }: Pick<NetworkContext, 'runtime' | 'network'>): number {
  const row = runtime.db
    .select({ organization: networks.organization })
    .from(networks)
    .where(eq(networks.id, network.id))
    .get()
  return row?.organization ?? fail('networkNotFound')
}

const stateOf = ({ revokedAt, validTo }: CertificateRow, now: number) =>
  revokedAt !== null ? 'revoked' : validTo <= now ? 'expired' : 'valid'

const viewOf = (row: CertificateRow, now: number) => ({
  id: row.id,
  name: row.name,
  use: row.use,
  serial: row.serial,
  validFrom: row.validFrom,
  validTo: row.validTo,
  revokedAt: row.revokedAt,
  state: stateOf(row, now),
})

function find(context: Pick<NetworkContext, 'runtime' | 'network'>, id: string): CertificateRow {
  const { runtime, network } = context
  const row = runtime.db
    .select()
    .from(certificates)
    .where(and(eq(certificates.id, id), eq(certificates.network, network.id)))
    .get()
  return row ?? fail('certificateNotFound', { id })
}

const list = call({
  ...reading,
  path: 'certificates/list',
  input: z.strictObject(listInput),
  /** The network's certificates, the newest first. `state`: `valid`, `expired` or `revoked`. */
  run(context, { page, pageSize, search = '' }) {
    const wanted = search.trim().toLowerCase()
    const rows = networkCertificates(context.runtime.db, context.network.id)
    const found = rows.filter(one => one.name.toLowerCase().includes(wanted))
    return paginate(
      found.map(one => viewOf(one, context.now)),
      page,
      pageSize,
    )
  },
})

/** A name is one certificate's at a time, of those that one authority signed: whoever holds it is found by it. */
function mustBeFree(rows: readonly CertificateRow[], name: string, now: number): void {
  if (rows.some(one => one.name === name && stateOf(one, now) === 'valid'))
    failFields({ name: 'nameExists' }, 'certificateNameExists')
}

const issue = call({
  ...changing,
  path: 'certificates/issue',
  input: z.strictObject({
    /** Rule P10; for signing in by RADIUS the user's name. */
    name: z.string().trim().min(1, 'required').max(64).refine(isCertificateName, 'certificateName'),
    use: z.enum(['client', 'server']).default('client'),
    days: z.int().min(1).max(3650).default(730),
  }),
  async run(context, { name, use, days }) {
    const { runtime, network, now, log } = context
    const organization = organizationOf(context)
    const others = () => networkCertificates(runtime.db, network.id).filter(one => one.organization === organization)
    mustBeFree(others(), name, now)
    const names = use === 'server' ? [{ type: 'dns' as const, value: name }] : []
    const row = await issueCertificate(
      runtime,
      { organization, network: network.id, name, use, days, names },
      now,
      ({ serial }) => {
        // Somebody may have been quicker while it was signed.
        const quicker = others().filter(one => one.serial !== serial)
        mustBeFree(quicker, name, now)
        log({ action: 'add', object: 'networkCertificate', name, network: network.id, fields: { days: [null, days] } })
      },
    )
    runtime.bus.emit({ topic: 'settings', id: network.id, organization, network: network.id })
    return viewOf(row, now)
  },
})

const revoke = call({
  ...changing,
  path: 'certificates/revoke',
  input: z.strictObject({ id: z.uuid('notFound') }),
  /** Nobody signs in with it any more; there is no way back. */
  run(context, { id }) {
    const { runtime, network, now, log } = context
    const row = find(context, id)
    if (row.revokedAt === null)
      runtime.db.transaction(tx => {
        tx.update(certificates).set({ revokedAt: now }).where(eq(certificates.id, id)).run()
        log({ action: 'revoke', object: 'networkCertificate', name: row.name, network: network.id })
      })
    runtime.bus.emit({ topic: 'settings', id: network.id, organization: organizationOf(context), network: network.id })
    return {}
  },
})

const fileOf = (name: string, text: string) =>
  new Response(text, {
    headers: {
      'content-type': 'application/x-pem-file',
      'content-disposition': `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`,
      'cache-control': 'no-store',
    },
  })

const exported = call({
  ...reading,
  path: 'exports/certificate',
  authority: 'settings_profiles_edit',
  changelog: 'entry',
  get: true,
  exports: true,
  input: z.strictObject({
    /** Needed for `certificate` and `key`. */
    id: z.uuid('notFound').optional(),
    /** `authority`: whom to trust; `revoked`: the list of revoked certificates; `key`: the certificate with its private key. */
    what: z.enum(['authority', 'revoked', 'certificate', 'key']),
  }),
  async run(context, { id, what }) {
    const { runtime, now, log, network } = context
    const organization = organizationOf(context)
    if (what === 'revoked') return fileOf('revoked.crl', await revocationList(runtime, organization, now))
    if (what === 'authority')
      return fileOf('authority.crt', authorityCertificate(runtime.db, organization) ?? fail('certificateNone'))
    const row = find(context, id ?? failFields({ id: 'required' }))
    if (what === 'certificate') return fileOf(`${row.name}.crt`, row.certificate)
    log({ action: 'export', object: 'networkCertificate', name: row.name, network: network.id })
    return fileOf(`${row.name}.pem`, openKey(runtime, row) + row.certificate)
  },
})

export const certificateCalls = [list, issue, revoke, exported]
