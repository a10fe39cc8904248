// Where tests keep data folders: in memory where a run of tests found room, since on a disk each transaction waits for it.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A new folder; who asks for it removes it. */
export const scratchFolder = (prefix: string): string =>
  mkdtempSync(`${process.env.LANWARD_SCRATCH ?? tmpdir()}/${prefix}`)
