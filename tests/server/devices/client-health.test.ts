// How well a client is connected is told by its signs, with the reason; what nobody tells is not called fine.
import { healthOf } from '@/server/devices/clients/health'

const on = (signalDbm?: number, retryPercent?: number) => healthOf({ wifi: true, signalDbm, retryPercent } as never)

test.each([
  [-67, 15, 'fine', ['fine', 'fine']],
  [-68, 15, 'fair', ['fair', 'fine']],
  [-77, undefined, 'fair', ['fair']],
  [-78, undefined, 'poor', ['poor']],
  [-40, 16, 'fair', ['fine', 'fair']],
  [-40, 40, 'poor', ['fine', 'poor']],
  [undefined, 0, 'fine', ['fine']],
] as const)('%s dBm, %s %% sent again: %s', (signal, retries, state, signs) => {
  const told = on(signal, retries)
  expect(told?.state).toBe(state)
  expect(told?.signs.map(one => one.state)).toEqual(signs)
})

test('nothing told is unknown; a wire has no signal', () => {
  expect(on()).toBeUndefined()
  expect(healthOf({ wifi: false, signalDbm: -90 })).toBeUndefined()
})
