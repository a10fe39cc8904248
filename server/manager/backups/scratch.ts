import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'

const prefix = 'scratch-'

/** Runs `work` with an empty folder beside the generations (one file system: a rename moves its files), removed afterwards. */
export async function withScratch<T>(data: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = `${data}/${prefix}${randomUUID()}`
  mkdirSync(/* turbopackIgnore: true */ folder, { mode: 0o700 })
  try {
    return await work(folder)
  } finally {
    rmSync(/* turbopackIgnore: true */ folder, { recursive: true, force: true })
  }
}

/** What a killed process left. */
export function removeScratch(data: string): void {
  for (const name of readdirSync(/* turbopackIgnore: true */ data))
    if (name.startsWith(prefix)) rmSync(/* turbopackIgnore: true */ `${data}/${name}`, { recursive: true, force: true })
}
