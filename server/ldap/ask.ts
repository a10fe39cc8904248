import { withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import type { Directory } from './directory'
import { directoryReason, type Person, provenPerson } from './people'

/** More at once would only wait for one another, each with a connection. */
const atOnce = 20
let asking = 0

const turns = new Map<string, Promise<unknown>>()

/**
 * One after the other for each name: what the directory is asked takes long, and guesses that came meanwhile must meet the
 * lock that those before them closed.
 */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(name) ?? Promise.resolve()
  const mine = before.then(work, work)
  const over = mine.catch(() => undefined)
  turns.set(name, over)
  try {
    return await mine
  } finally {
    if (turns.get(name) === over) turns.delete(name)
  }
}

/** Once a minute: else whoever guesses fills the log. */
function logFailure(runtime: Runtime, directory: Directory, error: unknown): void {
  if (!withinRate(runtime, 'directory failed', 1, 60_000, Date.now())) return
  console.warn(`sign-in by the directory failed: ${directoryReason(error, directory)}`)
}

/** As `provenPerson`; nobody where the directory cannot be asked, which is in the log. */
export async function askDirectory(
  runtime: Runtime,
  directory: Directory,
  name: string,
  password: string,
): Promise<Person | undefined> {
  if (asking >= atOnce) {
    logFailure(runtime, directory, new Error('Too many sign-ins at once.'))
    return undefined
  }
  asking += 1
  try {
    return await provenPerson(directory, name, password)
  } catch (error) {
    logFailure(runtime, directory, error)
    return undefined
  } finally {
    asking -= 1
  }
}
