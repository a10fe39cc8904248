import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'

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

/** What the certificate of now says; put here by whoever keeps certificates. */
export const portalNames = part<{ at(now: number): PortalName }>('portalNames')

export const portalName = (runtime: Runtime, now = Date.now()): PortalName =>
  portalNames.find(runtime)?.at(now) ?? { why: 'ownCertificate' }

/** So long before its end a certificate is one that ends: there has to be time to push, and for leases to run out. */
export const endsSoonMs = 7 * 86_400_000
