import { createHash } from 'node:crypto'
import { ppsk as kind, type PpskFields } from '@/model/profiles/ppsk'
import { isRawKey } from '@/model/rules'
import type { DesiredDocument, Warning } from '../driver'
import type { Radio } from '../observation'
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

export const withPrivateKeys = ({ security }: Pick<Ssid, 'security'>): boolean =>
  security === 'ppsk' || security === 'ppskWpa3'

/**
 * A client that signs in by SAE does not say whose password it has: it is known by its MAC address, or not at all. In
 * hostapd's line the address follows the password, and a file of such lines has remarks.
 */
const saeCan = ({ key, mac }: PrivateKey) =>
  mac !== undefined && !isRawKey(key) && !key.includes('|mac=') && !key.startsWith('#')

const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('hex')

/** The keys of a network that are switched on, in a lasting order; a reference is its document's data here. */
export function privateKeys(one: Ssid, documents: readonly DesiredDocument[]): PrivateKey[] {
  if (!withPrivateKeys(one)) return []
  return documents
    .filter(document => document.kind === kind.id)
    .filter(({ data: { ssid } }) => ssid === undefined || (ssid as { name?: unknown }).name === one.name)
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

/**
 * The keys that hold on a radio, with a warning for each that does not. `reaches`: whether the device has the VLAN.
 */
export function keysOnRadio(
  one: Ssid,
  radio: Radio,
  documents: readonly DesiredDocument[],
  reaches: (vlan: number) => boolean,
): { keys: PrivateKey[]; warnings: Warning[] } {
  const values = { ssid: one.name, radio: radio.name }
  const problem = (key: PrivateKey) => {
    if (one.security === 'ppskWpa3' && !saeCan(key)) return 'privateKeyWpa3' as const
    return key.vlan !== undefined && !reaches(key.vlan) ? ('privateKeyVlan' as const) : undefined
  }
  const judged = privateKeys(one, documents).map(key => ({ key, code: problem(key) }))
  const keys = judged.flatMap(({ key, code }) => (code ? [] : [key]))
  const warnings = judged.flatMap(({ key: { document, name, vlan = 0 }, code }) =>
    code ? [{ code, kind: kind.id, document, values: { ...values, name, vlan } }] : [],
  )
  const none = { code: 'privateKeyNone' as const, kind: 'ssid', document: one.id, values }
  return { keys, warnings: withPrivateKeys(one) && keys.length === 0 ? [...warnings, none] : warnings }
}

/** The VLANs that keys lead to. */
export const vlansOf = (keys: readonly PrivateKey[]): number[] =>
  [...new Set(keys.flatMap(({ vlan }) => vlan ?? []))].sort((a, b) => a - b)

/** Where a network has to have a key of its own beside them: one that nobody knows. Rule W2: WPA3 takes no raw one. */
export const unknownKey = (one: Ssid, keys: readonly PrivateKey[]): string =>
  digest('unknown key', one.id, ...keys.map(({ key }) => key)).slice(0, one.security === 'ppskWpa3' ? 63 : 64)
