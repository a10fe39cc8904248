import { filesUnder, importsOf, loopsAmong } from './_tree'

test('no files of app/ import each other in a loop, types included', () => {
  const imports = filesUnder('app', /\.tsx?$/).flatMap(importsOf)
  expect(imports.length).toBeGreaterThan(1000)
  expect(loopsAmong(imports)).toEqual([])
})
