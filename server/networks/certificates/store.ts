import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { certificateAuthorities, certificates, organizations } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'
import { makeAuthority, makeCrl, type Pair, sign, type Wanted } from './x509'

export type CertificateRow = typeof certificates.$inferSelect

const authorityPlace = (organization: number) => `certificate_authorities:${organization}:key`
const place = (id: string) => `certificates:${id}:key`

const findAuthority = (db: Db, organization: number) =>
  db.select().from(certificateAuthorities).where(eq(certificateAuthorities.organization, organization)).get()

/** The certificate of an organization's authority, PEM; undefined while it signed nothing. */
export const authorityCertificate = (db: Db, organization: number): string | undefined =>
  findAuthority(db, organization)?.certificate

/** An organization's authority with its key; made when it is asked for first. */
async function authorityOf({ db, secrets }: Runtime, organization: number, now: number): Promise<Pair> {
  if (!findAuthority(db, organization)) {
    const row = db
      .select({ name: organizations.name })
      .from(organizations)
      .where(eq(organizations.id, organization))
      .get()
    const made = await makeAuthority(row?.name ?? 'Lanward', now)
    // Whoever asked at the same time may have been first: one authority stays.
    db.insert(certificateAuthorities)
      .values({ organization, ...made, key: secrets.seal(made.key, authorityPlace(organization)) })
      .onConflictDoNothing()
      .run()
  }
  const held = findAuthority(db, organization)
  if (!held) throw new Error(`organization ${organization} has no certificate authority`)
  return { certificate: held.certificate, key: secrets.open(held.key, authorityPlace(organization)) }
}

export type Issue = Wanted & { organization: number; network: number | null }

/** Signs a certificate and keeps it with its key. `storing` runs in the transaction. */
export async function issueCertificate(
  runtime: Runtime,
  { organization, network, ...wanted }: Issue,
  now: number,
  storing: (row: CertificateRow) => void = () => undefined,
): Promise<CertificateRow> {
  const made = await sign(await authorityOf(runtime, organization, now), wanted, now)
  const id = randomUUID()
  const { name, use } = wanted
  const key = runtime.secrets.seal(made.key, place(id))
  const row: CertificateRow = { ...made, id, organization, network, name, use, key, revokedAt: null }
  runtime.db.transaction(tx => {
    tx.insert(certificates).values(row).run()
    storing(row)
  })
  return row
}

/** A certificate's private key, PEM. */
export const openKey = ({ secrets }: Runtime, { id, key }: CertificateRow): string => secrets.open(key, place(id))

/** A network's certificates, the newest first. Those of before it went over are another organization's to trust. */
export const networkCertificates = (db: Db, network: number): CertificateRow[] =>
  db
    .select()
    .from(certificates)
    .where(eq(certificates.network, network))
    .orderBy(desc(certificates.validFrom), certificates.id)
    .all()

/** Of the RADIUS server here, as its certificate has it and devices demand it. */
export const radiusName = 'radius.lanward.internal'
const renewMs = 60 * 86_400_000

/**
 * With what an organization's RADIUS server shows itself, and who signed that; PEM, `pem` with its key. Made when it is asked
 * for first, and anew two months before it ends.
 */
export async function serverCertificate(runtime: Runtime, organization: number, now: number) {
  const held = runtime.db
    .select()
    .from(certificates)
    .where(
      and(eq(certificates.organization, organization), isNull(certificates.network), eq(certificates.name, radiusName)),
    )
    .orderBy(desc(certificates.validTo))
    .get()
  const lasts = held && held.revokedAt === null && held.validTo - now > renewMs
  const names = [{ type: 'dns' as const, value: radiusName }]
  const row = lasts
    ? held
    : await issueCertificate(
        runtime,
        { organization, network: null, name: radiusName, use: 'server', days: 825, names },
        now,
      )
  return {
    pem: openKey(runtime, row) + row.certificate,
    authority: authorityCertificate(runtime.db, organization) ?? '',
  }
}

/** The list of revoked certificates, PEM, with a number that no earlier one had. */
export async function revocationList(runtime: Runtime, organization: number, now: number): Promise<string> {
  const { db } = runtime
  const authority = await authorityOf(runtime, organization, now)
  const next = db
    .update(certificateAuthorities)
    .set({ crlNumber: sql`${certificateAuthorities.crlNumber} + 1` })
    .where(eq(certificateAuthorities.organization, organization))
    .returning({ number: certificateAuthorities.crlNumber })
    .get()
  const revoked = db
    .select({ serial: certificates.serial, at: certificates.revokedAt })
    .from(certificates)
    .where(and(eq(certificates.organization, organization), isNotNull(certificates.revokedAt)))
    .all()
  return makeCrl(
    authority,
    next.number,
    revoked.map(({ serial, at }) => ({ serial, at: at ?? now })),
    now,
  )
}
