import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import tls from 'node:tls'

// Certificates and private keys in PEM (RFC 7468), read. Who may put one where, and what it is refused with, is elsewhere.

export type Certificate = X509Certificate
export type Described = {
  subject: string
  issuer: string
  /** DNS names and addresses that it is for. */
  names: string[]
  /** Unix ms. */
  validFrom: number
  validTo: number
  /** SHA-256, colons. */
  fingerprint: string
}

const begins = (text: string, what: RegExp) => (text.match(what) ?? []).length
const beginning = /-----BEGIN CERTIFICATE-----/g
const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const keyBeginning = /-----BEGIN [A-Z ]*PRIVATE KEY-----/g

/** One certificate, PEM or DER; of several the first. Undefined where there is none that can be read. */
export function certificateIn(text: string | Buffer): Certificate | undefined {
  try {
    return new X509Certificate(text)
  } catch {
    return undefined
  }
}

/** The bytes of a certificate that is known to be one. Throws where it is none. */
export const derOf = (pem: string): Buffer => new X509Certificate(pem).raw

/** The text of each certificate, in their order, without what stands around them. */
export const pemsIn = (text: string): string[] => text.match(block) ?? []

/** All certificates of a text in their order; undefined where there is none, or one that cannot be read. */
export function certificatesIn(text: string): Certificate[] | undefined {
  const pems = pemsIn(text)
  const found = pems.flatMap(pem => certificateIn(pem) ?? [])
  return found.length > 0 && found.length === begins(text, beginning) ? found : undefined
}

export const hasPrivateKey = (text: string): boolean => begins(text, keyBeginning) > 0

/** The one private key of a text, or why there is none. */
export function privateKeyIn(text: string): KeyObject | 'oneKey' | 'keyEncrypted' | 'keyFormat' {
  if (begins(text, keyBeginning) > 1) return 'oneKey'
  if (/ENCRYPTED/.test(text)) return 'keyEncrypted'
  try {
    return createPrivateKey(text)
  } catch {
    return 'keyFormat'
  }
}

const oneLine = (name: string) => name.split('\n').join(', ')
const namesOf = ({ subjectAltName = '' }: Certificate, kind: RegExp) =>
  subjectAltName.split(', ').flatMap(name => (kind.test(name) ? [name.replace(kind, '')] : []))

export const dnsNamesOf = (one: Certificate): string[] => namesOf(one, /^DNS:/)

export const describe = (one: Certificate): Described => ({
  subject: oneLine(one.subject),
  issuer: oneLine(one.issuer),
  names: namesOf(one, /^(DNS:|IP Address:)/),
  validFrom: Date.parse(one.validFrom),
  validTo: Date.parse(one.validTo),
  fingerprint: one.fingerprint256,
})

/** Signed by somebody else, as those are that browsers trust by themselves; one's own makes no such promise. */
export const isIssued = (one: Certificate | undefined): boolean => one !== undefined && one.issuer !== one.subject

let authorities: readonly Certificate[] | undefined
/** The authorities of browsers and phones of this name, as Node brings them along. */
function authoritiesNamed(subject: string): readonly Certificate[] {
  authorities ??= tls.rootCertificates.map(pem => new X509Certificate(pem))
  return authorities.filter(one => one.subject === subject)
}

/** So many certificates of a chain are looked at. */
export const longestChain = 8

const signed = (of: Certificate, by: Certificate) => by.ca && of.checkIssued(by) && of.verify(by.publicKey)

/** Whether one authority leads to the next, up to one that is known, with nothing missing: the first one's, in any order. */
export function leads([first, ...others]: readonly Certificate[], known = authoritiesNamed): boolean {
  let at = first
  for (let step = 0; at && step < longestChain; step++) {
    const of = at
    if (known(of.issuer).some(one => signed(of, one))) return true
    at = others.find(one => one !== of && signed(of, one))
  }
  return false
}
