import { rmSync } from 'node:fs'
import { writeFileSafely } from '@/db/generation'
import {
  type Certificate,
  certificateIn,
  certificatesIn,
  type Described,
  describe,
  hasPrivateKey,
  privateKeyIn,
} from '@/server/kernel/certificates/read'
import { certificateFile, keyFile, servedPair, tlsFolder } from '@/server/kernel/certificates/served'
import { failFields } from '@/server/kernel/fail'

/** Rule P10. */
export const certificateBytes = 50 * 1024

/** `own`: made by the manager and renewed by itself; `uploaded`: its owner renews it. */
export type CertificateInfo = { source: 'own' | 'uploaded' } & Described

/** The certificate that the console shows to browsers now. */
export function currentCertificate(data: string): CertificateInfo | undefined {
  const served = servedPair(data)
  const found = served && certificateIn(served.cert)
  return found && { source: served.source, ...describe(found) }
}

/** The first of a chain is the server's own; the others follow it to the browser. */
function readCertificate(pem: string, now: number): Certificate {
  if (hasPrivateKey(pem)) failFields({ certificate: 'certificateHasKey' }, 'certificateInvalid')
  const [own] = certificatesIn(pem) ?? []
  if (!own) return failFields({ certificate: 'certificateFormat' }, 'certificateInvalid')
  if (describe(own).validTo < now) failFields({ certificate: 'certificateExpired' }, 'certificateInvalid')
  return own
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
  const key = privateKeyIn(pair.key)
  if (typeof key === 'string') return failFields({ key }, 'certificateInvalid')
  if (!found.checkPrivateKey(key)) failFields({ key: 'keyOfAnother' }, 'certificateInvalid')
  // The key goes first: a certificate beside a key of another would stop the next start.
  rmSync(/* turbopackIgnore: true */ certificateFile(data, 'uploaded'), { force: true })
  writeFileSafely(tlsFolder(data), 'uploaded.key', pair.key)
  writeFileSafely(tlsFolder(data), 'uploaded.crt', pair.certificate)
  announce()
  return { source: 'uploaded', ...describe(found) }
}

/** Back to the manager's own certificate. */
export function removeCertificate(data: string): void {
  for (const file of [certificateFile(data, 'uploaded'), keyFile(data, 'uploaded')])
    rmSync(/* turbopackIgnore: true */ file, { force: true })
  announce()
}
