// What belongs to which run of tests. A new file needs no entry: it is part of test:all.
import { testFiles } from './jest.mjs'

/**
 * - `test`: what every change must pass: minutes, right on a busy machine, no second look. Matrices run a seeded sample.
 * - `all`: everything a person waits for; what fails in lab or browser is looked at once more.
 * - `long`: what takes longer than that.
 * `minutes` bounds the whole run, so that its report comes before whoever waits for it gives up, `fileMinutes` a file.
 */
export const sets = {
  test: { parts: ['check', 'build', 'unit', 'appliance', 'smoke'], sample: true, minutes: 40, fileMinutes: 10 },
  all: {
    parts: ['check', 'build', 'unit', 'appliance', 'smoke', 'lab', 'browser'],
    minutes: 180,
    fileMinutes: 10,
  },
  long: { parts: ['build', 'long', 'kernel'], minutes: 480, fileMinutes: 120 },
}

/** Parts that test a build, and parts that run in a device lab. */
export const onBuild = ['appliance', 'smoke', 'browser', 'long']
export const inLab = ['smoke', 'lab', 'browser', 'long', 'kernel']

/** Files of the appliance that need no more than seconds. */
const shortAppliance = ['alerts-kill', 'certificate', 'front', 'full-disk', 'generation', 'printing', 'supervisor'].map(
  name => `tests/appliance/${name}.test.ts`,
)

const folders = /^tests\/(appliance|smoke|lab|browser|long|kernel)\//

/** The test files of a part, as this set runs it. */
export function filesOf(part, set) {
  if (part === 'check' || part === 'build') return []
  if (part === 'unit') return testFiles('tests').filter(file => !folders.test(file))
  const files = testFiles(`tests/${part}`)
  return part === 'appliance' && set === 'test' ? files.filter(file => shortAppliance.includes(file)) : files
}
