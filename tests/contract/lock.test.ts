import { readFileSync } from 'node:fs'

type Entry = {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Entry & { packages: Record<string, Entry> }
const { packages } = read('package-lock.json')
const manifest = read('package.json')

test('every dependency is pinned exactly, and the lock holds that version with its hash', () => {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies }
  for (const [name, version] of Object.entries(wanted)) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version])
  }
  for (const [path, entry] of Object.entries(packages))
    if (path && !entry.link) expect([path, entry.integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
})

test('the lock names no registry and no machine', () => {
  for (const [path, entry] of Object.entries(packages)) expect([path, entry.resolved ?? '']).toEqual([path, ''])
})

test('npm ci takes the lock: every optional package that is named is there', () => {
  for (const [path, entry] of Object.entries(packages))
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      expect([
        path,
        name,
        packages[`node_modules/${name}`] !== undefined || packages[`${path}/node_modules/${name}`] !== undefined,
      ]).toEqual([path, name, true])
})
