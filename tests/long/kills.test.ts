// A sample of the soak, longer than the few rounds that test:all makes: `npm run soak -- --kills 1000` goes on from here.
import { places } from '../soak/kills'
import { randomOf } from '../soak/random'

describe.each(places.map(place => [place.name, place] as const))('kill -9 during %s', (_, place) => {
  const random = randomOf(20_261_128)
  const ten = Array.from({ length: 10 }, (_, at) => at + 1)
  test.each(ten)('kill %i loses nothing acknowledged and leaves nothing half done', () => place.round(random))
})
