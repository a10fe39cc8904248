import type { Assign } from '@/model/assign'
import { referredIds } from '@/model/kind'
import { type DocumentRow, parseStored } from '@/server/kernel/documents'
import { lastPushTo } from '../plan/deployments'
import type { NetworkDocuments } from '../plan/desired'
import type { DeviceRow, Engine } from '../plan/plan'
import { type Copy, copyOf, givenTo } from './applied-revisions'

/**
 * A network's documents with some as a device was last given them: those it never was given are not there, and those
 * deleted since are. What is not kept any more stays as it is saved.
 */
export function withoutChanges(
  engine: Engine,
  device: DeviceRow,
  network: NetworkDocuments,
  ids: readonly string[],
): NetworkDocuments {
  const { db } = engine.runtime
  const given = givenTo(lastPushTo(db, device.id), network)
  const left = new Map(ids.map(id => [id, given[id] === undefined ? undefined : copyOf(db, id, given[id])]))
  const keeps = ({ id }: DocumentRow) => !left.has(id) || (given[id] !== undefined && !left.get(id))
  const back = [...left.values()].flatMap(copy => copy ?? [])
  const listed = back.filter(({ assign }) => assign !== null)
  const refsOf = ({ row }: Copy) =>
    Object.keys(engine.kinds.get(row.kind)?.refs ?? {}).flatMap(field =>
      referredIds(parseStored(row.data)?.[field]).map(to => ({ from: row.id, to, field })),
    )
  return {
    ...network,
    rows: [...network.rows.filter(keeps), ...listed.map(copy => copy.row)].sort(inOrder),
    singles: [...network.singles.filter(keeps), ...back.flatMap(copy => (copy.assign === null ? [copy.row] : []))],
    links: [...network.links.filter(link => !left.get(link.from)), ...listed.flatMap(refsOf)],
    assigns: new Map([...network.assigns, ...listed.map(({ row, assign }) => [row.id, assign as Assign] as const)]),
  }
}

/** As the database gives them. */
const inOrder = (a: DocumentRow, b: DocumentRow) =>
  a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : (a.position ?? 0) - (b.position ?? 0) || a.createdAt - b.createdAt
