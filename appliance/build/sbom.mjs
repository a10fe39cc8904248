// What goes out with the manager as CycloneDX 1.6 (ECMA-424): made of the lock file and of what lies here, without a download.
import { readFileSync } from 'node:fs'
import { shippedPackages } from './shipped.mjs'

const read = file => JSON.parse(readFileSync(file, 'utf8'))

/** https://github.com/package-url/purl-spec: the @ of a scope is escaped. */
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Subresource Integrity of the lock file (`sha512-<base64>`) in hex. */
const hashesOf = (integrity = '') =>
  integrity
    .split(/\s+/)
    .map(one => /^sha(\d+)-(.+)$/.exec(one))
    .filter(Boolean)
    .map(([, bits, text]) => ({
      alg: bits === '1' ? 'SHA-1' : `SHA-${bits}`,
      content: Buffer.from(text, 'base64').toString('hex'),
    }))

/** An SPDX id, or an expression of several. */
const licencesOf = licence => (/^[\w.+-]+$/.test(licence) ? [{ license: { id: licence } }] : [{ expression: licence }])

/** Where Node would find a package that the one at `path` asks for by `name`; undefined where it is not installed. */
function resolved(packages, path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = `${at && `${at}/`}node_modules/${name}`
    if (packages[found]) return found
    if (at === '' || !at.includes('/node_modules/')) return packages[`node_modules/${name}`] && `node_modules/${name}`
  }
}

export function sbomOf(root, nodeVersion = process.versions.node) {
  const { name, version, license } = read(`${root}/package.json`)
  const { packages } = read(`${root}/package-lock.json`)
  const shipped = shippedPackages(root)
  const refs = new Map(
    shipped.map(path => {
      const about = read(`${root}/${path}/package.json`)
      return [path, purlOf(about.name, about.version)]
    }),
  )
  const component = path => {
    const about = read(`${root}/${path}/package.json`)
    const licence = packages[path]?.license
    const ref = refs.get(path)
    return {
      ...{ type: 'library', 'bom-ref': ref, name: about.name, version: about.version, purl: ref },
      ...(licence && { licenses: licencesOf(licence) }),
      ...(packages[path]?.integrity && { hashes: hashesOf(packages[path].integrity) }),
    }
  }
  const own = { type: 'application', 'bom-ref': 'lanward', name, version, licenses: licencesOf(license) }
  const node = {
    type: 'platform',
    'bom-ref': 'node',
    name: 'node',
    version: nodeVersion,
    purl: `pkg:generic/node@${nodeVersion}`,
  }
  const needs = path =>
    Object.keys({
      ...packages[path]?.dependencies,
      ...packages[path]?.optionalDependencies,
      ...packages[path]?.peerDependencies,
    })
      .map(one => refs.get(resolved(packages, path, one)))
      .filter(Boolean)
  const byRef = new Map(shipped.map(path => [refs.get(path), path]))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: own } },
    components: [node, ...[...byRef.values()].map(component)],
    dependencies: [
      { ref: 'lanward', dependsOn: ['node', ...new Set(needs(''))].sort() },
      ...[...byRef].map(([ref, path]) => ({ ref, dependsOn: [...new Set(needs(path))].sort() })),
    ],
  }
}
