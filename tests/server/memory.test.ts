import { readFileSync } from 'node:fs'
import node from '@/appliance/node-options.json'
import { sharedText, sharedValue } from '@/server/devices/shared'
import { polledShapes, type Shape } from '@/server/devices/snmp/interfaces'
import { root } from '../appliance/_manager'

const ports = (device: number): Shape[] =>
  Array.from({ length: 28 }, (_, i) => ({
    key: String(i + 1),
    name: `port${i + 1}`,
    type: 'ethernet',
    mac: `02:00:00:00:${String(device).padStart(2, '0')}:${String(i).padStart(2, '0')}`,
    description: 'a port',
  }))

test('devices with the same ports share one list of them, whatever their MACs', () => {
  const [one, other] = [polledShapes(ports(1)), polledShapes(ports(2))]
  expect(one).toBe(other)
  expect(one).toHaveLength(28)
  expect(one[3]).toMatchObject({ key: '4', name: 'port4', type: 'ethernet' })
  expect(polledShapes(ports(1).slice(1))).not.toBe(one)
})

test('what is shared is bounded: values that devices make up push out, and large ones are not kept', () => {
  const [value, text] = [sharedValue([1, 2]), 'a port']
  expect(sharedValue([1, 2])).toBe(value)
  expect(sharedText(text)).toBe(text)
  for (let i = 0; i < 100; i++) sharedValue([String(i).padStart(20_000, 'x')])
  expect(sharedValue([1, 2])).not.toBe(value)
  const large = () => ['x'.repeat(200_000)]
  expect(sharedValue(large())).not.toBe(sharedValue(large()))
})

test('the service of the package starts Node with the options of npm start', () => {
  const unit = readFileSync(`${root}/appliance/package/debian/lanward.service`, 'utf8')
  expect(unit).toContain(`ExecStart=/usr/lib/lanward/node ${node.options.join(' ')} /usr/lib/lanward/dist/serve.mjs`)
  for (const [name, value] of Object.entries(node.environment)) expect(unit).toContain(`Environment=${name}=${value}`)
})
