import type { ForeignItem, Ownership, TakenItem } from '../../driver'
import { type LinuxSession, observe } from '../observe'
import { foreignItems } from './items'
import { readForeign } from './read'
import { formerBlocks } from './taken'

/** An item that was taken over with all it offers is managed; one that lost its setting since is, too. */
function withTaken(item: ForeignItem, taken: readonly TakenItem[]): ForeignItem {
  const owned = taken.find(one => one.id === item.id)?.options
  if (!owned) return item
  const open = item.options.some(one => one.kind !== undefined && !(one.option in owned))
  return { ...item, state: open ? 'foreign' : 'managed', why: 'taken' }
}

export const ownership: Ownership<LinuxSession> = {
  async list(session, taken) {
    const seen = await observe(session, 'full')
    return foreignItems(await readForeign(session), seen).map(item => withTaken(item, taken))
  },
  former: formerBlocks,
  // Each item has one option: none is left of it.
  joined: block => block,
}
