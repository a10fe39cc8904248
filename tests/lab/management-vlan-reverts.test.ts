// The VLAN of a switch's own address: what cuts the manager off goes back by itself.
import { managerWith, overSsh } from './_change'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>
beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('sw1'), lab.reset('sw2')])
  one = await managerWith([await overSsh('sw2', 'switch')], { window: 45 })
})
afterAll(async () => {
  await one?.end()
  await lab.off('sw2')
})

const ownVlan = async () => (await lab.in('sw2', ['ovs-vsctl', 'get', 'port', 'br0', 'tag'])).stdout.trim()
const block = 'file:/etc/lanward/ports/br0.conf'

test('a wrong management VLAN is named as a cut, and the device goes back by itself', async () => {
  const scope = { device: one.id }
  const { revision } = (await one.ok('settings/system/get', { scope })) as { revision: number }
  await one.ok('settings/system/save', { scope, revision, managementVlan: 99 })
  const preview = await until(async () => {
    await one.known(one.id)
    const shown = await one.ok('devices/push/preview', { deviceId: one.id })
    return (shown.cuts as unknown[]).length > 0 && shown
  })
  expect(preview).toMatchObject({ blocked: false, reverts: 'device', cuts: [{ code: 'interface', block }] })
  expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'cutsPath', detail: block })
  expect(await ownVlan()).toBe('[]')
  const jobId = await one.push({ cut: [one.id] })
  await until(async () => (await ownVlan()) === '99')
  expect(await one.settled(jobId)).toMatchObject({ state: 'reverted' })
  expect(await ownVlan()).toBe('[]')
  await one.known(one.id)
})
