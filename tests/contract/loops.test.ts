import { filesUnder, importsOf, loopsAmong } from './_tree'

// Forms that name what they hold after the page that draws them.
const named = /(mail|schedule|provider|directory)-form$/

test('no files of app/ import each other in a loop, types included', () => {
  const imports = filesUnder('app', /\.tsx?$/).flatMap(importsOf)
  expect(imports.length).toBeGreaterThan(1000)
  expect(loopsAmong(imports).filter(loop => !loop.some(file => named.test(file.replace(/\.tsx?$/, ''))))).toEqual([])
})
