import { createHash } from 'node:crypto'
import { ppsk as kind, type PpskFields } from '@/model/profiles/ppsk'
import type { DesiredDocument } from '../driver'
import type { Ssid } from './ssid'

export type PrivateKey = {
  /** Twelve hexadecimal digits: another key, VLAN or MAC address is another. */
  id: string
  document: string
  name: string
  key: string
  vlan?: number
  mac?: string
}

const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('hex')

/** The keys of a network that are switched on, in a lasting order; a reference is its document's data here. */
export function privateKeys({ name, security }: Ssid, documents: readonly DesiredDocument[]): PrivateKey[] {
  if (security !== 'ppsk') return []
  return documents
    .filter(document => document.kind === kind.id)
    .filter(({ data: { ssid } }) => ssid === undefined || (ssid as { name?: unknown }).name === name)
    .map(({ id, data: { ssid: _ssid, ...rest } }) => ({ id, ...(kind.fields.parse(rest) as PpskFields) }))
    .filter(one => one.enabled)
    .map(({ id: document, name, key, vlan, mac }) => ({
      id: digest('private key', document, key, String(vlan), String(mac)).slice(0, 12),
      document,
      name,
      key,
      ...(vlan !== undefined && { vlan }),
      ...(mac !== undefined && { mac }),
    }))
    .sort((a, b) => (a.document < b.document ? -1 : 1))
}

/** Where a network has to have a key of its own beside them: one that nobody knows. */
export const unknownKey = (one: Ssid, keys: readonly PrivateKey[]): string =>
  digest('unknown key', one.id, ...keys.map(({ key }) => key))
