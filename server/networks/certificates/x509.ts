import { randomBytes, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

// Certificates as an authority makes them: keys of P-256, signed with SHA-256. What is stored and who may is elsewhere.

x509.cryptoProvider.set(webcrypto as Crypto)

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const dayMs = 86_400_000
/** A clock that is a little behind takes a new certificate, too. */
const earlierMs = 3_600_000

/** A certificate with its key; PEM, the key as PKCS #8. */
export type Pair = { certificate: string; key: string }
export type Signed = Pair & { serial: string; validFrom: number; validTo: number }

const ofKey = async (key: CryptoKey) =>
  `${x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`
const pem = (one: x509.X509Certificate) => `${one.toString('pem')}\n`
const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
const signingKey = (key: string) =>
  webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(key), algorithm, false, ['sign'])

/** 127 bits, never 0 and never negative. */
function newSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.toString('hex')
}
/** A name as one part of a subject: whatever is in it, it adds no other part. */
const subjectOf = (name: string, organization?: string): x509.JsonName => [
  { CN: [name] },
  ...(organization === undefined ? [] : [{ O: [organization] }]),
]

/** An authority of an organization, for twenty years. */
export async function makeAuthority(organization: string, now: number): Promise<Pair> {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    // RFC 5280: 64 characters of each at most.
    name: subjectOf(`${organization.slice(0, 56)} CA`, organization.slice(0, 64)),
    notBefore: new Date(now - earlierMs),
    notAfter: new Date(now + 7300 * dayMs),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certificate: pem(certificate), key: await ofKey(keys.privateKey) }
}

export type Wanted = {
  name: string
  use: 'server' | 'client'
  days: number
  /** Names and addresses under which a server is reached. */
  names?: readonly { type: 'dns' | 'ip'; value: string }[]
}

/** A certificate signed by an authority, with a new key. It ends no later than its authority. */
export async function sign(authority: Pair, { name, use, days, names = [] }: Wanted, now: number): Promise<Signed> {
  const issuer = new x509.X509Certificate(authority.certificate)
  const keys = await newKeys()
  const serial = newSerial()
  const [validFrom, validTo] = [now - earlierMs, Math.min(now + days * dayMs, issuer.notAfter.getTime())]
  const usage = use === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: subjectOf(name),
    issuer: issuer.subject,
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority.key),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([usage]),
      ...(names.length ? [new x509.SubjectAlternativeNameExtension([...names])] : []),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certificate: pem(certificate), key: await ofKey(keys.privateKey), serial, validFrom, validTo }
}

export type Revoked = { serial: string; at: number }

/** The list of an authority's revoked certificates, PEM; who reads it asks for the next within 30 days. */
export async function makeCrl(authority: Pair, number: number, revoked: readonly Revoked[], now: number) {
  const issuer = new x509.X509Certificate(authority.certificate)
  const crl = await x509.X509CrlGenerator.create({
    issuer: issuer.subject,
    thisUpdate: new Date(now - earlierMs),
    nextUpdate: new Date(now + 30 * dayMs),
    signingKey: await signingKey(authority.key),
    signingAlgorithm: algorithm,
    entries: revoked.map(one => ({ serialNumber: one.serial, revocationDate: new Date(one.at) })),
    extensions: [await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey), crlNumber(number)],
  })
  return `${x509.PemConverter.encode(crl.rawData, 'X509 CRL')}\n`
}

/** RFC 5280 section 5.2.3: a DER integer, never negative. */
function crlNumber(number: number): x509.Extension {
  const digits = number.toString(16)
  const bytes = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')
  const body = (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
  return new x509.Extension('2.5.29.20', false, Buffer.concat([Buffer.from([2, body.length]), body]))
}
