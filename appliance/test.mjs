#!/usr/bin/env node
// npm test: installs what the tests need, then runs every part in order. `npm test -- unit lab` runs those parts alone.
// The last plain line is `N passed, N failed, N skipped`. As root nothing may be skipped; else it says what was left out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { build, checkNode, install, root } from './prepare/prepare.mjs'

const asRoot = process.getuid?.() === 0
const sum = { passed: 0, failed: 0, skipped: 0 }
const lines = []
const leftOut = []

const bin = name => `${root}/node_modules/.bin/${name}`
const seconds = since => `${((Date.now() - since) / 1000).toFixed(0)} s`
const has = command => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

function count(name, since, { passed = 0, failed = 0, skipped = 0 }) {
  sum.passed += passed
  sum.failed += failed
  sum.skipped += skipped
  const line = `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds(since)})`
  lines.push(line)
  console.log(`\n== ${line}`)
}

function command(name, file, args, env = {}) {
  const since = Date.now()
  console.log(`\n== ${name}`)
  const ran = spawnSync(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  count(name, since, ran.status === 0 ? { passed: 1 } : { failed: 1 })
  return ran.status === 0
}

const testFiles = folder =>
  existsSync(`${root}/${folder}`)
    ? readdirSync(`${root}/${folder}`, { recursive: true }).filter(name => /\.test\.tsx?$/.test(String(name)))
    : []

/** One jest run; counts come from its report. A run that left no report, or in which a file broke, is a failure. */
function jest(name, folders, { band = false, wrap = [] } = {}) {
  const filled = folders.filter(folder => testFiles(folder).length > 0)
  if (filled.length === 0) return
  const since = Date.now()
  console.log(`\n== ${name}`)
  const folder = mkdtempSync(`${tmpdir()}/lanward-test-`)
  const report = `${folder}/report.json`
  const args = [
    '-c',
    `${root}/tests/jest.config.mjs`,
    '--json',
    `--outputFile=${report}`,
    ...(band ? ['-i'] : []),
    ...filled.map(one => `${root}/${one}/`),
  ]
  const [file, ...rest] = [...wrap, process.execPath, `${root}/node_modules/jest/bin/jest.js`, ...args]
  // With --json the report also goes to stdout, the readable one to stderr.
  const ran = spawnSync(file, rest, {
    cwd: root,
    stdio: ['inherit', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'test' },
  })
  const found = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  rmSync(folder, { recursive: true, force: true })
  const broken = found ? found.numRuntimeErrorTestSuites : 1
  const failed = (found?.numFailedTests ?? 0) + broken
  count(name, since, {
    passed: found?.numPassedTests,
    failed: failed || (ran.status === 0 ? 0 : 1),
    skipped: (found?.numPendingTests ?? 0) + (found?.numTodoTests ?? 0),
  })
}

function aptInstall(packages) {
  console.log(`Installing ${packages.join(' ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  return (
    spawnSync('apt-get', ['install', '-qqy', '--no-install-recommends', ...packages], { stdio: 'inherit', env })
      .status === 0
  )
}

/** What the lab and the browser need of this machine, installed when root. */
function systemNeeds(parts) {
  const wanted = [
    ['unit', 'bunzip2', 'bzip2'],
    ['lab', 'debootstrap', 'debootstrap'],
    ['lab', 'systemd-nspawn', 'systemd-container'],
    ['lab', 'ip', 'iproute2'],
    ['browser', 'chromium', 'chromium'],
  ]
  const missing = wanted.filter(([part, tool]) => parts.includes(part) && !has(tool)).map(([, , name]) => name)
  if (missing.length > 0 && asRoot && has('apt-get')) aptInstall(missing)
  if (parts.includes('lab') && asRoot && existsSync(`${root}/appliance/lab/root.sh`))
    spawnSync('bash', [`${root}/appliance/lab/root.sh`], { stdio: ['inherit', 'ignore', 'inherit'] })
}

/** Inside the manager's network of a device lab that is made for this run alone. */
function inLab(name, folder) {
  if (asRoot) jest(name, [folder], { band: true, wrap: ['bash', `${root}/appliance/lab/lab.sh`, 'run'] })
  else leftOut.push(`${name}: the device lab needs root`)
}

const runs = {
  check() {
    command('types', bin('tsc'), ['--noEmit'])
    command('lint', bin('biome'), ['check', '--error-on-warnings', '.'])
    command('unused code', bin('knip'), [])
  },
  build() {
    const since = Date.now()
    build()
    count('build', since, { passed: 1 })
  },
  unit: () => jest('unit', ['tests/model', 'tests/server', 'tests/devices', 'tests/app', 'tests/contract']),
  appliance: () => jest('appliance', ['tests/appliance'], { band: true }),
  lab: () => inLab('lab', 'tests/lab'),
  browser() {
    if (has('chromium')) inLab('browser', 'tests/browser')
    else leftOut.push('browser: Chromium is not installed')
  },
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter(name => !(name in runs))
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(' ')}. Parts: ${Object.keys(runs).join(' ')}`)
  process.exit(2)
}
const parts = chosen.length > 0 ? chosen : Object.keys(runs)
checkNode()
install()
systemNeeds(parts)
const since = Date.now()
for (const part of parts) runs[part]()

console.log(`\n${lines.join('\n')}`)
for (const line of leftOut) console.log(`left out: ${line}`)
console.log(`in ${seconds(since)}`)
const nothing = sum.passed + sum.failed === 0
if (nothing) console.log('no test ran')
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exit(sum.failed > 0 || nothing || (asRoot && sum.skipped + leftOut.length > 0) ? 1 : 0)
