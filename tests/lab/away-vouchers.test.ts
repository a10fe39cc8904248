// Vouchers that a real gateway takes while the manager is away: what becomes of them, and what the manager knows afterwards.
import { awayHouse, isAway, listed, onGateway, voucherOf } from './_away'
import { isIn, macs, page } from './_guests'
import { until } from './_lab'
import { enterHere, type House, nearlyOver, secondsOnGateway, send } from './_portal'

let house: House

beforeAll(async () => {
  house = await awayHouse()
})
afterAll(async () => {
  await house?.end()
})

test('who is in stays in; a voucher opens, a wrong one does not; its use is known afterwards, once', async () => {
  const [mine, short, other] = [
    await house.voucher(),
    await house.voucher({ hours: 0, minutes: 1 }),
    await house.voucher(),
  ]
  for (const one of [mine, short, other]) await listed(one.id)
  expect(await send('c1', { method: 'free' })).toContain('You are online')
  await until(() => isIn('c1'))
  await house.one.stop()

  expect(await isIn('c1')).toBe(true)
  await isAway('c2')
  const entry = await page('c2')
  expect(entry).toContain('Enter the code on your voucher.')
  expect(entry).not.toMatch(/<script|@lw-/)
  expect(await enterHere('c2', '')).toContain('Enter the code on your voucher.')
  expect(await enterHere('c2', '222-222-223')).toContain('This is no voucher code.')
  expect(await enterHere('c2', '222-222-222')).toContain('does not exist or is expired')
  expect(await enterHere('c2', "$(reboot)';`id`")).toContain('This is no voucher code.')
  expect(await isIn('c2')).toBe(false)

  expect(await enterHere('c2', short.code.toLowerCase().replaceAll('-', ' '))).toContain('You are online')
  await until(() => isIn('c2'))
  expect(await secondsOnGateway('c2')).toBeLessThanOrEqual(60)
  await nearlyOver('c2')
  await until(async () => !(await isIn('c2')))
  await isAway('c2')
  expect(await enterHere('c2', short.code)).toContain('Nothing is left on this voucher.')
  expect(await isIn('c2')).toBe(false)

  expect(await enterHere('c2', mine.code)).toContain('1 h 0 min')
  await until(() => isIn('c2'))
  expect(await page('c2', 'http://192.168.20.1:19543/')).toContain('Time left')
  expect(await isIn('c1')).toBe(true)

  await house.restart()
  await until(async () => (await voucherOf(house, mine))?.state === 1)
  expect(await voucherOf(house, mine)).toMatchObject({ devices: [macs.c2] })
  expect(await voucherOf(house, short)).toMatchObject({ state: 2, devices: [macs.c2] })
  expect(await voucherOf(house, other)).toMatchObject({ state: 0, devices: [] })
  // What it knows of goes from the gateway; nothing is counted again.
  await until(async () => (await onGateway('used')) === '')
  const rows = await house.rows(macs.c2)
  expect(rows.map(one => [one.voucher, one.state, one.ended === null])).toEqual([
    [mine.id, 1, true],
    [short.id, 0, false],
  ])
  expect((await voucherOf(house, mine))?.secondsLeft).toBeGreaterThan(3000)
  expect([await isIn('c1'), await isIn('c2')]).toEqual([true, true])
})
