// A sample of the soak: `npm run soak -- --faults 1000` goes on from here.
import { runFaults } from '../soak/faults'
import { randomOf } from '../soak/random'

test('40 faults in the middle of pushes: each device ends with what its push says', async () => {
  expect(await runFaults(40, randomOf(20_261_128))).toBe(0)
})
