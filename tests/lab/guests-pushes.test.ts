// Who is in at the guests' gate of a real gateway, through pushes and from one network to another.
import { isIn, isLed, rateOf } from './_guests'
import { lab, until } from './_lab'
import { admit, apply, begin, end, guests, lan, openAddress, portal, useOf } from './_linux-guests'
import { holds } from './_rate'
import { join } from './_vlan'

beforeAll(begin)
afterAll(end)

test('a push, a reload and other limits keep who is in, with what they used', async () => {
  await admit('c1', { download: 8000, upload: 2000 })
  await until(() => isIn('c1'))
  const used = (await until(() => useOf('c1'))).bytes
  const rule = {
    id: 'b',
    kind: 'bandwidthRule',
    name: 'b',
    data: { name: 'b', target: 'address', address: '192.168.20.200', download: '5 Mbps' },
  }
  await apply([guests({ walledGarden: [openAddress] }), rule])
  await lab.sh('gw', 'systemctl reload lanward-gate')
  expect((await until(() => useOf('c1'))).bytes).toBeGreaterThanOrEqual(used)
  await until(() => isIn('c1'))
  await holds(8, attempt => rateOf('c1', 5430 + attempt, 'download'))
  await apply([guests()])
  await holds(8, attempt => rateOf('c1', 5440 + attempt, 'download'))
})

test('who is in is so in one network alone', async () => {
  await apply([guests(), lan(30, { portal })])
  await admit('c1')
  await until(() => isIn('c1'))
  await join(30, 'c1')
  await until(() => isLed('c1'))
  await expect(admit('c1', { lan: '00000000-0000-4000-8000-000000000040' })).rejects.toMatchObject({
    reason: 'unsupported',
  })
  await admit('c1', { lan: '00000000-0000-4000-8000-000000000030' })
  await until(() => isIn('c1'))
  await join(20, 'c1')
  await until(() => isLed('c1'))
})
