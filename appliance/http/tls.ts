import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { generate } from 'selfsigned'
import { type Certificate, certificateIn, describe } from '@/server/kernel/certificates/read'
import { certificateFile, keyFile, servedPair, type TlsPair, tlsFolder } from '@/server/kernel/certificates/served'

const days = 86_400_000
/** The longest life that browsers on Apple systems accept of a certificate a person trusted by hand. */
const validDays = 825
const renewBeforeDays = 30

function writeSafely(file: string, text: string): void {
  const handle = openSync(`${file}.new`, 'w', 0o600)
  writeSync(handle, text)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(`${file}.new`, file)
}

/** Names and addresses the console can be reached by on this machine. */
export function ownNames(configured: readonly string[]): string[] {
  const short = hostname().split('.')[0] ?? 'lanward'
  const addresses = Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(one => one.address))
  const usable = addresses.filter(address => !address.startsWith('fe80:'))
  return [...new Set([hostname(), short, `${short}.local`, 'localhost', ...configured, '127.0.0.1', '::1', ...usable])]
}

/** A self-signed certificate (RFC 5280) for the names, ECDSA P-256, 825 days. */
export async function makeCertificate(names: readonly string[], now = new Date()): Promise<TlsPair> {
  const altNames = names.map(name => (isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name }))
  const made = await generate([{ name: 'commonName', value: names[0] ?? 'lanward' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // A clock that was wrong at first start must not make the certificate "not yet valid".
    notBeforeDate: new Date(now.getTime() - days),
    notAfterDate: new Date(now.getTime() + (validDays - 1) * days),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  return { key: made.private, cert: made.cert }
}

const endsSoon = (own: Certificate | undefined, now: number) =>
  !own || describe(own).validTo - now < renewBeforeDays * days

/**
 * The key and certificate to serve: an uploaded pair first (never renewed here: its owner does), else the own one,
 * made when missing and again 30 days before its end.
 */
export async function loadTls(data: string, configured: readonly string[], now = Date.now()): Promise<TlsPair> {
  mkdirSync(tlsFolder(data), { recursive: true, mode: 0o700 })
  const held = servedPair(data)
  if (held && (held.source === 'uploaded' || !endsSoon(certificateIn(held.cert), now))) return held
  const made = await makeCertificate(ownNames(configured), new Date(now))
  writeSafely(keyFile(data, 'own'), made.key)
  writeSafely(certificateFile(data, 'own'), made.cert)
  return made
}
