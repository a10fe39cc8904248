// Ports picked on a drawn row of them.
import { pressed } from '@/app/_form/ports-input'
import { portRows, portStep } from '@/app/_ui/port-rows'

type Port = Parameters<typeof pressed>[1]
const port = (name: string, label = name) => ({ name, label, interface: name }) as unknown as Port
const ports = [port('p1', '1'), port('p2', '2'), port('2', '3')]

test.each([
  // names, port, names after
  [[], 0, ['p1']],
  [['p1'], 0, []],
  [['1', 'elsewhere'], 0, ['elsewhere']],
  [['p1', '1'], 0, []],
  [['p1'], 1, ['p1', 'p2']],
  // “2” is the interface of that name, not the port whose label it is.
  [['2'], 1, ['2', 'p2']],
  [['2'], 2, []],
])('of %j a press on port %i leaves %j', (names, at, after) => {
  expect(pressed(names, ports[at] as Port, ports)).toEqual(after)
})

test.each([
  [10, 'ArrowRight', 1],
  [10, 'ArrowUp', -1],
  [12, 'ArrowRight', 2],
  [12, 'ArrowLeft', -2],
  [12, 'ArrowDown', 1],
  [12, 'Enter', undefined],
])('among %i ports %s goes %s on', (count, key, step) => {
  const all = Array.from({ length: count }, (_, at) => at)
  expect(portStep(key, all)).toBe(step)
  expect(portRows(all)).toHaveLength(count > 10 ? 2 : 1)
})
