import { kindIds } from '@/model/registry'
import { times } from '../_sample'
import { fuzzKind } from '../soak/fuzz'
import { randomOf } from '../soak/random'

// `npm run soak -- --fuzz 10000` tries more.
test.each(kindIds)(
  'random documents of %s keep the form of what every driver writes, and no field is lost silently',
  async kind => {
    const { wrong, silent } = await fuzzKind(kind, times(25, 6), randomOf(11))
    expect(wrong).toEqual([])
    expect(silent).toEqual([])
  },
)
