#!/usr/bin/env node
// npm test: installs what the tests need, then runs every part, several at once. `npm test -- unit lab` runs those alone,
// `npm test -- --without kernel` all the others; both say what they left out.
// The last plain line is `N passed, N failed, N skipped`. As root nothing may be skipped; else it says what was left out.
import { spawnSync } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, install, isBuilt, root } from './prepare/prepare.mjs'
import { jest, testFiles } from './testing/jest.mjs'
import { startLab } from './testing/labs.mjs'
import { endAll, run } from './testing/run.mjs'

const asRoot = process.getuid?.() === 0
const parts = ['check', 'build', 'unit', 'appliance', 'lab', 'browser', 'kernel']
const sum = new Map()
const failures = []
const leftOut = []
const started = Date.now()

const bin = name => `${root}/node_modules/.bin/${name}`
const seconds = since => Math.round((Date.now() - since) / 1000)
const has = command => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** Adds a run's end to its part; the whole output of one that failed, a line of one that passed. */
function tell(part, name, since, { passed = 0, failures: failed = [], skipped = 0, output = '' }) {
  const own = sum.get(part) ?? { passed: 0, failed: 0, skipped: 0, seconds: 0 }
  own.passed += passed
  own.failed += failed.length
  own.skipped += skipped
  own.seconds += seconds(since)
  sum.set(part, own)
  failures.push(...failed)
  if (failed.length > 0) console.log(`\n${output.trimEnd()}`)
  console.log(`== ${name}: ${passed} passed, ${failed.length} failed, ${skipped} skipped (${seconds(since)} s)`)
}

async function command(part, name, file, args, { judge = code => code === 0, env = {} } = {}) {
  const since = Date.now()
  const { code, output } = await run(file, args, { env })
  const good = judge(code)
  tell(part, name, since, { passed: Number(good), failures: good ? [] : [`${name}: ended with ${code}`], output })
  return good
}

async function tests(part, name, paths, options) {
  const since = Date.now()
  const told = await jest(paths, options)
  tell(part, name, since, told)
  return told.failures.length === 0
}

/** What would keep the compiler busy without end, and say nothing of the cause. */
const beforeTypes = 'tests/contract/areas.test.ts'

async function check() {
  if (await tests('check', 'areas of words', [beforeTypes], {}))
    // Its record of an earlier check misses what changed in words alone.
    await command('check', 'types', bin('tsc'), ['--noEmit', '--incremental', 'false'])
  await command('check', 'lint', bin('biome'), ['check', '--error-on-warnings', '.'])
  await command('check', 'unused code', bin('knip'), [])
}

/** A failed build is a failure here, although `npm start` would go on with the former one. Types are not checked twice. */
function makeBuild(chosen) {
  const script = "import('./appliance/prepare/prepare.mjs').then(prepare => prepare.build())"
  const env = chosen.includes('check') ? { LANWARD_TYPES: 'checked beside' } : {}
  return command('build', 'build', process.execPath, ['-e', script], { judge: isBuilt, env })
}

/** Every test that is in none of the other parts' folders. */
const unitFiles = () =>
  testFiles('tests').filter(file => !/^tests\/(appliance|lab|browser|kernel)\//.test(file) && file !== beforeTypes)

/** What runs on this machine itself: the unit tests in three workers, since they wait more than they work; then file by file. */
async function onThisMachine(chosen) {
  if (chosen.includes('unit')) await tests('unit', 'unit', unitFiles(), { workers: 3 })
  if (!chosen.includes('appliance')) return
  for (const file of testFiles('tests/appliance')) await tests('appliance', file, [file], {})
}

const labsAtOnce = 3

/**
 * Labs side by side. Files of the lab wait, those of the browser work: one lab takes browser files first, the others take
 * files of the lab, and who has none of its own left helps with the others'.
 */
async function inLabs(labs, chosen) {
  const queueOf = part => (chosen.includes(part) ? testFiles(`tests/${part}`).map(file => ({ part, file })) : [])
  const [waiting, working] = [queueOf('lab'), queueOf('browser')]
  await Promise.all(
    labs.map(async (lab, at) => {
      const [own, others] = at === 0 ? [working, waiting] : [waiting, working]
      for (let job = own.shift() ?? others.shift(); job; job = own.shift() ?? others.shift())
        await tests(job.part, job.file, [job.file], { wrap: lab.wrap })
    }),
  )
}

/** Files of one folder share a guest, one folder after the other: beside other work an emulated device starves. */
async function besideGuests(chosen) {
  if (!chosen.includes('kernel')) return
  const files = testFiles('tests/kernel')
  for (const folder of new Set(files.map(file => dirname(file)))) {
    const wrap = ['bash', `${root}/appliance/lab/guest.sh`, basename(folder)]
    await tests(
      'kernel',
      folder,
      files.filter(file => dirname(file) === folder),
      { wrap },
    )
  }
}

/** Starts labs; one that does not start is a failure of the part, and the others do its work. */
async function startLabs() {
  const since = Date.now()
  const names = Array.from(
    { length: labsAtOnce },
    (_, at) => `${process.env.LANWARD_LAB_PREFIX ?? `l${process.pid}`}${'abc'[at]}`,
  )
  const results = await Promise.allSettled(names.map(startLab))
  const labs = results.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  const broken = results.flatMap(one => (one.status === 'rejected' ? [String(one.reason.message)] : []))
  tell('lab', `${labs.length} labs`, since, { failures: broken, output: broken.join('\n') })
  return labs
}

function aptInstall(packages) {
  console.log(`Installing ${packages.join(' ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  spawnSync('apt-get', ['install', '-qqy', '--no-install-recommends', ...packages], { stdio: 'inherit', env })
}

/** What the lab and the browser need of this machine, installed when root. */
function systemNeeds(chosen) {
  const wanted = [
    ['unit', 'bunzip2', 'bzip2'],
    ['appliance', 'curl', 'curl'],
    ['appliance', 'jq', 'jq'],
    ['appliance', 'openssl', 'openssl'],
    ['lab', 'debootstrap', 'debootstrap'],
    ['lab', 'systemd-nspawn', 'systemd-container'],
    ['lab', 'ip', 'iproute2'],
    ['browser', 'chromium', 'chromium'],
    ['kernel', 'debootstrap', 'debootstrap'],
    ['kernel', 'ip', 'iproute2'],
  ]
  const missing = wanted.filter(([part, tool]) => chosen.includes(part) && !has(tool)).map(([, , name]) => name)
  if (missing.length > 0 && asRoot && has('apt-get')) aptInstall([...new Set(missing)])
  if (!asRoot) return
  const make = script =>
    spawnSync('bash', [`${root}/appliance/lab/${script}`], { stdio: ['inherit', 'ignore', 'inherit'] })
  if (['appliance', 'lab', 'browser'].some(part => chosen.includes(part))) make('root.sh')
  if (chosen.includes('kernel')) make('guest-image.sh')
}

/** Takes out what cannot run here, and remembers that it was. */
function possible(chosen) {
  const without = (part, why) => {
    leftOut.push(`${part}: ${why}`)
    return false
  }
  return chosen.filter(part => {
    if (['lab', 'browser', 'kernel'].includes(part) && !asRoot) return without(part, 'the device lab needs root')
    return part !== 'browser' || has('chromium') || without(part, 'Chromium is not installed')
  })
}

/** All parts; a failed one stops no other, but nothing is tested on a build that is not of these sources. */
async function runAll(chosen) {
  const usesLab = chosen.some(part => part === 'lab' || part === 'browser')
  const [labs, built] = await Promise.all([
    usesLab ? startLabs() : [],
    !chosen.includes('build') || makeBuild(chosen),
    chosen.includes('check') && check(),
  ])
  const left = built ? chosen : chosen.filter(part => part !== 'appliance' && part !== 'browser')
  for (const part of chosen.filter(part => !left.includes(part))) failures.push(`${part}: not run, the build failed`)
  await Promise.all([onThisMachine(left), inLabs(labs, left)])
  await Promise.all(labs.map(lab => lab.end()))
  await besideGuests(left)
}

function summary() {
  console.log('')
  for (const [part, { passed, failed, skipped, seconds: time }] of sum)
    console.log(`${part}: ${passed} passed, ${failed} failed, ${skipped} skipped (${time} s)`)
  if (chosen.length < parts.length)
    console.log(`left out as asked: ${parts.filter(part => !chosen.includes(part)).join(' ')}`)
  for (const line of leftOut) console.log(`left out: ${line}`)
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map(line => `  ${line}`).join('\n')}`)
  const total = key => [...sum.values()].reduce((all, one) => all + one[key], 0)
  const nothing = total('passed') + failures.length === 0
  console.log(nothing ? '\nno test ran' : `\nin ${seconds(started)} s`)
  console.log(`${total('passed')} passed, ${failures.length} failed, ${total('skipped')} skipped`)
  return failures.length === 0 && !nothing && !(asRoot && total('skipped') + leftOut.length > 0)
}

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { without: { type: 'string', multiple: true, default: [] } },
})
const unknown = [...asked, ...values.without].filter(name => !parts.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(' ')}. Parts: ${parts.join(' ')}`)
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, async () => {
    await endAll()
    process.exit(130)
  })
const chosen = (asked.length > 0 ? asked : parts).filter(part => !values.without.includes(part))
checkNode()
install()
systemNeeds(chosen)
await runAll(possible(chosen))
if (!summary()) process.exitCode = 1
