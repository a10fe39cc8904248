import { proposed } from '@/app/_form/proposals'

const first = { poolStart: '192.168.20.11', poolEnd: '192.168.20.254' }
const second = { poolStart: '10.0.5.11', poolEnd: '10.0.5.254' }

test('a DHCP range follows the gateway’s address until somebody types one', () => {
  expect(proposed('lan', 'address', { address: '192.168.20.1/24' }, undefined)).toEqual(first)
  expect(proposed('lan', 'address', { address: '10.0.5.1/24', ...first }, first)).toEqual(second)
  expect(
    proposed('lan', 'address', { address: '10.0.5.1/24', ...first, poolEnd: '192.168.20.99' }, first),
  ).toBeUndefined()
  expect(proposed('lan', 'address', { address: '10.0.5.1/24', ...first }, undefined)).toBeUndefined()
})

test('nothing is filled in by another field, by another kind, or from an address that is none', () => {
  expect(proposed('lan', 'name', { address: '192.168.20.1/24' }, undefined)).toBeUndefined()
  expect(proposed('wan', 'address', { address: '192.168.20.1/24' }, undefined)).toBeUndefined()
  expect(proposed('lan', 'address', { address: 'nonsense' }, undefined)).toBeUndefined()
})
