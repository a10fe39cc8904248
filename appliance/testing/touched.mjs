// What of a run a change can touch: `--since REV`. Unit tests by their imports; lab and browser by area, all when in doubt.
import { spawnSync } from 'node:child_process'
import { root } from '../prepare/prepare.mjs'

const none = /^$/
/**
 * A changed path, and the files of lab, browser and appliance that it can touch. The first row that fits counts; a path
 * that fits none touches all. What is imported by the tests themselves is found by its imports, and has no row.
 */
const rows = [
  [/\.md$|^docs\/|^\.github\//, none],
  [/^tests\//, none],
  [/^appliance\/(bin|build|package|prepare|http)\/|^appliance\/(serve|start|cli)/, /^tests\/(appliance|browser)\//],
  [/^app\/\(console\)\/network\/[^/]+\/alerts\//, /browser\/(alerts|parts)/],
  [/^app\/\(console\)\/network\/[^/]+\/dashboard\//, /browser\/(console|gateway|first-start|parts)/],
  [/^app\/\(console\)\/network\/[^/]+\/devices\//, /browser\/(device|credentials|import|console|hostile-names|parts)/],
  [
    /^app\/\(console\)\/network\/[^/]+\/settings\//,
    /browser\/(settings|quick-add|review|firewall|gateway|system|parts)/,
  ],
  [/^app\/\(console\)\/organization\/api\//, /browser\/(api|parts)/],
  [/^app\/\(console\)\/organization\/changelog\//, /browser\/(changelog|parts)/],
  [/^app\/\(console\)\/organization\/manager\//, /browser\/(manager|backups|general-settings|parts)/],
  [/^app\/\(console\)\/organization\/(network|overview)\//, /browser\/(networks|sharing|parts)/],
  [/^app\/\(console\)\/organization\/users\//, /browser\/(users|rights|saml|ldap|security|parts)/],
  [/^app\/\(sign-in\)\//, /browser\/(sign-in|first-start|wizard|saml|ldap|security|session)/],
  [/^app\/|^locales\//, /^tests\/browser\//],
  [/^server\/people\//, /browser\/(sign-in|users|rights|saml|ldap|security|session|sharing|api)|lab\/ldap/],
  [/^server\/drivers\/openwrt\//, /lab\/(openwrt|samples|fleet)|browser\/(import|review)/],
  [/^server\/drivers\/(snmp|models)\//, /lab\/(snmp|switches|ports|samples|fleet|lab|actions)|browser\/device/],
]

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

/** Paths that differ from a revision, those git does not know yet among them; undefined when it knows no such revision. */
function changedSince(revision) {
  const tracked = git('diff', '--name-only', revision, '--')
  if (tracked.status !== 0) return undefined
  const others = git('ls-files', '--others', '--exclude-standard')
  return `${tracked.stdout}${others.stdout}`.split('\n').filter(Boolean)
}

/** Test files that import what changed. */
function importing(changed) {
  const sources = changed.filter(path => /\.(tsx?|mjs|json)$/.test(path))
  if (sources.length === 0) return new Set()
  const jest = [`${root}/node_modules/jest/bin/jest.js`, '-c', 'tests/jest.config.mjs', '--listTests']
  const { stdout } = spawnSync(process.execPath, [...jest, '--findRelatedTests', ...sources], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  return new Set(stdout.split('\n').map(line => line.trim().replace(`${root}/`, '')))
}

/** Which of these lab, browser and appliance files a change of these paths can touch. */
export function byArea(changed, files) {
  const patterns = changed.map(path => rows.find(([from]) => from.test(path))?.[1])
  return files.filter(file => patterns.some(pattern => pattern === undefined || pattern.test(file)))
}

const unitLike = /^tests\/(app|model|server|drivers|bench)\//
const contract = /^tests\/contract\//

/** A filter of test files: true for what a change since `revision` touches; undefined when there is no such revision. */
export function touchedSince(revision) {
  const changed = changedSince(revision)
  if (!changed) return undefined
  const imported = importing(changed)
  // Those of lab and browser import nothing of the product but types: what they share is in the tests.
  const ofTests = importing(changed.filter(path => path.startsWith('tests/')))
  return file => {
    // They read the tree itself.
    if (contract.test(file)) return changed.length > 0
    if (unitLike.test(file)) return imported.has(file)
    return ofTests.has(file) || byArea(changed, [file]).length > 0
  }
}
