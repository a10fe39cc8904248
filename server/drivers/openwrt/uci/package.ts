import { DeviceError, type NativeBlock, type Warning } from '../../driver'
import type { OpenwrtSession } from './session'

/** Every section of ours begins so; sections of any other name belong to the system or its owner. */
export const prefix = 'lw_'

/** One file of /etc/config in which we own sections. */
export type Package = {
  name: string
  /** Shell that makes the system follow the file. */
  reload: string
  /** Options that are lists: `uci show` does not tell a list of one from a plain option. */
  lists: readonly string[]
  /** The order of the sections counts: a change writes all of ours anew, in the plan's order. */
  ordered?: boolean
  /** Section types of which ours stand before those of others: the first that fits decides. */
  first?: readonly string[]
  /** What does not work though the sections are there; `blocks`: those of the package. Empty when fine. */
  verify?(session: OpenwrtSession, blocks: readonly NativeBlock[]): Promise<Warning[]>
}

const ownId = new RegExp(`^uci:([a-z0-9]+)\\.(${prefix}[A-Za-z0-9_]+)$`)
const importedId = /^uci:([a-z0-9]+)\.([A-Za-z0-9_]+|@[A-Za-z0-9_-]+\[\d+\])$/

/** A block of a section that the system made itself and a person took over. */
export const isImported = (block: NativeBlock): boolean => block.item === block.id && !ownId.test(block.id)

/** Package and section of a block; throws for one that is not ours to write. */
export function sectionOf(block: NativeBlock): { name: string; section: string } {
  const [, name, section] = (isImported(block) ? importedId : ownId).exec(block.id) ?? []
  if (!name || !section) throw new DeviceError('internal', `${block.id} is not ours to write`)
  return { name, section }
}
