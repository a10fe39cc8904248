// Certificates and keys as people and devices send them: in chains, out of order, with whatever stands around them.
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import {
  type Certificate,
  certificateIn,
  certificatesIn,
  derOf,
  describe as described,
  dnsNamesOf,
  hasPrivateKey,
  isIssued,
  leads,
  pemsIn,
  privateKeyIn,
} from '@/server/kernel/certificates/read'
import { servedPair } from '@/server/kernel/certificates/served'
import { makeAuthority, type Pair, type Signed, sign } from '@/server/networks/certificates/x509'
import { scratchFolder } from '../../_scratch'

const day = 86_400_000
const now = Date.now()
let authority: Pair
let other: Pair
let own: Signed
let expired: Signed
beforeAll(async () => {
  authority = await makeAuthority('House', now)
  other = await makeAuthority('Other', now)
  const names = [
    { type: 'dns' as const, value: 'wifi.house.example' },
    { type: 'ip' as const, value: '192.0.2.1' },
  ]
  own = await sign(authority, { name: 'x', use: 'server', days: 30, names }, now)
  expired = await sign(authority, { name: 'old', use: 'server', days: 1 }, now - 30 * day)
})

const one = (pem: string) => certificateIn(pem) as Certificate
const subjects = (pem: string) => certificatesIn(pem)?.map(({ subject }) => subject.split('\n')[0])

test('a certificate says whose it is, for which names and how long', () => {
  const found = described(one(own.certificate))
  expect(found).toMatchObject({ subject: 'CN=x', issuer: 'CN=House CA, O=House' })
  expect(found.names).toEqual(['wifi.house.example', '192.0.2.1'])
  expect(dnsNamesOf(one(own.certificate))).toEqual(['wifi.house.example'])
  // Certificates know whole seconds.
  expect([found.validFrom, found.validTo].map(at => Math.floor(at / 1000))).toEqual(
    [own.validFrom, own.validTo].map(at => Math.floor(at / 1000)),
  )
  expect(found.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  expect(described(one(expired.certificate)).validTo).toBeLessThan(now)
  expect([own.certificate, authority.certificate, 'junk'].map(pem => isIssued(certificateIn(pem)))).toEqual([
    ...[true, false, false],
  ])
})

test('several certificates are read in their order, with what stands around them and lines as Windows ends them', () => {
  const chain = `subject=x\n${own.certificate}\n# its authority\n${authority.certificate}`
  expect(subjects(chain)).toEqual(['CN=x', 'CN=House CA'])
  expect(subjects(chain.replaceAll('\n', '\r\n'))).toEqual(['CN=x', 'CN=House CA'])
  expect(subjects(`${authority.certificate}${own.certificate}`)).toEqual(['CN=House CA', 'CN=x'])
  expect(pemsIn(chain)).toHaveLength(2)
  expect(derOf(own.certificate).equals(one(own.certificate).raw)).toBe(true)
  expect(certificateIn(derOf(own.certificate))?.subject).toBe('CN=x')
})

test('what is no certificate, or is one in part, is none', () => {
  const cut = own.certificate.slice(0, own.certificate.indexOf('-----END'))
  const forged = own.certificate.replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA')
  for (const text of ['', 'junk', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----', cut, forged, own.key])
    expect(certificatesIn(text)).toBeUndefined()
  // One that is whole does not make up for one that is not.
  for (const text of [cut, forged]) expect(certificatesIn(`${authority.certificate}${text}`)).toBeUndefined()
  expect(() => derOf('junk')).toThrow()
  expect([own.certificate, `${own.certificate}${own.key}`].map(hasPrivateKey)).toEqual([false, true])
})

test('of a private key it is told why it cannot be taken, and whether it is the certificate’s', () => {
  const key = privateKeyIn(own.key)
  if (typeof key === 'string') throw new Error(key)
  expect([own, other].map(({ certificate }) => one(certificate).checkPrivateKey(key))).toEqual([true, false])
  expect(typeof privateKeyIn(own.key.replaceAll('\n', '\r\n'))).not.toBe('string')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  // The older form says so in a line of its own.
  const older = privateKey.export({ type: 'sec1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  expect([locked, older].map(text => privateKeyIn(String(text)))).toEqual(['keyEncrypted', 'keyEncrypted'])
  expect(typeof privateKeyIn(String(privateKey.export({ type: 'sec1', format: 'pem' })))).not.toBe('string')
  expect(privateKeyIn(`${own.key}${other.key}`)).toBe('oneKey')
  expect(['', 'junk', own.certificate].map(privateKeyIn)).toEqual(['keyFormat', 'keyFormat', 'keyFormat'])
})

test('a chain leads to an authority that is known, with nothing missing and nothing forged', async () => {
  const [leaf, root, stranger] = [one(own.certificate), one(authority.certificate), one(other.certificate)]
  const known = (subject: string) => (subject === root.subject ? [root] : [])
  expect(leads([leaf], known)).toBe(true)
  expect(leads([leaf], () => [])).toBe(false)
  // The others of a file may stand in any order, the server's own is the first.
  expect(leads([leaf, stranger, root], known)).toBe(true)
  expect(leads([stranger, leaf, root], known)).toBe(false)
  // The same name with another key.
  const forged = one((await makeAuthority('House', now)).certificate)
  expect(forged.subject).toBe(root.subject)
  expect(leads([leaf], () => [forged])).toBe(false)
  // One that may not sign, and one that comes along in the file but is known to nobody.
  expect(leads([leaf, leaf])).toBe(false)
  expect(leads([leaf, stranger, root])).toBe(false)
})

test('what somebody put there is served before the manager’s own, and only with its key', () => {
  const data = scratchFolder('lanward-tls-')
  expect(servedPair(data)).toBeUndefined()
  mkdirSync(`${data}/tls`)
  const put = (name: string, text: string) => writeFileSync(`${data}/tls/${name}`, text)
  put('own.crt', 'a')
  put('own.key', 'b')
  put('uploaded.crt', 'c')
  expect(servedPair(data)).toEqual({ source: 'own', cert: 'a', key: 'b' })
  put('uploaded.key', 'd')
  expect(servedPair(data)).toEqual({ source: 'uploaded', cert: 'c', key: 'd' })
  rmSync(`${data}/tls/uploaded.crt`)
  expect(servedPair(data)?.source).toBe('own')
  rmSync(data, { recursive: true })
})
