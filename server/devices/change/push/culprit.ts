import { inArray } from 'drizzle-orm'
import { documents } from '@/db/schema'
import { isKindId, isSingle } from '@/model/registry'
import type { NativeBlock, NativeConfig, Warning } from '@/server/drivers/driver'
import type { Runtime } from '@/server/kernel/runtime'
import { type DeploymentRow, documentsOf, openPart, pushBefore, valuesOf, withoutOf } from '../plan/deployments'
import { copyOf } from '../saved/applied-revisions'

// Which setting made a push fail, told from the device's own words and from what the push would have changed.

export type Culprit = { id: string; kind: string; name: string }

type About = { kind?: string; document?: string }

/** What a block is called on the device, without its folders: a service's file, a section. */
const shortName = (id: string) => id.slice(Math.max(id.lastIndexOf('/'), id.lastIndexOf(':')) + 1)

/** A word of its own, not the beginning of a longer one. */
const says = (text: string, name: string) =>
  name.length > 2 &&
  new RegExp(`(?<![\\w.-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-]|\\.\\w)`).test(text)

/** Blocks whose name stands in what the device said. Pure. */
export function blocksNamed(detail: string, before: NativeConfig, planned: NativeConfig): NativeBlock[] {
  if (!detail) return []
  const all = new Map([...before.blocks, ...planned.blocks].map(block => [block.id, block]))
  return [...all.values()].filter(({ id }) => says(detail, id) || says(detail, shortName(id)))
}

/** What a failed push was about: what its check or its plan names, else the blocks that the device spoke of. */
function aboutOf(runtime: Runtime, row: DeploymentRow): About[] {
  const { aboutKind, aboutDocument } = valuesOf(row)
  if (aboutKind !== undefined || aboutDocument !== undefined)
    return [
      {
        ...(aboutKind !== undefined && { kind: String(aboutKind) }),
        ...(aboutDocument !== undefined && { document: String(aboutDocument) }),
      },
    ]
  if (row.reason === 'planBlocked') return (JSON.parse(row.warnings) as Warning[]).filter(one => one.blocks)
  const [before, planned] = [openPart(runtime, row, 'before'), openPart(runtime, row, 'planned')]
  return before && planned ? blocksNamed(row.detail, before, planned) : []
}

/** The documents of two pushes whose revisions differ, by their ids; those that one of them lacks included. */
const changedIds = (now: Record<string, number>, before: Record<string, number>): string[] =>
  [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(id => now[id] !== before[id])

function namesOf(runtime: Runtime, ids: readonly string[], before: Record<string, number>): Culprit[] {
  const rows = ids.length
    ? runtime.db
        .select()
        .from(documents)
        .where(inArray(documents.id, [...ids]))
        .all()
    : []
  return ids.flatMap(id => {
    const row = rows.find(one => one.id === id) ?? (before[id] !== undefined && copyOf(runtime.db, id, before[id])?.row)
    return row ? [{ id, kind: row.kind, name: row.name }] : []
  })
}

/** Documents with their revisions that the device had when a push began. */
const givenBefore = (runtime: Runtime, row: DeploymentRow): Record<string, number> => {
  const earlier = pushBefore(runtime.db, row)
  return (earlier && documentsOf(earlier)) ?? {}
}

/** The settings that a push was to leave as its device had them. */
export const leftBy = (runtime: Runtime, row: DeploymentRow): Culprit[] =>
  namesOf(runtime, withoutOf(row), givenBefore(runtime, row))

type Found = {
  culprits: Culprit[]
  /** The push changed other settings, too. */
  rest: boolean
}

/**
 * The settings that a push changed and that it failed by. None where nothing tells which of several it was. Only what it
 * changed can be left as it was.
 */
export function culpritsOf(runtime: Runtime, row: DeploymentRow): Found {
  const now = documentsOf(row)
  // Not tried: what it would have changed waits for those before it.
  if (!now || row.restores) return { culprits: [], rest: row.reason === 'notTried' }
  const given = givenBefore(runtime, row)
  const changed = namesOf(runtime, changedIds(now, given), given)
  const culprits = among(changed, aboutOf(runtime, row), row.reason)
  return { culprits, rest: changed.length > culprits.length }
}

function among(changed: readonly Culprit[], about: readonly About[], reason: string): Culprit[] {
  const isIt = ({ id, kind }: Culprit) =>
    about.some(one => one.document === id || (one.document === kind && isKindId(kind) && isSingle(kind)))
  const found = changed.filter(isIt)
  if (found.length > 0) return found
  // A file that several settings share, or a part of another that it made the device stumble over.
  const ofKind = changed.filter(({ kind }) => about.some(one => one.kind === kind))
  if (ofKind.length > 0) return ofKind
  return changed.length === 1 && reason === 'commandFailed' ? [...changed] : []
}
