import type { Ownership } from '../../driver'
import type { ImportedItem, UnmanagedItem } from '../../unmanaged'
import { formerBlocks } from '../area/imported'
import { type LinuxSession, observe } from '../observe/observe'
import { unmanagedItems } from './items'
import { readUnmanaged } from './read'

/** An item that was imported with all it offers is managed; one that lost its setting since is, too. */
function withTaken(item: UnmanagedItem, taken: readonly ImportedItem[]): UnmanagedItem {
  const owned = taken.find(one => one.id === item.id)?.options
  if (!owned) return item
  const open = item.options.some(one => one.kind !== undefined && !(one.option in owned))
  return { ...item, state: open ? 'foreign' : 'managed', why: 'taken' }
}

export const ownership: Ownership<LinuxSession> = {
  async list(session, taken) {
    const seen = await observe(session, 'full')
    return unmanagedItems(await readUnmanaged(session), seen).map(item => withTaken(item, taken))
  },
  former: formerBlocks,
  // Each item has one option: none is left of it.
  joined: block => block,
}
