import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** Who imports a folder gets its index. */
const whole = (path: string) => (existsSync(join(root, path, 'index.ts')) ? `${path}/index` : path)

/** What a file imports, as repository paths where it is ours (without an ending), else the package's specifier. */
export const importsOf = (path: string): Import[] => importsIn(path, readText(path))

/** The same of a text, as if it stood at that path. */
export function importsIn(path: string, text: string): Import[] {
  const own = (what: string) => {
    if (what.startsWith('@/')) return whole(what.slice(2))
    return what.startsWith('.') ? whole(join(path, '..', what)) : what
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

const withoutEnding = (path: string) => path.replace(/\.tsx?$/, '')

/**
 * Groups of files that reach each other by these imports (strongly connected components, Tarjan 1972), each sorted. Types
 * and lazy imports count: a file that cannot be read without another is one with it.
 */
export function loopsAmong(imports: readonly Import[]): string[][] {
  const to = new Map<string, string[]>()
  for (const { from, what } of imports) {
    const key = withoutEnding(from)
    to.set(key, [...(to.get(key) ?? []), withoutEnding(what)])
  }
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const loops: string[][] = []
  const lower = (file: string, value = 0) => low.set(file, Math.min(low.get(file) ?? value, value))
  const visit = (file: string): void => {
    order.set(file, order.size)
    low.set(file, order.get(file) ?? 0)
    stack.push(file)
    for (const next of to.get(file) ?? []) {
      if (!to.has(next)) continue
      if (!order.has(next)) {
        visit(next)
        lower(file, low.get(next))
      } else if (stack.includes(next)) lower(file, order.get(next))
    }
    if (low.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) loops.push(group.toSorted())
  }
  for (const file of to.keys()) if (!order.has(file)) visit(file)
  return loops
}

type Words = { [key: string]: string | Words }
export const words = (area: string): Words => JSON.parse(readText(`locales/en/${area}.json`)) as Words

/** The words at a path of keys, undefined where there are none. */
export function wordAt(area: string, path: string): string | Words | undefined {
  return path
    .split('.')
    .reduce<string | Words | undefined>((at, key) => (typeof at === 'object' ? at[key] : undefined), words(area))
}
