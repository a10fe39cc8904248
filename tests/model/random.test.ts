import { check, type Data } from '@/model/kind'
import { kindIds, loadKind } from '@/model/registry'
import { randomOf } from '../soak/random'
import { awkward, randomDocument } from './_random'

const ids = Object.fromEntries(kindIds.map(id => [id, [1, 2, 3].map(n => `0b0e3a52-8f8f-4d43-9a44-0d7a3f2a1c1${n}`)]))

test.each(kindIds)('random documents of %s are valid, differ, and come again from the same seed', async id => {
  const kind = await loadKind(id)
  // Of few fields that are there only when one of them is on, most documents are the one with it off.
  const length = Object.keys(kind.fields.shape).length < 4 ? 60 : 30
  const made = (seed: number) => {
    const random = randomOf(seed)
    return Array.from({ length }, () => randomDocument(kind, random, { ids }))
  }
  const documents = made(7)
  for (const document of documents) expect(check(kind, document)).toEqual({ data: document })
  expect(made(7)).toEqual(documents)
  expect(new Set(documents.map(one => JSON.stringify(one))).size).toBeGreaterThan(8)
})

test('names are as awkward as their rule lets them be, and never more', async () => {
  const kind = await loadKind('portForward')
  const random = randomOf(3)
  const names = Array.from({ length: 250 }, () => String((randomDocument(kind, random) as Data).name))
  const refused = ['\n', '\r', '\t', '\u0000', '\u2028']
  for (const part of awkward)
    expect([part, names.some(name => name.includes(part))]).toEqual([part, !refused.includes(part)])
})
