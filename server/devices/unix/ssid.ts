import { ssid as kind } from '@/model/wifi/ssid'
import type { DesiredDocument } from '../driver'

export type Ssid = {
  id: string
  name: string
  enabled: boolean
  bands: ('2g' | '5g' | '6g')[]
  hidden: boolean
  security: 'open' | 'owe' | 'wpa2' | 'wpa2wpa3' | 'wpa3'
  key?: string
  vlan?: number
  isolation: boolean
  maxClients: number
  dtim: number
}

/** The wireless networks that are switched on, in a lasting order: by name, since a plan must not depend on the storage's. */
export const ssids = (documents: DesiredDocument[]): Ssid[] =>
  documents
    .filter(document => document.kind === kind.id)
    .map(document => ({ ...kind.fields.parse(document.data), id: document.id }) as unknown as Ssid)
    .filter(one => one.enabled)
    .sort((a, b) => (a.name === b.name ? compare(a.id, b.id) : compare(a.name, b.name)))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** What differs between two readings of the same network's settings. */
export const changedFields = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value))
