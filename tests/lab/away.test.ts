// The manager is away, and guests get in by the gateway alone: a real manager that is stopped and comes back, a real gateway.
import { awayHouse, isAway, isListed, listed, onGateway, state } from './_away'
import { isIn, location, macs } from './_guests'
import { lab, until } from './_lab'
import { enterHere, type House, led } from './_portal'

let house: House

beforeAll(async () => {
  house = await awayHouse()
})
afterAll(async () => {
  await house?.end()
})

test('vouchers are on the gateway as soon as they are sold, by keyed hashes and never by codes', async () => {
  const sold = await house.voucher()
  await listed(sold.id)
  const all = await lab.sh('gw', `cat ${state}/*; ls -l ${state}`)
  expect(all.stdout).not.toContain(sold.code.replaceAll('-', ''))
  expect(all.stdout).not.toContain(sold.code)
  expect(all.stdout).toMatch(/-rw------- 1 daemon \S+ +\d+ .* keys/)
  await house.owner.must('vouchers/delete', { groupId: sold.groupId, ids: [sold.id] })
  await until(async () => !(await isListed(sold.id)))
})

test('while the manager answers, guests are led to it, with the code that they typed at the gateway', async () => {
  expect((await led('c1')).url).toContain('/portal/')
  const asked = await location('c1', 'http://192.168.20.1:19543/?code=RJW-8EA-7HX&method=voucher')
  expect(new URL(asked ?? '').searchParams.get('url')).toBe('http://192.0.2.1/?voucher=RJW-8EA-7HX')
})

test('the gateway keeps a blocked device out, and nobody else', async () => {
  const sold = await house.voucher({ maxDevices: 2 })
  await listed(sold.id)
  await house.owner.must('guests/block', { macs: [macs.c2] })
  await until(async () => (await onGateway('list')).includes(`x ${macs.c2} -`))
  await house.one.stop()
  await lab.sh('gw', 'nft flush set inet lanward_gate in')
  for (const guest of ['c1', 'c2'] as const) await isAway(guest)
  expect(await enterHere('c2', sold.code)).toContain('This device is blocked')
  expect(await isIn('c2')).toBe(false)
  expect(await enterHere('c1', sold.code)).toContain('You are online')
  await until(() => isIn('c1'))
  await house.restart()
  await house.owner.must('guests/unblock', { macs: [macs.c2] })
})

test('guesses are slowed by the gateway', async () => {
  await house.one.stop()
  await lab.sh('gw', 'nft flush set inet lanward_gate in')
  await isAway('c1')
  const answers: string[] = []
  for (let guess = 0; guess < 8; guess++) answers.push(await enterHere('c1', '222-222-222'))
  expect(answers.at(-1)).toContain('Too many wrong tries.')
  const sold = await onGateway('tries')
  expect(sold.trim().split('\n').length).toBeLessThanOrEqual(12)
  await house.restart()
})
