import type { Driver, NativeBlock } from '@/server/drivers/driver'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import type { ImportState } from './protocol'

// What was imported and is being released, option by option.

/** The item with the options that are being released, or with the others. */
const part = (item: ImportState, back: boolean): ImportState => ({
  ...item,
  options: Object.fromEntries(Object.entries(item.options).filter(([option]) => option in (item.back ?? {}) === back)),
})

/** What settings decide: without what is being released. */
export const importedNow = (imported: readonly ImportState[]): ImportedItem[] =>
  imported.filter(one => !one.releasing).map(one => part(one, false))

/** Single options that are being released stand in their item's block with the values that they had. */
export function withReleasing(
  blocks: readonly NativeBlock[],
  imported: readonly ImportState[],
  ownership: Driver<unknown>['ownership'],
): NativeBlock[] {
  const going = imported.filter(one => one.back && !one.releasing).map(one => part(one, true))
  return blocks.map(block => {
    const item = going.find(one => one.id === block.item && Object.keys(one.options).length > 0)
    return (item && ownership?.joined(block, item)) ?? block
  })
}
