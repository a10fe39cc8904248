// npm run soak -- --kills 50 --seed 7: kill -9 in every place, the same moments for the same seed.
import { parseArgs } from 'node:util'
import { places } from './kills'
import { randomOf } from './random'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
const each = Math.max(10, Math.ceil(Number(values.kills) / places.length))
const random = randomOf(seed)
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
process.exit(failed ? 1 : 0)
