// npm run soak -- --kills 50 --seed 7: kill -9 in every place, the same moments for the same seed.
// npm run soak -- --faults 100 --seed 7: faults in the middle of pushes to four devices of a lab of its own (as root).
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from '../appliance/_manager'
import { lab } from '../lab/_lab'
import { runFaults } from './faults'
import { places } from './kills'
import { randomOf } from './random'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    faults: { type: 'string' },
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

const failed =
  values.faults === undefined ? await kills(Number(values.kills)) : await faultsInLab(Number(values.faults))
process.exit(failed ? 1 : 0)
