// Who is blocked or limited is so at once, on the lab's own gateway and access point, beside everything else that waits.
import { managerWith, overSsh } from './_change'
import { get, reaches } from './_firewall'
import { lab, until } from './_lab'
import { holds, measure } from './_rate'

const c1 = '02:00:5e:10:00:c1'
let one: Awaited<ReturnType<typeof managerWith>>
let gateway: number
let ap: number

beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('gw'), lab.reset('ap1')])
  one = await managerWith([await overSsh('gw', 'gateway'), await overSsh('ap1', 'ap')], { window: 90 })
  ;[gateway, ap] = one.ids as [number, number]
  await Promise.all([reaches('c1'), reaches('c2')])
  // What the polls found is told a moment later; until then a device counts as away.
  await until(async () => {
    const { result } = (await one.ok('devices/list')) as { result: { status: number }[] }
    return result.length === 2 && result.every(({ status }) => status === 1)
  })
})
afterAll(async () => {
  await one?.end()
  await lab.reset('c1')
})

const preview = (deviceId: number) => one.ok('devices/push/preview', { deviceId })
const table = async (device: 'gw' | 'ap1', family: 'inet' | 'bridge') =>
  (await lab.sh(device, `nft list table ${family} lanward_blocked`)).stdout
/** Neither a change that waits nor drift: the device has just what is saved. */
async function isSettled() {
  expect(await one.changes()).toMatchObject({ total: 0, devices: [] })
  for (const id of [gateway, ap]) expect(await preview(id)).toMatchObject({ read: true, blocks: [], drift: [] })
}

test('a blocked client loses the network with the answer, and nothing waits for a push', async () => {
  expect(await one.ok('clients/block', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  expect(await get('c1')).toBe(28)
  await reaches('c2')
  expect(await table('ap1', 'bridge')).toContain(c1)
  await isSettled()
})

test('what else was saved waits as before, and the block is in force after the push as well as after a reboot', async () => {
  await one.ok('settings/wiredRule/save', {
    name: 'no telnet',
    protocol: 'tcp',
    ports: '23',
    assign: { devices: [gateway] },
  })
  expect(await one.ok('clients/unblock', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  await reaches('c1')
  expect(await one.ok('clients/block', { macs: [c1] })).toMatchObject({ here: 2, waits: [] })
  expect(await get('c1')).toBe(28)
  expect((await lab.sh('gw', 'nft list ruleset')).stdout).not.toContain('dport 23')
  const waiting = (await preview(gateway)) as { blocks: { id: string }[]; changes: { kind: string }[] }
  expect(waiting.changes.map(change => change.kind)).toEqual(['wiredRule'])
  expect(JSON.stringify(waiting.blocks)).not.toContain('blocked.nft')
  expect(await one.pushed({ deviceIds: [gateway] })).toMatchObject({ state: 'applied', reason: '' })
  expect(await get('c1')).toBe(28)
  await lab.reboot('gw')
  await until(async () => (await table('gw', 'inet')).includes(c1))
  await reaches('c2')
  expect(await get('c1')).toBe(28)
  await until(() => one.known(gateway).then(() => true))
  await isSettled()
})

test('a device that is away is named, and gets the list by itself once it is back', async () => {
  await lab.cut('ap1')
  try {
    await until(
      async () =>
        !(await one.known(ap).then(
          () => true,
          () => false,
        )),
    )
    const { waits, here } = (await one.ok('clients/unblock', { macs: [c1] })) as { here: number; waits: object[] }
    expect(here).toBe(1)
    expect(waits).toMatchObject([{ deviceId: ap, name: 'ap1' }])
    await reaches('c1')
    expect(await one.changes()).toMatchObject({ devices: [{ deviceId: ap }] })
  } finally {
    await lab.join('ap1')
  }
  await until(() => one.known(ap).then(() => true))
  await until(async () => (await table('ap1', 'bridge')) === '')
  await until(async () => (await one.changes()).total === 0)
})

test('a list that somebody changed on the device is not written over', async () => {
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
