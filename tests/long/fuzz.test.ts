import { kindIds } from '@/model/registry'
import { fuzzKind } from '../soak/fuzz'
import { randomOf } from '../soak/random'

test.each(kindIds)('1,000 random documents of %s: none breaks a renderer, no field is without effect', async kind => {
  expect(await fuzzKind(kind, 1_000, randomOf(20_261_128))).toMatchObject({ wrong: [], silent: [] })
})
