import type { Warning } from '../../driver'
import type { Observation } from '../../observation'
import type { Announced } from '../../unix/gate-api'
import type { LanNetwork } from '../../unix/lans'
import { clean, mac, present } from '../../unix/text'
import { prefix } from '../uci/package'
import { type Section, valuesOf } from '../uci/show'

// One dnsmasq serves all of the device: what its owner reserved in /etc/config/dhcp stands beside our reservations. Two of
// one address are none that it starts with.

type Reservation = NonNullable<Observation['reservations']>[number]

const most = 2_000

/** Option that holds the name, by type of section. */
const names = { host: 'name', domain: 'name', cname: 'cname' } as const
const isType = (type: string): type is Reservation['type'] => Object.hasOwn(names, type)

const reservationOf = (section: Section): Reservation[] => {
  const { type, name } = section
  if (!isType(type) || name.startsWith(prefix)) return []
  const [label, address] = [names[type], 'ip'].map(option => clean(valuesOf(section, option)[0], 255))
  const macs = valuesOf(section, 'mac').flatMap(text => mac(text) ?? [])
  return [present({ by: `dhcp.${name}`, type, name: label?.toLowerCase(), address, macs })]
}

/** What the owner of a device reserved on it. */
export const reservationsOf = (dhcp: readonly Section[]): Reservation[] => dhcp.flatMap(reservationOf).slice(0, most)

type Own = { name?: string; address: string; mac?: string }

/** What ours and another one cannot both have. A name for the address that it has anyway is none, nor is a second address. */
function shared(own: Own, { type, name, address, macs }: Reservation): string | undefined {
  if (type === 'host' && address === own.address) return own.address
  const sameName = own.name !== undefined && own.name.toLowerCase() === name
  const sameOwner = type === 'host' ? macs.includes(own.mac ?? '') : address === own.address
  return sameName && !sameOwner ? own.name : undefined
}

function judged(network: LanNetwork, own: Own, theirs: readonly Reservation[]): Warning[] {
  const about = { kind: 'lan', document: network.id }
  const lost = theirs.flatMap((one): Warning[] => {
    const value = shared(own, one)
    if (value === undefined) return []
    return [{ ...about, code: 'lanReserved', values: { lan: network.name, value, by: one.by }, blocks: true }]
  })
  if (lost[0]) return [lost[0]]
  const second = theirs.find(
    one => one.type === 'host' && one.address !== undefined && one.macs.includes(own.mac ?? ''),
  )
  if (!second) return []
  const values = { lan: network.name, mac: own.mac ?? '', address: second.address ?? '', by: second.by }
  return [{ ...about, code: 'lanReservedTwice', values }]
}

/** Reservations of a network, and the portal's name, that the device's own configuration has otherwise. */
export function reservedWarnings(
  network: LanNetwork,
  announced: Announced | undefined,
  seen: Pick<Observation, 'reservations'> | undefined,
): Warning[] {
  const theirs = seen?.reservations ?? []
  const own: Own[] = [...network.leases, ...(announced ? [{ name: announced.name, address: announced.address }] : [])]
  return theirs.length === 0 ? [] : own.flatMap(one => judged(network, one, theirs))
}
