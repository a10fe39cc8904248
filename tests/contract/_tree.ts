import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = process.cwd()

/** Repository paths of the files under a folder that end so. */
export function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && ending.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(path => !path.includes('node_modules'))
}

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

/** `lazy`: `import()`, loaded when it comes to it. */
export type Import = { from: string; what: string; typeOnly: boolean; lazy: boolean }

const statement = /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?from\s*['"]([^'"]+)['"]/g
const bare = /(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** What a file imports, as repository paths where it is ours (without an ending), else the package's specifier. */
export function importsOf(path: string): Import[] {
  const text = readText(path)
  const own = (what: string) => {
    if (what.startsWith('@/')) return what.slice(2)
    return what.startsWith('.') ? join(path, '..', what) : what
  }
  const named = [...text.matchAll(statement)].map(([, type, what = '']) => ({
    from: path,
    what: own(what),
    typeOnly: type !== undefined,
    lazy: false,
  }))
  const others = [...text.matchAll(bare)].map(([, effect, lazy]) => ({
    from: path,
    what: own(effect ?? lazy ?? ''),
    typeOnly: false,
    lazy: lazy !== undefined,
  }))
  return [...named, ...others]
}

type Words = { [key: string]: string | Words }
export const words = (area: string): Words => JSON.parse(readText(`locales/en/${area}.json`)) as Words

/** The words at a path of keys, undefined where there are none. */
export function wordAt(area: string, path: string): string | Words | undefined {
  return path
    .split('.')
    .reduce<string | Words | undefined>((at, key) => (typeof at === 'object' ? at[key] : undefined), words(area))
}
