// The build that came up last, kept while a newer one is tried: an update that does not come up goes back by itself.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const parts = ['.next', 'dist']
const kept = `${root}/.previous`
const mark = `${root}/dist/came-up`

const remove = path => rmSync(path, { recursive: true, force: true })

/** Puts a build that came up aside; one that never did is not worth keeping. The compiler's cache stays in place. */
export function keepBuild() {
  if (!existsSync(mark)) return
  remove(kept)
  mkdirSync(kept)
  for (const part of parts) renameSync(`${root}/${part}`, `${kept}/${part}`)
  if (!existsSync(`${kept}/.next/cache`)) return
  mkdirSync(`${root}/.next`)
  renameSync(`${kept}/.next/cache`, `${root}/.next/cache`)
}

export const noteCameUp = () => writeFileSync(mark, '')

/** Whether this build is still to come up and there is one that did. */
export const canGoBack = () => !existsSync(mark) && parts.every(part => existsSync(`${kept}/${part}`))

/** The former build again, and the data as they were when `since` (unix ms) an upgrade was made of them. */
export function goBack(since) {
  const args = ['go-back', '--upgrade-after', String(since), '--json']
  spawnSync(process.execPath, [`${root}/appliance/bin/lanward.mjs`, ...args], { cwd: root, stdio: 'ignore' })
  for (const part of parts) {
    remove(`${root}/${part}`)
    renameSync(`${kept}/${part}`, `${root}/${part}`)
  }
  remove(kept)
}
