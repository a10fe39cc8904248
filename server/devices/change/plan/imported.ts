import {
  changeImport,
  endImport,
  importRows,
  type KeptItem,
  openKept,
  sealKept,
} from '@/server/devices/link/import-store'
import type { NativeBlock, NativeConfig } from '@/server/drivers/driver'
import type { Runtime } from '@/server/kernel/runtime'

// What importing means for states kept from before.

/** Ends what was released before a push began that is applied now: whole items, and single options. */
export function endReleases(runtime: Pick<Runtime, 'db' | 'secrets'>, device: number, startedAt: number): void {
  const { db } = runtime
  for (const row of importRows(db, device)) {
    if (row.releasedAt !== null && row.releasedAt < startedAt) {
      endImport(db, row)
      continue
    }
    const { options, back = {}, says = {}, since = {}, ...item } = openKept(runtime, row)
    const isEnded = (option: string) => (back[option] ?? startedAt) < startedAt
    if (!Object.keys(back).some(isEnded)) continue
    const left = <T>(values: Record<string, T>) =>
      Object.fromEntries(Object.entries(values).filter(([option]) => !isEnded(option)))
    const parts = { options: left(options), back: left(back), says: left(says), since: left(since) }
    const kept = sealKept(runtime, row, { ...item, ...parts })
    changeImport(db, row, { kept })
  }
}

/** Lines of UCI that name their option: other drivers' items have one option, and are imported whole or not at all. */
const optionLine = /^[a-z0-9_-]+\.[^.=\n]+\.([A-Za-z0-9_]+)=/
const linesOf = (text: string) => text.split(/\n(?=[a-z0-9_-]+\.[^.=\n]+\.[A-Za-z0-9_]+=)/).filter(Boolean)
const optionOf = (line: string) => optionLine.exec(line)?.[1] ?? ''

/** A block of before without options that are imported no more, and with those imported since as `other` has them. */
function fitted(block: NativeBlock, item: KeptItem | undefined, at: number, other: string): NativeBlock {
  if (!item) return block
  const held = linesOf(block.text).filter(line => optionOf(line) === '' || optionOf(line) in item.options)
  const known = new Set(held.map(optionOf))
  const since = linesOf(other).filter(line => (item.since?.[optionOf(line)] ?? 0) > at && !known.has(optionOf(line)))
  if (since.length === 0 && held.length === linesOf(block.text).length) return block
  const lines = [...held, ...since].toSorted((a, b) => (optionOf(a) < optionOf(b) ? -1 : 1))
  return { ...block, text: lines.join('\n') }
}

/** What is imported now, and when the push began whose state is looked at (ms). */
type Imports = { imported: readonly KeptItem[]; at: number }

/**
 * A state kept from an earlier push as it stands to what is imported now: without what was released since, and with what
 * was imported since as it then was.
 */
export function fittedToImports(
  earlier: NativeConfig,
  former: readonly NativeBlock[],
  { imported, at }: Imports = { imported: [], at: 0 },
): NativeConfig {
  const items = new Set(former.map(block => block.item))
  const kept = earlier.blocks
    .filter(block => block.item === undefined || items.has(block.item))
    .map(block => {
      const item = block.item === undefined ? undefined : imported.find(one => one.id === block.item)
      return fitted(block, item, at, former.find(one => one.id === block.id)?.text ?? '')
    })
  const known = new Set(kept.map(block => block.item))
  return { blocks: [...kept, ...former.filter(block => !known.has(block.item))] }
}

/** An earlier configuration to be sent again: what is imported and it does not know stays as the present plan has it. */
export function restorable(
  earlier: NativeConfig,
  { planned, former, imported }: PlannedImports,
  at: number,
): NativeConfig {
  const items = new Set(former.map(block => block.item))
  const own = planned.blocks.filter(block => items.has(block.item))
  return fittedToImports(earlier, own, { imported, at })
}
type PlannedImports = { planned: NativeConfig; former: readonly NativeBlock[]; imported: readonly KeptItem[] }
