// npm run soak -- --kills 50 --seed 7: kill -9 in every place, the same moments for the same seed.
// npm run soak -- --faults 100 --seed 7: faults in the middle of pushes to four devices of a lab of its own (as root).
// npm run soak -- --fuzz 10000 --seed 7: so many random documents of every kind through every renderer; --kind wan of one.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { isKindId, kindIds } from '@/model/registry'
import { root } from '../appliance/_manager'
import { lab } from '../lab/_lab'
import { runFaults } from './faults'
import { fuzzKind } from './fuzz'
import { places } from './kills'
import { randomOf } from './random'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    faults: { type: 'string' },
    fuzz: { type: 'string' },
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

async function run(): Promise<number> {
  if (values.fuzz !== undefined) return fuzz(Number(values.fuzz))
  return values.faults === undefined ? kills(Number(values.kills)) : faultsInLab(Number(values.faults))
}

const failed = await run()
process.exit(failed ? 1 : 0)
