// Whose time is used up loses the network on the lab's own gateway and access point, and has it back at the reset.
import { recordClients } from '@/server/devices/clients/record'
import { watchTimes } from '@/server/devices/clients/time-watch'
import { begin, c1, end, gateway, isSettled, one, table } from './_clients-at-once'
import { get, reaches } from './_firewall'
import { until } from './_lab'

beforeAll(begin)
afterAll(end)

const minute = 60_000
type Time = { usedMs: number; allowedMs: number; resetsAt: number }
const timeNow = async () => ((await one.ok('clients/info', { mac: c1 })) as { time: Time }).time
/** The manager looks at whoever is connected as if it were so much later. */
const later = (ms: number) => watchTimes(one.runtime(), Date.now() + ms)

test('G15: it is blocked at once as its time is used up, until the reset, and is free at the reset', async () => {
  await one.ok('settings/timePolicy/save', { name: 'Children', macs: [c1], hours: 0, minutes: 2 })
  await until(async () => {
    await reaches('c1')
    await one.known(gateway)
    await recordClients(one.runtime())
    const { result } = (await one.ok('clients/list')) as { result: { mac: string }[] }
    return result.some(found => found.mac === c1)
  })
  await later(0)
  await later(1.5 * minute)
  expect((await timeNow()).usedMs).toBeGreaterThanOrEqual(1.5 * minute)
  expect(await get('c1')).toBe(0)
  await later(3 * minute)
  expect(await get('c1')).toBe(28)
  await reaches('c2')
  const { usedMs, resetsAt } = await timeNow()
  expect(usedMs).toBe(2 * minute)
  for (const [device, family] of [
    ['gw', 'inet'],
    ['ap1', 'bridge'],
  ] as const)
    expect(await table(device, family)).toContain(`ether saddr ${c1} meta time < `)
  const { result } = (await one.ok('clients/lock/list')) as { result: { mac: string; until: string }[] }
  expect(result).toMatchObject([{ mac: c1, note: 'Children', here: 2, of: 2 }])
  expect(Date.parse(result[0]?.until ?? '')).toBe(resetsAt)
  await isSettled()
  await watchTimes(one.runtime(), resetsAt + 1000)
  await reaches('c1')
  expect(await table('gw', 'inet')).toBe('')
  await isSettled()
})
