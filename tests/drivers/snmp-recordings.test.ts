import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Port } from '@/server/drivers/hardware'
import type { Host, Interface, LldpNeighbour, Observation } from '@/server/drivers/observation'
import { sampled } from '../_sample'
import { observeWalk } from './recording'
import table from './snmp-recordings.expected.json'

// What the driver makes of walks of real devices, against a table worked out from the walks themselves by other means.
// The recordings are not part of the repository: LANWARD_RECORDINGS names their folder.

const folder = process.env.LANWARD_RECORDINGS && join(process.env.LANWARD_RECORDINGS, 'snmp')

const tally = (values: (number | undefined)[]) => {
  const found: Record<string, number> = {}
  for (const value of values) if (value !== undefined) found[value] = (found[value] ?? 0) + 1
  return found
}
const sum = (values: (number | undefined)[]) => values.reduce<number>((total, each) => total + (each ?? 0), 0)

function interfacesSummary(all: Interface[]) {
  return {
    interfaces: all.length,
    up: all.filter(each => each.up).length,
    adminDown: all.filter(each => each.adminUp === false).length,
    counters64: all.filter(each => each.counters?.bits === 64).length,
    counters32only: all.filter(each => each.counters?.bits === 32).length,
    inOctets: sum(all.map(each => each.counters?.inOctets)),
    addresses: sum(all.map(each => each.addresses?.length)),
  }
}

function hostsSummary(all: Host[]) {
  const learned = all.filter(each => each.source !== 'arp')
  const more = learned.length - new Set(learned.map(each => `${each.mac} ${each.vlan}`)).size
  return {
    forwardingRows: learned.length - more,
    forwardingRowsWithPort: learned.filter(each => each.port).length - more,
    resolvedAddresses: all.filter(each => each.address).length,
    resolvedOutsideForwarding: all.filter(each => each.source === 'arp').length,
  }
}

const portsSummary = (all: Port[]) => ({
  ports: all.map(each => each.label).join(' '),
  nativeVlans: tally(all.map(each => each.nativeVlan)),
  taggedMemberships: sum(all.map(each => each.taggedVlans?.length)),
  poePorts: all.filter(each => each.poe).length,
})

/** How parts are said to do, counted: a wrong one would be an alarm for nothing. */
const partStates = ({ fans = [], powerSupplies = [] }: Pick<Observation, 'fans' | 'powerSupplies'>) => {
  const found: Record<string, number> = {}
  for (const { state } of [...fans, ...powerSupplies]) if (state) found[state] = (found[state] ?? 0) + 1
  return Object.keys(found).length > 0 ? found : undefined
}

const neighbourLine = ({ localPort, systemName, portId, managementAddress }: LldpNeighbour) =>
  [localPort, systemName ?? '-', portId ?? '-', managementAddress ?? '-'].join(' ')

function summary({ facts, interfaces = [], ports = [], hosts = [], ...seen }: Observation) {
  const { capabilities: _c, description: _d, sysObjectId: _s, ...told } = facts ?? { capabilities: [] }
  return {
    ...told,
    ...interfacesSummary(interfaces),
    ...hostsSummary(hosts),
    ...portsSummary(ports),
    neighbours: seen.neighbours?.length ?? 0,
    neighbour: seen.neighbours?.slice(0, 1).map(neighbourLine)[0],
    health: seen.health,
    radios: seen.radios?.length,
    bss: seen.bss?.length,
    stations: seen.stations?.length,
    wirelessClients: seen.wirelessClients,
    accessPoints: seen.accessPoints?.length,
    fans: seen.fans?.length,
    powerSupplies: seen.powerSupplies?.length,
    temperatures: seen.temperatures?.length,
    partStates: partStates(seen),
    vlans: seen.vlans?.map(({ id, name }) => (name === undefined ? String(id) : `${id} ${name}`)).join(', '),
    learnedWithVlan: hosts.filter(each => each.source !== 'arp' && each.vlan !== undefined).length,
    problems: seen.problems,
  }
}

if (!folder || !existsSync(folder)) {
  test('recordings: left out, LANWARD_RECORDINGS is not set', () => {
    expect(Object.keys(table)).toHaveLength(13)
  })
} else {
  test.each(sampled(Object.entries(table), 4))('recording %s', async (name, expected) => {
    expect(summary(await observeWalk(join(folder, `${name}.snmprec.bz2`)))).toEqual(expected)
  })
}
