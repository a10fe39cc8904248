// An organization's own certificates, judged by openssl.
import { execFileSync, spawnSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { eq } from 'drizzle-orm'
import { certificateAuthorities, certificates, changelog } from '@/db/schema'
import { codes } from '@/model/codes'
import { makeAuthority, sign } from '@/server/networks/certificates/x509'
import { removeFolder } from '../../appliance/_manager'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let owner: Browser
const folder = mkdtempSync(`${tmpdir()}/lanward-certificates-`)
beforeAll(async () => {
  one = await startTestManager()
  owner = await finishedWizard(one)
})
afterAll(async () => {
  await one.stop()
  removeFolder(folder)
})

const file = (name: string, text: string) => {
  writeFileSync(`${folder}/${name}`, text)
  return `${folder}/${name}`
}
const get = async (query: Record<string, string>) => {
  const reply = await owner.raw(`exports/certificate?${new URLSearchParams(query)}`, { method: 'GET' })
  return reply.text()
}
/** What openssl says of a certificate by the authority and, where it is given, its list of revoked ones. */
function verify(certificate: string, authority: string, crl?: string) {
  const revoked = crl === undefined ? [] : ['-crl_check', '-CRLfile', file('list.crl', crl)]
  const words = ['verify', '-x509_strict', '-CAfile', file('ca.crt', authority), ...revoked]
  return spawnSync('openssl', [...words, file('one.crt', certificate)], { encoding: 'utf8' })
}
const issue = (input: object) => owner.post('certificates/issue', input)
const list = async () => (await owner.post('certificates/list', {})).data.result as Record<string, unknown>[]

test('there is no authority before something is issued', async () => {
  expect(await get({ what: 'authority' })).toContain(String(codes.certificateNone))
})

test('a client certificate is the authority’s, for signing in, with its own key; openssl takes it', async () => {
  const { data } = await issue({ name: 'alice@harbour', days: 30 })
  expect(data).toMatchObject({ name: 'alice@harbour', use: 'client', state: 'valid', revokedAt: null })
  const authority = await get({ what: 'authority' })
  const certificate = await get({ what: 'certificate', id: String(data.id) })
  expect(verify(certificate, authority)).toMatchObject({ status: 0 })
  const seen = new X509Certificate(certificate)
  expect(seen.subject).toBe('CN=alice@harbour')
  expect(new X509Certificate(authority).subject).toContain('O=Harbour House')
  expect(seen.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect(Date.parse(seen.validTo) - Date.now()).toBeGreaterThan(29 * 86_400_000)
  expect(seen.serialNumber.toLowerCase()).toBe(data.serial)
  const both = await get({ what: 'key', id: String(data.id) })
  expect(seen.checkPrivateKey(createPrivateKey(both))).toBe(true)
  const entry = one.runtime.db.select().from(changelog).where(eq(changelog.action, 'export')).get()
  expect(entry).toMatchObject({ object: 'networkCertificate', name: 'alice@harbour' })
})

test('a server certificate bears its name for those who connect', async () => {
  const { data } = await issue({ name: 'vpn.harbour.test', use: 'server' })
  const seen = new X509Certificate(await get({ what: 'certificate', id: String(data.id) }))
  expect(seen.subjectAltName).toBe('DNS:vpn.harbour.test')
  expect(seen.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
})

test('a revoked certificate is on the list, and openssl refuses it; others stay', async () => {
  const { data: gone } = await issue({ name: 'mallory' })
  const { data: kept } = await issue({ name: 'bob' })
  const authority = await get({ what: 'authority' })
  const of = (id: unknown) => get({ what: 'certificate', id: String(id) })
  expect((await owner.post('certificates/revoke', { id: gone.id })).retCode).toBe(0)
  const crl = await get({ what: 'revoked' })
  expect(verify(await of(gone.id), authority, crl).stderr).toContain('certificate revoked')
  expect(verify(await of(kept.id), authority, crl)).toMatchObject({ status: 0 })
  const text = (which: string) =>
    execFileSync('openssl', ['crl', '-noout', '-crlnumber', '-in', file('n.crl', which)], { encoding: 'utf8' })
  expect(text(await get({ what: 'revoked' }))).not.toBe(text(crl))
  expect((await list()).find(row => row.id === gone.id)).toMatchObject({ state: 'revoked' })
})

test.each(['', 'zoë', 'Wang 王', 'a/b', 'a"b', 'x'.repeat(65)])(
  'P10: a certificate’s name has up to 64 letters, digits, spaces and . _ @ -; %p is refused at its field',
  async name => {
    const before = (await list()).length
    const { retCode, data } = await issue({ name })
    expect(retCode).toBe(codes.invalidInput)
    expect(data.fields).toHaveProperty('name')
    expect((await list()).length).toBe(before)
  },
)
test('P10: 64 characters are a name', async () => {
  expect((await issue({ name: `${'a'.repeat(60)}-_.@` })).retCode).toBe(0)
})

test('a name is one valid certificate’s at a time', async () => {
  const { data } = await issue({ name: 'carol' })
  expect(await issue({ name: 'carol' })).toMatchObject({ retCode: codes.certificateNameExists })
  await owner.post('certificates/revoke', { id: data.id })
  expect((await issue({ name: 'carol' })).retCode).toBe(0)
})

test('keys are sealed in the database, and another network does not see what this one has', async () => {
  const rows = one.runtime.db.select().from(certificates).all()
  const [authority] = one.runtime.db.select().from(certificateAuthorities).all()
  for (const { key } of [...rows, authority as { key: string }]) expect(key).toMatch(/^v1\./)
  const answer = await owner.post('networks/add', { networkName: 'Annex', country: 'PT', timezone: 'Europe/Lisbon' })
  const networkId = Number(answer.data.id)
  const other = await owner.post('certificates/list', { networkId })
  expect(other.data.total).toBe(0)
  const stolen = await owner.post('certificates/revoke', { networkId, id: rows[0]?.id })
  expect(stolen.retCode).toBe(codes.certificateNotFound)
})

test('two who ask at once get one authority', async () => {
  await one.runtime.db.delete(certificates).run()
  await one.runtime.db.delete(certificateAuthorities).run()
  const made = await Promise.all([issue({ name: 'first' }), issue({ name: 'second' })])
  const authority = await get({ what: 'authority' })
  for (const { data } of made)
    expect(verify(await get({ what: 'certificate', id: String(data.id) }), authority)).toMatchObject({ status: 0 })
})

test('hostile and long names of an organization or a person add no part to a subject', async () => {
  const authority = await makeAuthority(`A, CN=Root + O="x"\\${'é'.repeat(90)}`, Date.now())
  const made = await sign(authority, { name: 'bob, O=Root', use: 'client', days: 9_999 }, Date.now())
  expect(verify(made.certificate, authority.certificate)).toMatchObject({ status: 0 })
  expect(new X509Certificate(made.certificate).toLegacyObject().subject).toEqual({ CN: 'bob, O=Root' })
  expect(made.validTo).toBe(Date.parse(new X509Certificate(authority.certificate).validTo))
})
