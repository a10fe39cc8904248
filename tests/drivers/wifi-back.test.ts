// What somebody changed on the device reads as the very fields that would have written it: one case a file under
// golden/*/wifi-back, which golden-write.ts writes, too.
import { readFileSync } from 'node:fs'
import { pathOf } from './_golden'
import { backFiles } from './_golden-back'

const files = backFiles()

test.each(files)('$name: $title', ({ name, text, changed, read }) => {
  expect(text).toBe(readFileSync(pathOf(name), 'utf8'))
  expect(read).toEqual(changed)
})
