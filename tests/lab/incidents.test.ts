// The manager's own cable to its switch pulled: everything is silent, and one incident names that switch.
import { eq } from 'drizzle-orm'
import { deviceParents, devices } from '@/db/schema'
import { learnParents } from '@/server/devices/incidents/learn'
import { startIncidents } from '@/server/devices/incidents/start'
import { managerWith, overSnmp, overSsh } from './_change'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>

beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('gw'), lab.reset('sw1'), lab.reset('ap1')])
  const found = [await overSsh('gw', 'gateway'), await overSnmp(), await overSsh('ap1', 'ap')]
  one = await managerWith(found, { fleet: { pollMs: 4_000 } })
  startIncidents(one.runtime(), { gatherMs: 200 })
})
afterAll(async () => {
  await lab.join('sw1').catch(() => undefined)
  await one?.end()
})

const nameOf = (id: number | undefined) =>
  one
    .runtime()
    .db.select()
    .from(devices)
    .where(eq(devices.id, id ?? 0))
    .get()?.name
const statuses = () =>
  one
    .runtime()
    .db.select()
    .from(devices)
    .all()
    .map(({ status }) => status)

type Row = { type: string; values: Record<string, unknown>; recoveredAt: number | null }
const list = async () => (await one.ok('alerts/list')).result as Row[]

test('who is reached through whom is learned from where the manager hangs', async () => {
  const found = await until(
    async () => {
      for (const id of one.ids) await one.known(id)
      await learnParents(one.runtime(), 1)
      const rows = one.runtime().db.select().from(deviceParents).all()
      const ways = rows.map(({ device, parent, port }) => `${nameOf(device)} by ${nameOf(parent)} ${port}`).toSorted()
      return ways.length === 2 && ways.every(way => way.includes('by sw1')) && ways
    },
    { timeoutMs: 120_000, everyMs: 3000 },
  )
  expect(found).toEqual(['ap1 by sw1 p2', 'gw by sw1 p1'])
})

test('the pulled cable is one incident that names the switch; the joined one closes it', async () => {
  await lab.cut('sw1')
  await until(() => statuses().every(status => status === 0))
  const found = await until(async () => {
    const rows = await list()
    return rows.length === 1 && rows[0]?.values.behind === 2 && rows[0]
  })
  expect(found).toMatchObject({ type: 'deviceOffline', values: { device: 'sw1' }, recoveredAt: null })
  await lab.join('sw1')
  await until(() => statuses().every(status => status === 1), { timeoutMs: 120_000 })
  const rows = await list()
  expect(rows.map(({ type, values }) => [type, values.device])).toEqual([
    ['deviceOnline', 'sw1'],
    ['deviceOffline', 'sw1'],
  ])
  expect(rows[1]?.recoveredAt).toEqual(expect.any(Number))
})
