import { defaultTiles, mayTile, readTiles, tileIds, tileSizes } from '@/model/dashboard/tiles'

const idsOf = (of: Parameters<typeof defaultTiles>[0]) => defaultTiles(of).map(one => one.id)

test('without a gateway nothing of the internet is shown, without Wi-Fi nothing of it', () => {
  expect(idsOf({ gateways: false, wifi: false })).toEqual([
    ...['counts', 'throughput', 'attention', 'alerts', 'clients', 'topDevices'],
  ])
  // Internet first: how it is and what needs a person, below the figures.
  expect(defaultTiles({ gateways: true, wifi: false }).slice(0, 4)).toEqual([
    { id: 'counts', size: 'full' },
    { id: 'wan', size: 'wide' },
    { id: 'attention', size: 'narrow' },
    { id: 'throughput', size: 'wide' },
  ])
  expect(idsOf({ gateways: false, wifi: true })).toEqual(expect.arrayContaining(['topSsids', 'channels', 'topClients']))
})

test('websites are shown where look-ups are recorded, and offered to who may see the records', () => {
  expect(idsOf({ gateways: true, wifi: true })).not.toContain('topWebsites')
  expect(idsOf({ gateways: true, wifi: true, websites: true })).toContain('topWebsites')
  expect(mayTile('topWebsites', new Set(['dashboard']))).toBe(false)
  expect(mayTile('topWebsites', new Set(['records']))).toBe(true)
  expect(mayTile('counts', new Set())).toBe(true)
})

test.each([0, 1, 2, 3, 4, 5, 6, 7])('the rows of what is shown at first are full (%i)', bits => {
  const tiles = defaultTiles({ gateways: (bits & 1) > 0, wifi: (bits & 2) > 0, websites: (bits & 4) > 0 })
  let left = 12
  for (const { size } of tiles) {
    expect(tileSizes[size]).toBeLessThanOrEqual(left)
    left -= tileSizes[size]
    if (left === 0) left = 12
  }
  expect(left).toBe(12)
  expect(new Set(tiles.map(one => one.id)).size).toBe(tiles.length)
})

test('of a stored list what is no tile any more, or stands there twice, is left out; a strip stays a strip', () => {
  expect(
    readTiles([
      { id: 'wan', size: 'half' },
      { id: 'gone', size: 'half' },
      { id: 'wan', size: 'full' },
      { id: 'counts', size: 'narrow' },
      7,
    ]),
  ).toEqual([
    { id: 'wan', size: 'half' },
    { id: 'counts', size: 'full' },
  ])
  expect(readTiles([])).toEqual([])
  expect(readTiles({ id: 'wan' })).toBeUndefined()
  expect(tileIds.length).toBe(new Set(tileIds).size)
})
