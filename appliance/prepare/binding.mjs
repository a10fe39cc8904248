// SQLite's compiled binding, kept in the user's cache: compiling takes a minute, and each further checkout needs the same.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = `${root}/node_modules/better-sqlite3`
const binding = `${folder}/build/Release/better_sqlite3.node`

/** Where it is kept: by its version, Node's binary interface, and the machine with its C library. */
function kept() {
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const libc = process.report?.getReport().header.glibcVersionRuntime ?? 'other'
  const name = [version, process.versions.modules, process.platform, process.arch, libc].join('-')
  return `${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/lanward/better-sqlite3-${name}.node`
}

/** Puts the kept one in place, if there is one; a cache that cannot be read is none. */
export function takeKeptBinding() {
  try {
    if (!existsSync(kept())) return
    mkdirSync(dirname(binding), { recursive: true })
    copyFileSync(kept(), binding)
  } catch {}
}

/** Keeps the one in place, whole or not at all. */
export function keepBinding() {
  const mine = `${kept()}.${process.pid}`
  try {
    mkdirSync(dirname(mine), { recursive: true })
    copyFileSync(binding, mine)
    renameSync(mine, kept())
  } catch {}
}
