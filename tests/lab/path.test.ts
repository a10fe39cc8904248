import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on } from './_device'
import { lab } from './_lab'

beforeAll(() => lab.up())

test('each device names the manager and the port it comes in by', async () => {
  const path = (device: 'gw' | 'sw1' | 'ap1') =>
    on(device, async session => (await driver.observe(session, 'full')).path)
  expect(await path('ap1')).toEqual({
    peer: '10.77.0.10',
    local: '10.77.0.3',
    interface: 'br-lan',
    port: 'eth0',
    service: 22,
  })
  expect(await path('gw')).toEqual({
    peer: '10.77.0.10',
    local: '10.77.0.1',
    interface: 'eth1',
    port: 'eth1',
    service: 22,
  })
  expect(await path('sw1')).toMatchObject({ peer: '10.77.0.10', local: '10.77.0.2', port: 'p8' })
})
