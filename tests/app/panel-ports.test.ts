// What a device tells of its ports, as its front shows it.
import { frontPorts } from '@/app/(console)/network/[networkId]/devices/detail/_parts/panel-ports'

type Reading = Parameters<typeof frontPorts>[0]

const giga = 1e9
const reading = (face: object, port: object = {}, more: object = {}) =>
  ({
    interfaces: [{ key: 'a', name: 'p1', ...face }],
    ports: [{ number: 1, label: 'p1', interface: 'a', ...port }],
    ...more,
  }) as unknown as Reading
const first = (of: Reading) => frontPorts(of, (look, speed) => `${look} ${speed}`)[0]

test.each([
  [{ up: true, speed: giga, adminUp: true }, 'full'],
  [{ up: true, speed: giga - 1, adminUp: true }, 'slow'],
  [{ up: true, adminUp: true }, 'full'],
  [{ up: false, adminUp: true }, 'none'],
  [{ up: false, adminUp: false }, 'off'],
  [{ adminUp: false }, 'off'],
  [{}, 'unknown'],
])('an interface with %j looks %s', (face, look) => {
  expect(first(reading(face))).toMatchObject({ look, word: `${look} ${(face as { speed?: number }).speed}` })
})

test('a port whose interface is not told of is unknown, not down', () => {
  expect(first({ ...reading({}), interfaces: undefined } as unknown as Reading)?.look).toBe('unknown')
})

test.each([
  [{ state: 'delivering' }, 'on'],
  [{ state: 'overload' }, 'fault'],
  [{ state: 'throttled' }, 'fault'],
  [{ state: 'throttled24v' }, 'fault'],
  [{ state: 'errdisable' }, 'fault'],
  [{ state: 'disabled' }, undefined],
  [{ state: 'test' }, undefined],
  [{ state: 'searching' }, undefined],
  [undefined, undefined],
])('power %j is shown as %s', (poe, shown) => {
  expect(first(reading({}, { poe }))?.poe).toBe(shown)
})

test.each([
  [['router', 'bridge'], true],
  [['bridge'], false],
  [undefined, false],
])('a neighbour that is %j makes an uplink: %s', (capabilities, uplink) => {
  const neighbours = [{ localPort: 'a', chassisId: '02:00', capabilities }]
  expect(first(reading({}, {}, { neighbours }))).toMatchObject({ uplink, neighbour: { chassisId: '02:00' } })
  expect(first(reading({}, { interface: 'b' }, { neighbours }))?.uplink).toBe(false)
})

test('ports stand in the order of their numbers', () => {
  const ports = [3, 1, 2].map(number => ({ number, label: `p${number}`, interface: `i${number}` }))
  const shown = frontPorts({ ports } as unknown as Reading, () => '')
  expect(shown.map(port => port.label)).toEqual(['p1', 'p2', 'p3'])
})
