import type { Driver, NativeBlock } from '@/server/drivers/driver'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import type { OwnedItem } from './protocol'

// What was imported and is on its way back, option by option.

/** The item with the options that are on their way back, or with the others. */
const part = (item: OwnedItem, back: boolean): OwnedItem => ({
  ...item,
  options: Object.fromEntries(Object.entries(item.options).filter(([option]) => option in (item.back ?? {}) === back)),
})

/** What settings decide: without what is on its way back. */
export const ownedNow = (taken: readonly OwnedItem[]): ImportedItem[] =>
  taken.filter(one => !one.returning).map(one => part(one, false))

/** Single options on their way back stand in their item's block with the values that they had. */
export function withReturning(
  blocks: readonly NativeBlock[],
  taken: readonly OwnedItem[],
  ownership: Driver<unknown>['ownership'],
): NativeBlock[] {
  const going = taken.filter(one => one.back && !one.returning).map(one => part(one, true))
  return blocks.map(block => {
    const item = going.find(one => one.id === block.item && Object.keys(one.options).length > 0)
    return (item && ownership?.joined(block, item)) ?? block
  })
}
