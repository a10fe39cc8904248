import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import {
  type Certificate,
  certificatesIn,
  describe,
  dnsNamesOf,
  isIssued,
  leads,
  longestChain,
} from '@/server/kernel/certificates/read'
import { certificateFile } from '@/server/kernel/certificates/served'
import { type Config, machineNames } from '@/server/kernel/config'

// By what name phones may ask the portal (RFC 8908). They are told of it in advance (RFC 8910) and ask nothing else then, so
// nobody is told of a name whose certificate they do not trust, or soon not any more.

/** Why phones are told of nothing: no portal, the manager's own certificate, none of its names in it, or its times. */
export type Unnamed = 'noPortal' | 'ownCertificate' | 'noName' | 'notYet' | 'ended' | 'endsSoon'
export type PortalName =
  | {
      name: string
      /** When the certificate ends, unix ms. */
      ends: number
      /** Phones trust who signed it without having been told to. */
      known: boolean
    }
  | { why: Unnamed; ends?: number; names?: string[] }

type Chain = {
  own: Certificate
  /** When the first of those ends that a phone needs. */
  ends: number
  known: boolean
}

function chainOf(pem: string): Chain | undefined {
  const certificates = (certificatesIn(pem) ?? []).slice(0, longestChain)
  const [own] = certificates
  if (!own) return undefined
  const ends = Math.min(...certificates.map(one => describe(one).validTo))
  return { own, ends, known: leads(certificates) }
}

let read: { file: string; stamp: string; chain: Chain | undefined } | undefined
/** The uploaded chain; it is opened again only once its file is another. */
function uploaded({ data }: Pick<Config, 'data'>): Chain | undefined {
  const file = certificateFile(data, 'uploaded')
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

/** So long before its end a certificate is one that ends: there has to be time to push, and for leases to run out. */
const endsSoonMs = 7 * 86_400_000

/** What phones may be told of the portal at this moment (unix ms), by the certificate that somebody put here. */
export function portalName(config: Pick<Config, 'data' | 'names' | 'portalPort'>, now = Date.now()): PortalName {
  if (config.portalPort === 0) return { why: 'noPortal' }
  const chain = uploaded(config)
  if (!chain || !isIssued(chain.own)) return { why: 'ownCertificate' }
  const { own, ends, known } = chain
  const names = machineNames(config).filter(isNamed)
  const name = names.find(one => own.checkHost(one, { subject: 'never' }) !== undefined)
  if (name === undefined) return { why: 'noName', names: dnsNamesOf(own) }
  const from = describe(own).validFrom
  if (from > now) return { why: 'notYet', ends: from }
  if (ends <= now) return { why: 'ended', ends }
  return ends - now < endsSoonMs ? { why: 'endsSoon', ends } : { name, ends, known }
}
