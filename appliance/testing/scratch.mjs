// The folders a run of tests works in. Their names say whose they are, so that what a killed run left is found and removed
// by the next (appliance/lab/leftovers.sh).
import { chmodSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const enoughBytes = 2 ** 30

/** When this process began, in clock ticks since boot; 0 without /proc. */
function began() {
  try {
    return readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')[19]
  } catch {
    return 0
  }
}

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > enoughBytes
  } catch {
    return false
  }
}

/** Makes them, tells this process and all that it starts, and removes them at its end. */
export function makeScratch() {
  const name = `lanward-run-${process.pid}-${began()}`
  const make = base => {
    const folder = `${base}/${name}`
    mkdirSync(folder)
    // Some of what tests start runs as other users.
    chmodSync(folder, 0o1777)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  }
  const base = tmpdir().replace(/\/lanward-run-[^/]*$/, '')
  process.env.TMPDIR = make(base)
  process.env.LANWARD_SCRATCH = hasRoom(memory) ? make(memory) : process.env.TMPDIR
}
