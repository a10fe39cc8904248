import type { Facts, Observation } from '../../observation'
import type { Mib, Table } from '../protocol/table'
import { forwarding, hosts, type Learned, neighbours } from './bridge'
import type { Shape } from './interfaces'
import * as mibs from './mibs'
import { cdpNeighbours, fdpNeighbours, lldpNeighbours } from './neighbours'

/** Hosts and neighbours. A table that is there and empty says "none"; one that is not there says nothing. */
export function tablesFound(
  mib: Mib,
  shape: Shape[],
  facts: Facts,
  more: Learned[],
  ownVlans: number[],
): Partial<Observation> {
  const own = new Set([...shape.map(each => each.mac ?? ''), facts.mac ?? ''])
  const learned = forwarding(mib, shape, more, ownVlans)
  const resolved = neighbours(mib)
  const found: Partial<Observation> = {}
  const hasHosts = [
    mibs.fdb,
    mibs.vlanFdb,
    mibs.vlanFdb2,
    mibs.ipNetToMedia,
    mibs.ipNetToPhysical,
    mibs.basePorts,
  ].some(each => mib.rows(each as Table).length > 0)
  if (hasHosts) found.hosts = hosts(learned, resolved, own)
  const lldp = lldpNeighbours(mib, shape)
  const heard = [...lldp, ...cdpNeighbours(mib, shape, lldp)]
  const all = [...heard, ...fdpNeighbours(mib, shape, heard)]
  if (all.length > 0 || mib.rows(mibs.lldpPorts).length > 0) found.neighbours = all
  return found
}
