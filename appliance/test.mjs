#!/usr/bin/env node
// npm test: what every change must pass. `--all` (npm run test:all) is everything, `--long` what takes longer than a person
// waits; names of parts after it run those alone: `npm test -- unit check`, `--since REV` what a change since then touches.
// The last plain line is `N passed, N failed, N skipped`. As root nothing may be skipped; else it says what was left out.
import { availableParallelism } from 'node:os'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { isBuilt, root } from './prepare/prepare.mjs'
import { sourceStamp } from './prepare/stamp.mjs'
import { budgetOf, costs, labsAtOnce, unitWorkers } from './testing/budget.mjs'
import { keepDuration, longestFirst } from './testing/durations.mjs'
import { jest } from './testing/jest.mjs'
import { startLab, sweepLabs } from './testing/labs.mjs'
import { inOneLab, queueOf, withSecondLook } from './testing/lanes.mjs'
import { endAll, run } from './testing/run.mjs'
import { makeScratch } from './testing/scratch.mjs'
import { filesOf, inLab, onBuild, sets } from './testing/sets.mjs'
import { tallyOf } from './testing/tally.mjs'
import { touchedSince } from './testing/touched.mjs'

const asRoot = process.getuid?.() === 0
const started = Date.now()
const seconds = since => (Date.now() - since) / 1000
const tally = tallyOf()
const budget = budgetOf(availableParallelism())
const bin = name => `${root}/node_modules/.bin/${name}`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, long: { type: 'boolean' }, since: { type: 'string' } },
})
const setName = values.long ? 'long' : values.all ? 'all' : 'test'
const set = sets[setName]
const unknown = positionals.filter(name => !set.parts.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(' ')}. Parts: ${set.parts.join(' ')}`)
  process.exit(2)
}

/** The files of a part; with `--since` those that the change touches. */
let touched = () => true
const filesOfPart = part => filesOf(part, setName).filter(touched)

/** The same sources draw the same sample, other sources another one. Without a seed matrices run whole. */
const seed = process.env.LANWARD_SAMPLE ?? String(Number.parseInt(sourceStamp().slice(0, 8), 16))
const testEnv = set.sample ? { LANWARD_SAMPLE: seed } : {}

/** One step that is no test: passed when `judge` says so. */
async function command(part, name, file, args, { judge = code => code === 0, env } = {}) {
  const since = Date.now()
  const { code, output } = await run(file, args, { env })
  const good = judge(code)
  const told = {
    passed: Number(good),
    failures: good ? [] : [`ended with ${code}`],
    seconds: seconds(since),
  }
  if (!good) console.log(`\n${output.trimEnd()}`)
  tally.tell(part, { file: name, ...told })
  tally.line(name, told)
  return good
}

/** What would keep the compiler busy without end, and say nothing of the cause. */
const beforeTypes = 'tests/contract/areas.test.ts'
async function areasOfWords() {
  const told = []
  await tests('check', 'areas of words', [beforeTypes], {}, one => told.push(one))
  for (const one of told) tally.tell('check', one)
  return told.every(one => one.failures.length === 0)
}

/**
 * Checks and build, two lanes; resolves to whether there is a build to test. A failed one is a failure here, although
 * `npm start` would go on with the former. Types come after it: it makes some of them, of the routes.
 */
async function checksAndBuild(chosen) {
  const script = "import('./appliance/prepare/prepare.mjs').then(prepare => prepare.build())"
  const env = chosen.includes('check') ? { LANWARD_TYPES: 'checked after' } : {}
  const steps = {
    build: ['build', process.execPath, ['-e', script], { judge: isBuilt, env }],
    // Its record of an earlier check misses what changed in words alone.
    types: ['check', bin('tsc'), ['--noEmit', '--incremental', 'false']],
    lint: ['check', bin('biome'), ['check', '--error-on-warnings', '.']],
    'unused code': ['check', bin('knip'), []],
  }
  const mine = Object.keys(steps).filter(name => chosen.includes(steps[name][0]))
  tally.plan(mine)
  const failed = []
  const lane = async names => {
    for (const name of names.filter(name => mine.includes(name))) {
      if (name === 'types' && !(await areasOfWords())) continue
      const [part, ...how] = steps[name]
      const giveBack = await budget.take(costs[part])
      if (!(await command(part, name, ...how))) failed.push(name)
      giveBack()
    }
  }
  await Promise.all([lane(['build', 'types']), lane(['lint', 'unused code'])])
  return !failed.includes('build')
}

/** Runs files of a part, each told as it ends; one line for all of them. */
async function tests(part, name, files, options, tell = one => tally.tell(part, one)) {
  const since = Date.now()
  const sum = { passed: 0, failures: [], skipped: 0 }
  await jest(files, { limitMs: set.fileMinutes * 60_000, ...options, env: { ...testEnv, ...options.env } }, one => {
    if (one.failures.length > 0) console.log(`\n${one.file}\n${one.output.trimEnd()}`)
    sum.passed += one.passed
    sum.failures.push(...one.failures)
    sum.skipped += one.skipped
    tell(one)
  })
  tally.line(name, { ...sum, seconds: seconds(since) })
}

async function unit(files) {
  if (files.length === 0) return
  const giveBack = await budget.take(budget.cores)
  await tests('unit', 'unit', files, { workers: unitWorkers(budget.cores) })
  giveBack()
}

/** Files of this machine itself, one after the other. */
async function onThisMachine(files) {
  for (const file of files) {
    const giveBack = await budget.take(costs.appliance)
    await tests('appliance', file, [file], {})
    giveBack()
  }
}

let labNumber = 0
/** A lab with a name of its own; undefined, and told, when it does not start. */
async function newLab(site) {
  const since = Date.now()
  labNumber += 1
  const name = `${process.env.LANWARD_LAB_PREFIX ?? `l${process.pid.toString(36)}`}${labNumber.toString(36)}`
  const giveBack = await budget.take(costs.startLab)
  try {
    const lab = await startLab(name, site)
    tally.line(`a lab, ${site} site`, { passed: 1, failures: [], seconds: seconds(since) })
    return lab
  } catch (error) {
    tally.fail(`a lab did not start: ${error.message}`)
    return undefined
  } finally {
    giveBack()
  }
}

/** One file in a lab, in its turn; resolves to what it told. */
async function fileInLab({ part, file }, { wrap }) {
  const giveBack = await budget.take(costs[part])
  let told
  await tests(part, file, [file], { wrap }, one => {
    told = one
  })
  giveBack()
  return told
}

const jobsOf = (chosen, ...parts) =>
  parts.filter(part => chosen.includes(part)).flatMap(part => filesOfPart(part).map(file => ({ part, file })))

/** Files of one folder share a guest, one folder after the other: beside other work an emulated device starves. */
async function besideGuests(files) {
  for (const folder of new Set(files.map(file => dirname(file)))) {
    const giveBack = await budget.take(budget.cores)
    const wrap = ['bash', `${root}/appliance/lab/guest.sh`, basename(folder)]
    const mine = files.filter(file => dirname(file) === folder)
    await tests('kernel', folder, mine, { wrap })
    giveBack()
  }
}

/** Smoke and long files have one lab, and no second look. */
function once(jobs, site) {
  return inOneLab(queueOf(jobs), {
    newLab: () => newLab(site),
    async runJob(job, lab) {
      const told = await fileInLab(job, lab)
      tally.tell(job.part, told)
      return told.failures.length === 0
    },
  })
}

const twice = jobs =>
  withSecondLook(longestFirst(jobs), {
    lanes: labsAtOnce(budget.cores),
    newLab: () => newLab('whole'),
    runFile: fileInLab,
    tell({ part }, told) {
      tally.tell(part, told)
      if (told.failures.length === 0) keepDuration(told)
    },
    flaky: lines => tally.flaky.push(...lines),
  })

/** Takes out what cannot run here, and remembers that it was. */
function possible(chosen) {
  return chosen.filter(part => {
    if (asRoot || !inLab.includes(part)) return true
    tally.leftOut.push(`${part}: the device lab needs root`)
    return false
  })
}

/** All parts, one kind after the other; a failed one stops no other, but nothing is tested on a build of other sources. */
async function runAll(chosen) {
  const built = await checksAndBuild(chosen)
  const left = built ? chosen : chosen.filter(part => !onBuild.includes(part))
  for (const part of chosen.filter(part => !left.includes(part))) tally.fail(`${part}: not run, the build failed`)
  const some = part => (left.includes(part) ? filesOfPart(part) : [])
  await unit(some('unit'))
  await Promise.all([onThisMachine(some('appliance')), once(jobsOf(left, 'smoke'), 'small')])
  await once(jobsOf(left, 'long'), 'whole')
  await twice(jobsOf(left, 'lab', 'browser'))
  await besideGuests(some('kernel'))
}

function end() {
  const good = tally.summary({ seconds: seconds(started), strict: asRoot })
  process.exit(good ? 0 : 1)
}

makeScratch()
const chosen = possible(positionals.length > 0 ? positionals : set.parts)
for (const part of chosen) tally.plan(filesOf(part, setName))

/** Whoever waited that long gets what is known, too. */
let cut = false
async function cutBy(what) {
  if (cut) return
  cut = true
  tally.fail(`the run was cut ${what}`)
  await endAll()
  end()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => cutBy(`by ${signal}`))
const minutes = Number(process.env.LANWARD_TEST_LIMIT ?? set.minutes)
setTimeout(() => cutBy(`after ${minutes} minutes`), minutes * 60_000).unref()

const setup = await run(process.execPath, [`${root}/appliance/testing/setup.mjs`, setName, ...chosen], {
  tee: true,
  tidies: true,
})
if (setup.code !== 0) cut ? end() : process.exit(1)
if (values.since) {
  touched = touchedSince(values.since)
  if (!touched) {
    console.error(`git knows no revision ${values.since}`)
    process.exit(2)
  }
  const files = chosen.flatMap(part => filesOf(part, setName))
  const without = files.filter(file => !touched(file))
  console.log(`Left out, not touched since ${values.since}: ${without.length} of ${files.length} files`)
  for (const file of without) {
    tally.planned.delete(file)
    console.log(`  ${file}`)
  }
}
if (set.sample) console.log(`Matrices run a sample of seed ${seed} (LANWARD_SAMPLE); whole: npm run test:all`)
if (asRoot && chosen.some(part => inLab.includes(part))) await sweepLabs()
await runAll(chosen)
end()
