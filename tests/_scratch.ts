// Where tests keep data folders: in memory where there is room, since on a disk each transaction waits for the disk.
import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const inMemory = '/dev/shm'
const enoughBytes = 1 << 30

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize > enoughBytes
  } catch {
    return false
  }
}

/** A new folder; who asks for it removes it. */
export const scratchFolder = (prefix: string): string => mkdtempSync(`${hasRoom() ? inMemory : tmpdir()}/${prefix}`)
