import { areas } from '@/app/_i18n/areas'
import { filesUnder, readText } from './_tree'

// Runs before the types are checked (appliance/test.mjs): an area that lacks its type is a riddle to the compiler wherever
// a word of it is asked for, and it goes through all words for each of them.

const files = filesUnder('locales/en', /\.json$/).map(path => path.slice('locales/en/'.length, -'.json'.length))

test('each file of words has its line in `areas`, and each line its file', () => {
  expect([...areas].toSorted()).toEqual(files.toSorted())
})

test('each file of words has its line in `Messages`', () => {
  const declared = readText('app/_i18n/areas.ts')
  expect(files.filter(area => !declared.includes(`${area}: typeof import('@/locales/en/${area}.json')`))).toEqual([])
})
