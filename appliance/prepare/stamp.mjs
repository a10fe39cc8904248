// Says whether what was installed and built is of the sources at hand, without git: a downloaded archive has none.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folders = ['app', 'appliance', 'db', 'locales', 'model', 'server', 'public']
const files = [
  'instrumentation.ts',
  'next.config.mjs',
  'package.json',
  'package-lock.json',
  'postcss.config.mjs',
  'tsconfig.json',
]
export const stampFile = 'dist/stamp'

function walk(path, add) {
  const stat = statSync(`${root}/${path}`, { throwIfNoEntry: false })
  if (!stat) return
  if (!stat.isDirectory()) return add(path)
  for (const name of readdirSync(`${root}/${path}`).sort()) walk(`${path}/${name}`, add)
}

/** Hash of every source that ends in the build. */
export function sourceStamp() {
  const hash = createHash('sha256').update(process.versions.modules)
  const add = path =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(`${root}/${path}`))
      .update('\0')
  // The lab and its configuration file are no part of the build.
  for (const path of [...folders, ...files])
    walk(path, found => !found.startsWith('appliance/lab/') && found !== 'appliance/lanward.conf' && add(found))
  return hash.digest('hex')
}

/** Hash of what is to be installed: the lock, and the binary interface native modules were compiled for. */
export function installStamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules} `)
  return hash.update(readFileSync(`${root}/package-lock.json`)).digest('hex')
}
