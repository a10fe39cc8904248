// npm run soak -- --kills 50 --seed 7: kill -9 in every place, the same moments for the same seed.
// npm run soak -- --faults 100 --seed 7: faults in the middle of pushes to four devices of a lab of its own (as root).
// npm run soak -- --calls 100000 --seed 7: so many hostile inputs to random calls as random people.
// npm run soak -- --files 400 --seed 7: files for so many documents of each kind, read by the programs they are for (as root).
// npm run soak -- --fuzz 10000 --seed 7: so many random documents of every kind through every renderer; --kind wan of one.
// npm run soak -- --outages 1000 --seed 7: so many random outages, and whether their cause is named.
// npm run soak -- --networks 100 --seed 7: so many random networks of up to 500 switches, drawn by what their devices tell.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { isKindId, kindIds } from '@/model/registry'
import { root } from '../appliance/_manager'
import { startWholeManager } from '../contract/_whole'
import { lab } from '../lab/_lab'
import { finishedWizard } from '../server/_manager'
import { wrongRoots } from '../server/devices/_outages'
import { judgeAll } from '../server/topology/_judge'
import { runFaults } from './faults'
import { fuzzKind } from './fuzz'
import { fuzzCalls, leftBehind } from './hostile-calls'
import { places } from './kills'
import { randomOf } from './random'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    faults: { type: 'string' },
    fuzz: { type: 'string' },
    calls: { type: 'string' },
    files: { type: 'string' },
    networks: { type: 'string' },
    outages: { type: 'string' },
    kind: { type: 'string', multiple: true, default: kindIds },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
const random = randomOf(seed)

async function faultsInLab(count: number): Promise<number> {
  const here = await lab.up().catch(() => undefined)
  if (here) {
    console.log(`seed ${seed}: ${count} faults`)
    return runFaults(count, random)
  }
  const again = [
    `${root}/appliance/build/run-ts.mjs`,
    'tests/soak/soak.ts',
    '--faults',
    String(count),
    '--seed',
    String(seed),
  ]
  const words = [`${root}/appliance/lab/lab.sh`, 'run', process.execPath, ...again]
  return spawnSync('bash', words, { cwd: root, stdio: 'inherit' }).status ?? 1
}

async function kills(count: number): Promise<number> {
  const each = Math.max(10, Math.ceil(count / places.length))
  console.log(`seed ${seed}: ${each} kills in each of ${places.length} places`)
  let failed = 0
  for (const place of places) {
    let good = 0
    for (let i = 0; i < each; i++) {
      try {
        await place.round(random)
        good++
      } catch (error) {
        failed++
        console.error(`${place.name}, kill ${i + 1}:`, error)
      }
    }
    await place.end?.()
    console.log(`${place.name}: ${good} of ${each} kills survived whole`)
  }
  return failed
}

/** Kinds with something wrong in them. */
async function fuzz(count: number): Promise<number> {
  const kinds = values.kind.filter(isKindId)
  console.log(`seed ${seed}: ${count} documents of each of ${kinds.length} kinds`)
  let failed = kinds.length ? 0 : 1
  for (const kind of kinds) {
    // A kind alone meets the same documents as among the others.
    const { wrong, silent } = await fuzzKind(kind, count, randomOf(seed))
    for (const one of wrong) console.error(`${kind}: ${one}`)
    console.log(`${kind}: ${wrong.length} broken, fields without effect: ${silent.join(', ') || 'none'}`)
    failed += Number(wrong.length + silent.length > 0)
  }
  return failed
}

async function hostileCalls(count: number): Promise<number> {
  console.log(`seed ${seed}: ${count} hostile inputs`)
  const manager = await startWholeManager()
  await finishedWizard(manager)
  const { sent, taken, findings } = await fuzzCalls(manager, { count }, random)
  for (const one of findings) console.error(one)
  const wrong = leftBehind(manager)
  for (const one of wrong) console.error(one)
  await manager.stop()
  const heap = Math.round(process.memoryUsage().rss / 2 ** 20)
  console.log(`${sent} sent, ${taken} not refused, ${findings.length} findings, ${heap} MB`)
  return findings.length + wrong.length
}

function filesRead(count: string): number {
  console.log(`seed ${seed}: files for ${count} documents of each kind`)
  const env = { ...process.env, LANWARD_SAMPLES: count, LANWARD_SAMPLES_SEED: String(seed) }
  const words = [`${root}/appliance/lab/lab.sh`, 'test', 'tests/lab/samples.test.ts']
  return spawnSync('bash', words, { cwd: root, stdio: 'inherit', env }).status ?? 1
}

function networksDrawn(count: number): number {
  const found = judgeAll(
    Array.from({ length: count }, (_, at) => seed + at),
    500,
  )
  const share = (part: number, whole: number) => `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`
  console.log(`seed ${seed}: ${count} networks; drawn links right: ${share(found.right, found.drawn)};`)
  console.log(`found of all segments between managed switches: ${share(found.found, found.segments)}`)
  for (const one of [...found.wrongCertain, ...found.wrongSomewhere]) console.error(`wrong, and said to be so: ${one}`)
  const wrong = found.wrongCertain.length + found.wrongSomewhere.length
  const few = Number(found.right < 0.99 * found.drawn) + Number(found.found < 0.95 * found.segments)
  return wrong + few
}

function outagesNamed(count: number): number {
  const wrong = wrongRoots(Array.from({ length: count }, (_, at) => seed + at))
  console.log(
    `seed ${seed}: ${count - wrong.length} of ${count} outages named by their cause; others: ${wrong.join(' ')}`,
  )
  return wrong.length > 0.02 * count ? 1 : 0
}

async function run(): Promise<number> {
  if (values.outages !== undefined) return outagesNamed(Number(values.outages))
  if (values.networks !== undefined) return networksDrawn(Number(values.networks))
  if (values.files !== undefined) return filesRead(values.files)
  if (values.calls !== undefined) return hostileCalls(Number(values.calls))
  if (values.fuzz !== undefined) return fuzz(Number(values.fuzz))
  return values.faults === undefined ? kills(Number(values.kills)) : faultsInLab(Number(values.faults))
}

const failed = await run()
process.exit(failed ? 1 : 0)
