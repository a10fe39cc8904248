import { places } from '../soak/kills'
import { randomOf } from '../soak/random'

const random = randomOf(20_261_121)

describe.each(places.map(place => [place.name, place] as const))('kill -9 during %s', (_, place) => {
  afterAll(() => place.end?.())
  test.each([1, 2])('kill %i loses nothing acknowledged and leaves nothing half done', () => place.round(random))
})
