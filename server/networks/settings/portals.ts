import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { documents, refs } from '@/db/schema'
import type { Data, Kind } from '@/model/kind'
import { lan as lanKind } from '@/model/lan/lan'
import { portal as portalKind } from '@/model/profiles/portal'
import { ssid as ssidKind, vlanOfSsid } from '@/model/wifi/ssid'
import { type Config, machineNames } from '@/server/kernel/config'
import { type DocumentRow, openedRows } from '@/server/kernel/documents'
import { failFields } from '@/server/kernel/fail'
import type { Secrets } from '@/server/kernel/secrets'
import { kindRows } from './store'

// A portal stands before a LAN network, on its gateway, which cannot tell the Wi-Fi networks of a VLAN apart. So the portal
// that a Wi-Fi network refers to is that of the LAN of its VLAN, for everybody in it; one that the LAN itself has counts.

type Named = { name: string; data: Data }
export type SsidPortal = {
  portal: string
  /** Every Wi-Fi network of the VLAN that is on: clients of all of them are asked. */
  ssids: string[]
}

const isOn = ({ data }: Named) => data.enabled !== false

/** Portals that Wi-Fi networks refer to, by VLAN; 1 is the untagged LAN. */
export function ssidPortals(ssids: readonly Named[]): Map<number, SsidPortal> {
  const on = ssids.filter(isOn)
  return new Map(
    on.flatMap(({ data }) => {
      const { portal } = data
      const vlan = vlanOfSsid(data)
      const names = on.filter(one => vlanOfSsid(one.data) === vlan).map(one => one.name)
      return typeof portal === 'string' ? [[vlan, { portal, ssids: names }] as const] : []
    }),
  )
}

/** The portal that holds for a LAN network: its own, else that of its Wi-Fi networks. */
export const portalOfLan = (lan: Data, bySsid: ReadonlyMap<number, SsidPortal>): string | undefined =>
  typeof lan.portal === 'string' ? lan.portal : bySsid.get(Number(lan.vlan))?.portal

const namedRows = (secrets: Secrets, kind: Kind, rows: readonly DocumentRow[]): Named[] =>
  openedRows(secrets, kind, rows).map(({ row, data }) => ({ name: row.name, data }))

/** Portals as they are stored, in all networks, or in one. */
export const portalRows = (db: Db, network?: number): DocumentRow[] =>
  db
    .select()
    .from(documents)
    .where(
      and(
        eq(documents.kind, portalKind.id),
        eq(documents.scope, 'network'),
        network === undefined ? undefined : eq(documents.scopeId, network),
      ),
    )
    .all()

/** As `ssidPortals`, of a network as it is stored. */
export const storedSsidPortals = (db: Db, secrets: Secrets, network: number): Map<number, SsidPortal> =>
  ssidPortals(namedRows(secrets, ssidKind, kindRows(db, network, ssidKind.id)))

/** LAN networks whose clients are guests, in all networks, or in one. */
export function guestLans(db: Db, secrets: Secrets, network?: number): { network: number; lan: string }[] {
  const kinds = and(eq(refs.field, 'portal'), inArray(documents.kind, [lanKind.id, ssidKind.id]))
  const own = network === undefined ? undefined : eq(documents.scopeId, network)
  const asking = db
    .selectDistinct({ network: documents.scopeId })
    .from(refs)
    .innerJoin(documents, eq(documents.id, refs.from))
    .where(and(kinds, eq(documents.scope, 'network'), own))
    .all()
  return asking.flatMap(one => {
    const bySsid = storedSsidPortals(db, secrets, one.network)
    return openedRows(secrets, lanKind, kindRows(db, one.network, lanKind.id))
      .filter(({ data }) => portalOfLan(data, bySsid) !== undefined)
      .map(({ row }) => ({ network: one.network, lan: row.id }))
  })
}

/**
 * Refuses the guests' name of the page where the manager itself is reached by it: the gateways of guests would answer it in
 * its place.
 */
export function checkPageName(config: Pick<Config, 'names'>, kind: Kind, { pageName }: Data): void {
  if (kind.id !== portalKind.id || typeof pageName !== 'string') return
  if (machineNames(config).includes(pageName.toLowerCase())) failFields({ pageName: 'managerName' })
}

/** Refuses a portal that no gateway would ask for, or beside which another counts; `own`: the document where it is there already. */
export function checkPortals(db: Db, secrets: Secrets, network: number, kind: Kind, data: Data, own?: string): void {
  if (kind.id !== ssidKind.id && kind.id !== lanKind.id) return
  const { portal } = data
  if (typeof portal !== 'string') return
  const left = (of: Kind) =>
    namedRows(
      secrets,
      of,
      kindRows(db, network, of.id).filter(row => row.id !== own),
    )
  if (kind.id === lanKind.id) {
    const asked = ssidPortals(left(ssidKind)).get(Number(data.vlan))
    if (asked !== undefined && asked.portal !== portal) failFields({ portal: 'portalSsid' })
    return
  }
  if (data.enabled === false) return
  const lan = left(lanKind).find(one => one.data.vlan === vlanOfSsid(data))
  if (!lan) failFields({ portal: 'portalLan' })
  if (lan.data.portal !== undefined && lan.data.portal !== portal) failFields({ portal: 'portalLanOther' })
}
