import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

// The folder that FreeRADIUS reads: it belongs to the manager, and the server's own user may read it. A program beside
// (appliance/package/debian/radius-apply) starts, reloads and stops the server whenever `apply` is written.

/** The server's user reads by its group: files take the group of their folder. */
const mode = 0o640

const confOf = (folder: string) => `${folder}/conf`
/** Whether something here starts and stops FreeRADIUS: a unit of the package, which makes the folder. */
export const isSupervised = (folder: string): boolean =>
  folder !== '' && existsSync(/* turbopackIgnore: true */ confOf(folder))

const textOf = (file: string) => {
  try {
    return readFileSync(/* turbopackIgnore: true */ file, 'utf8')
  } catch {
    return undefined
  }
}

function write(file: string, text: string): void {
  writeFileSync(/* turbopackIgnore: true */ `${file}.new`, text, { mode })
  // Whatever the process leaves out of new files' rights.
  chmodSync(/* turbopackIgnore: true */ `${file}.new`, mode)
  renameSync(/* turbopackIgnore: true */ `${file}.new`, /* turbopackIgnore: true */ file)
}

/** From then on the supervisor puts the journal aside. */
const mostBytes = 20_000_000

/**
 * Makes the folder hold these files and no others; each is whole at any moment. True where the supervisor was told: anything
 * changed, or the journal is long.
 */
export function putFiles(folder: string, files: ReadonlyMap<string, string>): boolean {
  const conf = confOf(folder)
  mkdirSync(/* turbopackIgnore: true */ conf, { recursive: true })
  const held = readdirSync(/* turbopackIgnore: true */ conf).filter(name => name !== 'apply')
  const gone = held.filter(name => !files.has(name))
  const changed = [...files].filter(([name, text]) => textOf(`${conf}/${name}`) !== text)
  for (const [name, text] of changed) write(`${conf}/${name}`, text)
  for (const name of gone) rmSync(/* turbopackIgnore: true */ `${conf}/${name}`)
  const long =
    (statSync(/* turbopackIgnore: true */ `${folder}/run/journal`, { throwIfNoEntry: false })?.size ?? 0) > mostBytes
  if (changed.length === 0 && gone.length === 0 && !long) return false
  // In its place: who waits for it sees it written.
  writeFileSync(/* turbopackIgnore: true */ `${conf}/apply`, `${Date.now()}\n`, { mode })
  return true
}

/** The last `Error` or failure that FreeRADIUS logged since it was started last; undefined where there is none. */
export function lastFailure(folder: string): string | undefined {
  const lines = (textOf(`${folder}/run/log`) ?? '').trim().split('\n').slice(-50)
  const said = lines.findLast(line => / : Error: /.test(line))
  return said?.replace(/^.* : Error: /, '').slice(0, 300)
}
