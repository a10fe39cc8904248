import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { writeFileSafely } from '@/db/generation'
import { failFields } from '@/server/kernel/fail'

/** Rule P10. */
export const certificateBytes = 50 * 1024

export type CertificateInfo = {
  /** `own`: made by the manager and renewed by itself; `uploaded`: its owner renews it. */
  source: 'own' | 'uploaded'
  subject: string
  issuer: string
  names: string[]
  /** Unix ms. */
  validFrom: number
  validTo: number
  /** SHA-256, colons. */
  fingerprint: string
}

const folderOf = (data: string) => `${data}/tls`
const oneLine = (name: string) => name.split('\n').join(', ')

function describe(pem: string, source: CertificateInfo['source']): CertificateInfo {
  const found = new X509Certificate(pem)
  return {
    source,
    subject: oneLine(found.subject),
    issuer: oneLine(found.issuer),
    names: (found.subjectAltName ?? '')
      .split(', ')
      .map(name => name.replace(/^(DNS|IP Address):/, ''))
      .filter(Boolean),
    validFrom: Date.parse(found.validFrom),
    validTo: Date.parse(found.validTo),
    fingerprint: found.fingerprint256,
  }
}

/** The certificate that the console shows to browsers now. */
export function currentCertificate(data: string): CertificateInfo | undefined {
  const folder = folderOf(data)
  for (const source of ['uploaded', 'own'] as const) {
    const file = `${folder}/${source}.crt`
    if (existsSync(/* turbopackIgnore: true */ file))
      return describe(readFileSync(/* turbopackIgnore: true */ file, 'utf8'), source)
  }
  return undefined
}

/** The same with its key, PEM, for what else serves TLS; undefined before there is one. */
export function certificatePair(data: string): { cert: string; key: string } | undefined {
  for (const source of ['uploaded', 'own'] as const) {
    try {
      const read = (ending: string) =>
        readFileSync(/* turbopackIgnore: true */ `${folderOf(data)}/${source}.${ending}`, 'utf8')
      return { cert: read('crt'), key: read('key') }
    } catch {
      // The next.
    }
  }
  return undefined
}

const begins = (pem: string, what: RegExp) => (pem.match(what) ?? []).length

function readCertificate(pem: string, now: number): X509Certificate {
  if (begins(pem, /-----BEGIN [A-Z ]*PRIVATE KEY-----/g))
    failFields({ certificate: 'certificateHasKey' }, 'certificateInvalid')
  try {
    // The first of a chain is the server's own; the others follow it to the browser.
    const found = new X509Certificate(pem)
    if (Date.parse(found.validTo) < now) failFields({ certificate: 'certificateExpired' }, 'certificateInvalid')
    return found
  } catch (error) {
    if ((error as { brand?: string }).brand) throw error
    return failFields({ certificate: 'certificateFormat' }, 'certificateInvalid')
  }
}

function readKey(pem: string): KeyObject {
  const keys = begins(pem, /-----BEGIN [A-Z ]*PRIVATE KEY-----/g)
  if (keys > 1) failFields({ key: 'oneKey' }, 'certificateInvalid')
  if (/ENCRYPTED/.test(pem)) failFields({ key: 'keyEncrypted' }, 'certificateInvalid')
  try {
    return createPrivateKey(pem)
  } catch {
    return failFields({ key: 'keyFormat' }, 'certificateInvalid')
  }
}

/** The server in front takes the files up without a restart. */
const announce = () => void process.emit('lanward:certificate' as never)

/**
 * Rule P10: takes a certificate (with its chain) and its one private key, PEM. Refused at the field, with nothing
 * changed: no certificate, expired, a key among the certificates, several keys, an encrypted key, or another one's.
 */
export function installCertificate(
  data: string,
  pair: { certificate: string; key: string },
  now: number,
): CertificateInfo {
  const found = readCertificate(pair.certificate, now)
  if (!found.checkPrivateKey(readKey(pair.key))) failFields({ key: 'keyOfAnother' }, 'certificateInvalid')
  const folder = folderOf(data)
  // The key goes first: a certificate beside a key of another would stop the next start.
  rmSync(/* turbopackIgnore: true */ `${folder}/uploaded.crt`, { force: true })
  writeFileSafely(folder, 'uploaded.key', pair.key)
  writeFileSafely(folder, 'uploaded.crt', pair.certificate)
  announce()
  return describe(pair.certificate, 'uploaded')
}

/** Back to the manager's own certificate. */
export function removeCertificate(data: string): void {
  for (const name of ['uploaded.crt', 'uploaded.key'])
    rmSync(/* turbopackIgnore: true */ `${folderOf(data)}/${name}`, { force: true })
  announce()
}
