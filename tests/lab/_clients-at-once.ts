// A manager with the lab's own gateway and access point, which block and limit clients.
import { managerWith, overSsh } from './_change'
import { reaches } from './_firewall'
import { lab, until } from './_lab'

export const c1 = '02:00:5e:10:00:c1'
export let one: Awaited<ReturnType<typeof managerWith>>
export let gateway: number
export let ap: number

export async function begin(): Promise<void> {
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
}
export async function end(): Promise<void> {
  await one?.end()
  await lab.reset('c1')
}

export const preview = (deviceId: number) => one.ok('devices/push/preview', { deviceId })
export const table = async (device: 'gw' | 'ap1', family: 'inet' | 'bridge') =>
  (await lab.sh(device, `nft list table ${family} lanward_blocked`)).stdout
/** Neither a change that waits nor drift: the device has just what is saved. */
export async function isSettled() {
  expect(await one.changes()).toMatchObject({ total: 0, devices: [] })
  for (const id of [gateway, ap]) expect(await preview(id)).toMatchObject({ read: true, blocks: [], drift: [] })
}
