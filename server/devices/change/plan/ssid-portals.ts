import type { Assign } from '@/model/assign'
import type { Data } from '@/model/kind'
import { vlanOfSsid } from '@/model/wifi/ssid'
import type { Warning } from '@/server/drivers/driver'
import type { DocumentRow } from '@/server/kernel/documents'
import { portalOfLan, type SsidPortal, ssidPortals } from '@/server/networks/settings/portals'
import { isAssigned } from './assigned'

// Portals of Wi-Fi networks, in the plans of the gateways that ask for them and of the access points that send them out.

type Network = {
  rows: readonly DocumentRow[]
  links: readonly { from: string; field: string; to: string }[]
  assigns: ReadonlyMap<string, Assign>
  /** With their groups up to the root. */
  gateways: readonly { id: number; name: string; path: readonly number[] }[]
}
type Clear = ReadonlyMap<string, Data>

const namedOf = ({ rows }: Pick<Network, 'rows'>, kind: string, clear: Clear) =>
  rows.flatMap(row => {
    const data = clear.get(row.id)
    return row.kind === kind && data ? [{ row, name: row.name, data }] : []
  })

const bySsidOf = (network: Pick<Network, 'rows'>, clear: Clear): Map<number, SsidPortal> =>
  ssidPortals(namedOf(network, 'ssid', clear))

/** LAN networks have the portals of their Wi-Fi networks. */
export function withSsidPortals(network: Pick<Network, 'rows'>, clear: Clear): Map<string, Data> {
  const bySsid = bySsidOf(network, clear)
  const lans = bySsid.size === 0 ? [] : namedOf(network, 'lan', clear)
  const given = lans.map(({ row, data }) => [row.id, { ...data, portal: portalOfLan(data, bySsid) }] as const)
  return new Map([...clear, ...given])
}

type Found = { row: DocumentRow; data: Data }

const gatewaysOf = (network: Network, lan: DocumentRow): string[] =>
  network.gateways
    .filter(one => {
      const assign = network.assigns.get(lan.id)
      return assign !== undefined && isAssigned(assign, one.id, one.path)
    })
    .map(one => one.name)
    .sort()

/** Who asks an access point's guests, or why nobody would. */
function ofSsid({ row, data }: Found, network: Network, clear: Clear): Warning[] {
  if (data.portal === undefined || data.enabled === false) return []
  const about = { kind: 'ssid', document: row.id }
  const vlan = vlanOfSsid(data)
  const lan = namedOf(network, 'lan', clear).find(one => one.data.vlan === vlan)
  if (!lan) return [{ ...about, code: 'ssidPortalLan', values: { ssid: row.name, vlan }, blocks: true }]
  const gateways = gatewaysOf(network, lan.row)
  const values = { ssid: row.name, lan: lan.name, gateways: gateways.join(', ') }
  return gateways.length === 0
    ? [{ ...about, code: 'ssidPortalGateway', values, blocks: true }]
    : [{ ...about, code: 'ssidPortal', values }]
}

/** Whom a gateway asks because Wi-Fi networks of the VLAN want it. `stored`: without the portals of Wi-Fi networks. */
function ofLan({ row, data }: Found, bySsid: ReadonlyMap<number, SsidPortal>): Warning[] {
  const asked = bySsid.get(Number(data.vlan))
  if (data.portal !== undefined || !asked) return []
  const values = { lan: row.name, ssids: asked.ssids.join(', '), vlan: Number(data.vlan) }
  return [{ code: 'portalSsids', kind: 'lan', document: row.id, values }]
}

/** What is to be said of portals to one device; `stored`: the documents without the portals of Wi-Fi networks. */
export function portalWarnings(
  wanted: readonly DocumentRow[],
  network: Network,
  device: { id: number },
  stored: Clear,
): Warning[] {
  const bySsid = bySsidOf(network, stored)
  if (bySsid.size === 0) return []
  const isGateway = network.gateways.some(one => one.id === device.id)
  return wanted.flatMap(row => {
    const data = stored.get(row.id)
    if (!data) return []
    if (row.kind === 'ssid') return ofSsid({ row, data }, network, stored)
    return row.kind === 'lan' && isGateway ? ofLan({ row, data }, bySsid) : []
  })
}

const vlanIn = ({ data }: DocumentRow) => (JSON.parse(data) as Data).vlan

/** Rows that a gateway's plan is made of besides those it is given: Wi-Fi networks that ask for a portal, and the portals. */
export function portalRows(network: Network, given: readonly DocumentRow[]): DocumentRow[] {
  const asking = network.links.filter(one => one.field === 'portal')
  const lans = given.filter(row => row.kind === 'lan').map(vlanIn)
  const known = new Set(given.map(row => row.id))
  const ssids = network.rows.filter(
    row => row.kind === 'ssid' && asking.some(one => one.from === row.id) && lans.includes(vlanIn(row) ?? 1),
  )
  const portals = new Set(asking.filter(one => ssids.some(row => row.id === one.from)).map(one => one.to))
  return [...ssids, ...network.rows.filter(row => portals.has(row.id))].filter(row => !known.has(row.id))
}
