import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import tls from 'node:tls'
import { endsSoonMs, type PortalName, portalNames } from '@/server/devices/change/portal-name'
import type { Config } from '@/server/kernel/config'
import type { Runtime } from '@/server/kernel/runtime'

// Whether phones trust the portal by one of the manager's names: by the certificate that somebody put here.

type Chain = {
  /** The server's own first. */
  certificates: X509Certificate[]
  names: string[]
  from: number
  /** When the first of those ends that a phone needs. */
  ends: number
  issued: boolean
  known: boolean
}

let authorities: readonly X509Certificate[] | undefined
/** The authorities of browsers and phones of this name, as Node brings them along. */
function authoritiesNamed(subject: string): readonly X509Certificate[] {
  authorities ??= tls.rootCertificates.map(pem => new X509Certificate(pem))
  return authorities.filter(one => one.subject === subject)
}

const longest = 8

const signed = (of: X509Certificate, by: X509Certificate) => by.ca && of.checkIssued(by) && of.verify(by.publicKey)

/** Whether one authority leads to the next, up to one that is known, with nothing missing. */
export function leads([first, ...others]: readonly X509Certificate[], known = authoritiesNamed): boolean {
  let at = first
  for (let step = 0; at && step < longest; step++) {
    const of = at
    if (known(of.issuer).some(one => signed(of, one))) return true
    at = others.find(one => one !== of && signed(of, one))
  }
  return false
}

function chainOf(pem: string): Chain | undefined {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  try {
    const certificates = texts.slice(0, longest).map(text => new X509Certificate(text))
    const [own] = certificates
    if (!own) return undefined
    return {
      certificates,
      names: (own.subjectAltName ?? '')
        .split(', ')
        .flatMap(name => (name.startsWith('DNS:') ? [name.slice('DNS:'.length)] : [])),
      from: Date.parse(own.validFrom),
      ends: Math.min(...certificates.map(one => Date.parse(one.validTo))),
      issued: own.issuer !== own.subject,
      known: leads(certificates),
    }
  } catch {
    return undefined
  }
}

const fileOf = ({ data }: Pick<Config, 'data'>) => `${data}/tls/uploaded.crt`

let read: { file: string; stamp: string; chain: Chain | undefined } | undefined
/** The uploaded chain; it is opened again only once its file is another. */
function uploaded(config: Pick<Config, 'data'>): Chain | undefined {
  const file = fileOf(config)
  const found = statSync(/* turbopackIgnore: true */ file, { throwIfNoEntry: false })
  if (!found) return undefined
  const stamp = `${found.ino} ${found.mtimeMs} ${found.size}`
  if (read?.file !== file || read.stamp !== stamp) {
    let pem = ''
    try {
      pem = readFileSync(/* turbopackIgnore: true */ file, 'utf8')
    } catch {
      // It was taken away meanwhile.
    }
    read = { file, stamp, chain: chainOf(pem) }
  }
  return read.chain
}

/** Names that a name server of guests may answer; those of `.local` and of one label are another matter. */
const isNamed = (name: string) => isIP(name) === 0 && name.includes('.') && !/\.(local|localhost)$/.test(name)

/** What phones may be told of the portal at this moment (unix ms). */
export function portalNameBy(config: Pick<Config, 'data' | 'names' | 'portalPort'>, now: number): PortalName {
  if (config.portalPort === 0) return { why: 'noPortal' }
  const chain = uploaded(config)
  if (!chain?.issued) return { why: 'ownCertificate' }
  const { certificates, names, from, ends, known } = chain
  const own = [...config.names, hostname().toLowerCase()].filter(isNamed)
  const name = own.find(one => certificates[0]?.checkHost(one, { subject: 'never' }) !== undefined)
  if (name === undefined) return { why: 'noName', names }
  if (from > now) return { why: 'notYet', ends: from }
  if (ends <= now) return { why: 'ended', ends }
  return ends - now < endsSoonMs ? { why: 'endsSoon', ends } : { name, ends, known }
}

export const startPortalNames = (runtime: Runtime): void =>
  portalNames.start(runtime, { at: now => portalNameBy(runtime.config, now) })
