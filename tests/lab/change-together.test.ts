// Two real devices that change as one: both have it, or neither.
import { cutInTheChange, managerWith, overSsh } from './_change'
import { air, lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>

beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('gw'), lab.reset('ap1')])
  one = await managerWith([await overSsh('gw', 'gateway'), await overSsh('ap1', 'ap')])
})
afterAll(() => one?.end())

type Result = { state: string; stopped: boolean; devices: { name: string; state: string; reason: string }[] }
const start = async () => String((await one.ok('devices/push', { deviceIds: one.ids, together: true })).jobId)
const end = (jobId: string) =>
  until(
    async () => {
      const result = (await one.ok('devices/push/result', { jobId })) as Result
      return result.state !== 'running' && result
    },
    { timeoutMs: 300_000 },
  )
const outcome = ({ devices }: Result) =>
  Object.fromEntries(devices.map(({ name, state, reason }) => [name, [state, reason]]))

/** A time zone for both devices. */
async function saveZone(timeZone: string) {
  const scope = {}
  const { revision } = (await one.ok('settings/system/get', { scope })) as { revision: number }
  await one.ok('settings/system/save', { scope, revision, timeZone })
}
const zones = () =>
  Promise.all(
    (['gw', 'ap1'] as const).map(async name => (await lab.sh(name, 'readlink -f /etc/localtime')).stdout.trim()),
  )
const both = (zone: string) => Array(2).fill(`/usr/share/zoneinfo/${zone}`)

let cafe: { id: string; revision: number }

test('both take it', async () => {
  await saveZone('Asia/Tokyo')
  cafe = (await one.saveSsid({ name: 'Café' })) as typeof cafe
  const result = await end(await start())
  expect([result.stopped, outcome(result)]).toEqual([false, { gw: ['applied', ''], ap1: ['applied', ''] }])
  expect(await zones()).toEqual(both('Asia/Tokyo'))
  expect(await air()).toContain('ssid[0]=Caf\\xc3\\xa9')
})

test('the cable of one is pulled in the change: the other, which had proven it, goes back too', async () => {
  await saveZone('America/Lima')
  await one.saveSsid({ ...cafe, name: 'Cut off' })
  const jobId = await cutInTheChange(start)
  try {
    await until(async () => (await zones())[0]?.endsWith('America/Lima'))
    await until(async () => (await air()).includes('ssid[0]=Caf'))
  } finally {
    await lab.join('ap1')
  }
  const result = await end(jobId)
  expect(result.stopped).toBe(true)
  expect(outcome(result)).toEqual({
    gw: ['reverted', 'togetherReverted'],
    ap1: ['reverted', expect.stringMatching(/timeout|noRoute|closed/)],
  })
  expect(await zones()).toEqual(both('Asia/Tokyo'))
  expect(await air()).toContain('ssid[0]=Caf\\xc3\\xa9')
})
