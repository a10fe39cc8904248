// A lease released from the list, on the gateway that gave it: its server forgets it, and goes on serving.
import { managerWithGateway } from './_change'
import { addressOf, lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWithGateway>>
beforeAll(async () => {
  await lab.up()
  one = await managerWithGateway()
})
afterAll(() => one.end())

type Lease = { mac: string; address: string; hostname?: string; static?: boolean }
const listed = async () => ((await one.ok('dhcp/leases', { page: 1, pageSize: 100 })) as { result: Lease[] }).result
const onFile = async () => (await lab.sh('gw', 'cat /var/lib/misc/dnsmasq.leases')).stdout

test('a released lease is gone from the gateway and its list, the others stay, and the client gets one again', async () => {
  const address = await addressOf('c2')
  const lease = await until(async () => {
    await one.known(one.id)
    return (await listed()).find(found => found.address === address)
  })
  const { mac } = lease
  const others = (await onFile()).split('\n').filter(line => !line.includes(address))
  await one.ok('clients/release', { deviceId: one.id, mac, address })
  expect((await onFile()).split('\n')).toEqual(others)
  expect((await listed()).map(found => found.address)).not.toContain(address)
  const again = await one.browser.post('clients/release', { deviceId: one.id, mac, address })
  expect(again).toMatchObject({ retCode: 40001 })
  expect((await lab.in('gw', ['systemctl', 'is-active', 'dnsmasq'])).stdout).toBe('active\n')
  // The client asks anew.
  await lab.sh('c2', 'rm -f /run/lease; kill $(pgrep udhcpc)')
  await until(async () => (await onFile()).includes(mac))
  const events = JSON.stringify(await one.ok('devices/event-log', { id: one.id, page: 1, pageSize: 50 }))
  expect(events).toContain('leaseReleased')
})
