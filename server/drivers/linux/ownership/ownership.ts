import type { Ownership } from '../../driver'
import type { ImportedItem, UnmanagedItem } from '../../unmanaged'
import { formerBlocks } from '../area/imported'
import { type LinuxSession, observe } from '../observe/observe'
import { unmanagedItems } from './items'
import { readUnmanaged } from './read'

/** An item that was imported with all it offers is managed; one that lost its setting since is, too. */
function withImported(item: UnmanagedItem, imported: readonly ImportedItem[]): UnmanagedItem {
  const options = imported.find(one => one.id === item.id)?.options
  if (!options) return item
  const open = item.options.some(one => one.kind !== undefined && !(one.option in options))
  return { ...item, state: open ? 'unmanaged' : 'managed', why: 'imported' }
}

export const ownership: Ownership<LinuxSession> = {
  async list(session, imported) {
    const seen = await observe(session, 'full')
    return unmanagedItems(await readUnmanaged(session), seen).map(item => withImported(item, imported))
  },
  former: formerBlocks,
  // Each item has one option: none is left of it.
  joined: block => block,
}
