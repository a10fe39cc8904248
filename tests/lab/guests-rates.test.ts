// Rates of guests, as the gate on a real gateway holds them: by queues, and without.
import { rateOf } from './_guests'
import { until } from './_lab'
import { admit, apply, begin, end, guests } from './_linux-guests'
import { holds, type Way } from './_rate'

beforeAll(begin)
afterAll(end)

test('rates are held by the device, each guest its own', async () => {
  await admit('c1', { download: 8000, upload: 2000 })
  await admit('c2', { download: 2000, upload: 8000 })
  await Promise.all([
    holds(8, attempt => rateOf('c1', 5400 + attempt, 'download')),
    holds(8, attempt => rateOf('c2', 5410 + attempt, 'upload')),
  ])
  await holds(2, attempt => rateOf('c1', 5420 + attempt, 'upload'))
  // Whoever is in and gets another speed has it at once.
  await admit('c1', { download: 2000, upload: 2000 })
  await holds(2, attempt => rateOf('c1', 5430 + attempt, 'download'))
})

test('without queues the packet filter holds the rates, and the plan says so', async () => {
  expect(await apply([guests()], 'tc')).toEqual(['portalDrops'])
  await admit('c1', { download: 8000, upload: 2000 })
  const nearly = async (rate: number, port: number, way: Way) =>
    until(async () => {
      const seen = await rateOf('c1', port++, way)
      return seen > rate * 0.75 && seen < rate * 1.25
    })
  await nearly(8, 5450, 'download')
  await nearly(2, 5470, 'upload')
  await apply([guests()])
})
