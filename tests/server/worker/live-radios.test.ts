// Radios in the table of live values: one number each.
import type { Radio } from '@/server/drivers/observation'
import { liveOfRadios, radiosOfLive } from '@/server/worker/live-radios'

const radio = (parts: Partial<Radio>): Radio => ({ key: 'r', name: 'r', ...parts })
const through = (...radios: Radio[]) => radiosOfLive(liveOfRadios(radios))

test('channel, power and band come back, the lowest band first', () => {
  expect(
    through(
      radio({ band: '6g', channel: 233, txPowerDbm: 30 }),
      radio({ band: '2g', channel: 1, txPowerDbm: 0 }),
      radio({ band: '5g', channel: 177, txPowerDbm: -3.5 }),
    ),
  ).toEqual([
    { band: '2g', channel: 1, txPowerDbm: 0 },
    { band: '5g', channel: 177, txPowerDbm: -3.5 },
    { band: '6g', channel: 233, txPowerDbm: 30 },
  ])
})

test('what is not told stays untold, and a radio that is off is on no channel', () => {
  expect(
    through(radio({}), radio({ channel: 6 }), radio({ band: '5g', channel: 36, txPowerDbm: 20, up: false })),
  ).toEqual([{}, { channel: 6 }, { band: '5g' }])
})

test('no radios are none to show; with fewer than before the places of the others become unknown', () => {
  expect(through()).toBeUndefined()
  expect(liveOfRadios([radio({})])).toHaveProperty('radio2', undefined)
  expect(through(...['1', '2', '3', '4', '5'].map(key => radio({ key })))).toHaveLength(4)
})
