// The manager is away: a real gateway that restarts meanwhile, and a voucher that is voided meanwhile.
import { awayHouse, isAway, listed, voucherOf } from './_away'
import { isIn, macs } from './_guests'
import { lab, until } from './_lab'
import { enterHere, type House, send } from './_portal'
import { join } from './_vlan'

let house: House

beforeAll(async () => {
  house = await awayHouse()
})
afterAll(async () => {
  await house?.end()
})

test('a gateway that restarts while the manager is away has who was in again, and nobody else', async () => {
  for (const guest of ['c1', 'c2'] as const) {
    expect(await send(guest, { method: 'free' })).toContain('You are online')
    await until(() => isIn(guest))
  }
  await house.owner.must('guests/remove', { ids: [(await house.rows(macs.c1))[0]?.id] })
  const sold = await house.voucher({ maxDevices: 1, downloadKbps: 8000 })
  await listed(sold.id)
  await house.one.stop()
  await isAway('c1')
  expect(await enterHere('c1', sold.code)).toContain('You are online')
  await lab.reboot('gw')
  for (const guest of ['c1', 'c2'] as const) await join(20, guest)
  await until(() => isIn('c1'))
  await until(() => isIn('c2'))
  // Its list, and who used what of it, are there again, too.
  await lab.sh('gw', `nft flush set inet lanward_gate in`)
  await isAway('c2')
  expect(await enterHere('c2', sold.code)).toContain('as many devices as it is good for')
  expect(await enterHere('c1', sold.code)).toContain('You are online')
  await until(() => isIn('c1'))
  await house.restart()
  await until(async () => (await voucherOf(house, sold))?.state === 1)
  expect(await voucherOf(house, sold)).toMatchObject({ devices: [macs.c1] })
})

test('a voucher that was voided meanwhile is void: who came in by it is out', async () => {
  const sold = await house.voucher()
  await listed(sold.id)
  await house.one.stop()
  await lab.sh('gw', 'nft flush set inet lanward_gate in')
  await isAway('c1')
  expect(await enterHere('c1', sold.code)).toContain('You are online')
  await until(() => isIn('c1'))
  // The gateway does not answer while it is deleted.
  await lab.cut('gw')
  await house.one.restart()
  await house.owner.must('vouchers/delete', { groupId: sold.groupId, ids: [sold.id] })
  await lab.join('gw')
  await house.looked()
  await until(async () => !(await isIn('c1')))
  await until(async () => (await house.rows(macs.c1))[0]?.why === 'voucher')
})
