// Writes what the renderers make today into the golden files; what is given in them stays.
// node appliance/build/run-ts.mjs tests/drivers/golden-write.ts [AREA…], e.g. linux/lan; look at `git diff` afterwards.
import { writeFileSync } from 'node:fs'
import { areas, filesOf, pathOf } from './_golden'
import { backFiles } from './_golden-back'

const asked = process.argv.slice(2)
for (const area of areas)
  if (asked.length === 0 || asked.includes(area))
    for (const { name, text } of filesOf(area)) writeFileSync(pathOf(name), text)
for (const { name, text } of backFiles())
  if (asked.length === 0 || asked.some(area => name.startsWith(`${area}/`))) writeFileSync(pathOf(name), text)
