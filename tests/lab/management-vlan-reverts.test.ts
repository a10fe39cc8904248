// The VLAN of a switch's own address: what cuts the manager off goes back by itself.
import { lab, until } from './_lab'
import { managerWithOwnVlan, ownVlan } from './_management-vlan'

let one: Awaited<ReturnType<typeof managerWithOwnVlan>>
beforeAll(async () => {
  one = await managerWithOwnVlan(30)
})
afterAll(() => one?.end())

const block = 'file:/etc/lanward/ports/br0.conf'

test('a wrong management VLAN is named as a cut, and the device goes back by itself', async () => {
  await one.save(99)
  const preview = await until(async () => {
    await one.known(one.id)
    const shown = await one.ok('devices/push/preview', { deviceId: one.id })
    return (shown.cuts as unknown[]).length > 0 && shown
  })
  expect(preview).toMatchObject({ blocked: false, reverts: 'device', cuts: [{ code: 'interface', block }] })
  expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'cutsPath', detail: block })
  expect(await ownVlan()).toBe('[]')
  const isThere = lab.in('sw2', ['ovs-vsctl', 'wait-until', 'port', 'br0', 'tag=99'], { timeoutMs: 200_000 })
  const jobId = await one.push({ cut: [one.id] })
  expect((await isThere).code).toBe(0)
  expect(await one.settled(jobId)).toMatchObject({ state: 'reverted' })
  expect(await ownVlan()).toBe('[]')
  await one.known(one.id)
})
