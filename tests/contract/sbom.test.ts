import { readFileSync } from 'node:fs'
import { root } from '../appliance/_manager'

type Component = {
  name: string
  version: string
  purl: string
  'bom-ref': string
  hashes?: { alg: string; content: string }[]
}
type Bom = {
  bomFormat: string
  specVersion: string
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
const about = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { dependencies: Record<string, string> }
const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as {
  packages: Record<string, { version: string; integrity?: string }>
}

test('the bill of materials names all that goes out, as the lock file pins it, and what needs what', async () => {
  const { sbomOf } = (await import(`${root}/appliance/build/sbom.mjs`)) as { sbomOf(root: string): Bom }
  const bom = sbomOf(root)
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  const named = new Map(bom.components.map(one => [`${one.name}@${one.version}`, one]))
  expect(named.has(`node@${process.versions.node}`)).toBe(true)
  for (const [name, version] of Object.entries(about.dependencies)) {
    const one = named.get(`${name}@${version}`)
    expect([name, one?.purl]).toEqual([name, `pkg:npm/${name.replace('@', '%40')}@${version}`])
    const { integrity = '' } = lock.packages[`node_modules/${name}`] ?? {}
    const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    expect(one?.hashes).toContainEqual({ alg: 'SHA-512', content: sha512 })
  }
  const refs = bom.components.map(one => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  // Whatever is needed is listed.
  const all = new Set([...refs, 'lanward'])
  for (const { ref, dependsOn } of bom.dependencies) for (const one of [ref, ...dependsOn]) expect(all).toContain(one)
  const own = bom.dependencies.find(({ ref }) => ref === 'lanward')?.dependsOn ?? []
  expect(own).toHaveLength(Object.keys(about.dependencies).length + 1)
})
