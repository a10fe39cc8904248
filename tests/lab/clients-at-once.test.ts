// Who is blocked or limited is so at once, on the lab's own gateway and access point.
import { begin, c1, end, gateway, isSettled, one, table } from './_clients-at-once'
import { get, reaches } from './_firewall'
import { lab } from './_lab'
import { holds, measure } from './_rate'

beforeAll(begin)
afterAll(end)

test('a blocked client loses the network with the answer, and nothing waits for a push', async () => {
  expect(await one.ok('clients/block', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  expect(await get('c1')).toBe(28)
  await reaches('c2')
  expect(await table('ap1', 'bridge')).toContain(c1)
  await isSettled()
})

test('a list that somebody changed on the device is not written over', async () => {
  expect(await one.ok('clients/unblock', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  expect(await one.ok('clients/block', { macs: [c1] })).toMatchObject({ here: 2 })
  await lab.sh('gw', 'echo "# mine" >>/etc/lanward/blocked.nft')
  const refused = await one.ok('clients/unblock', { macs: [c1] })
  expect(refused).toMatchObject({ here: 1, waits: [{ deviceId: gateway, reason: 'changedOnDevice' }] })
  expect((await lab.sh('gw', 'tail -n 1 /etc/lanward/blocked.nft')).stdout).toBe('# mine\n')
  expect(await one.pushed({ deviceIds: [gateway], overwrite: [gateway] })).toMatchObject({ state: 'applied' })
  await reaches('c1')
})

test('G17: the rate of one client is held at once, and is free again at once', async () => {
  const limit = { mac: c1, download: '8 Mbps', upload: '2 Mbps' }
  expect(await one.ok('clients/limit', limit)).toMatchObject({ here: 1, waits: [] })
  const rules = async () => (await lab.sh('gw', 'nft list table inet lanward_shaping; tc class show dev eth1')).stdout
  expect(await rules()).toContain(c1)
  const ends = {
    client: (command: string[]) => lab.in('c1', command),
    server: (command: string[]) => lab.in('inet', command),
  }
  await holds(2, attempt => measure(ends, '203.0.113.1', 5240 + attempt, 'upload'))
  await isSettled()
  expect(await one.ok('clients/limit', { mac: c1 })).toMatchObject({ here: 1, waits: [] })
  expect(await rules()).toBe('')
  await isSettled()
})
