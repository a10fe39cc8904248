// The manager is away, and guests get in by the gateway alone: a real manager that is stopped and comes back, a real gateway.
import { type Client, isIn, location, macs, page } from './_guests'
import { lab, until } from './_lab'
import { enterHere, type House, led, portalHouse, send } from './_portal'
import { join } from './_vlan'

const state = '/var/lib/lanward-portal'
let house: House

/** What the gateway has by now. */
const onGateway = async (file: string) => (await lab.sh('gw', `cat ${state}/${file} 2>/dev/null`)).stdout
const isListed = async (id: number) => new RegExp(`^v \\S+ ${id} `, 'm').test(await onGateway('list'))
const listed = (id: number) => until(() => isListed(id))
const isAway = (guest: Client) => until(async () => (await page(guest)).includes('action="http://192.168.20.1:19543/"'))
type Shown = { id: number; state: number; firstUsedAt: number | null; devices: string[]; secondsLeft: number }
const voucherOf = async ({ groupId }: { groupId: number }) =>
  ((await house.owner.must('vouchers/list', { groupId })).result as Shown[])[0]

beforeAll(async () => {
  house = await portalHouse({ name: 'Guests', methods: ['voucher', 'free'], minutes: 30 })
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
  await until(async () => !(await isIn('c2')))
  await isAway('c2')
  expect(await enterHere('c2', short.code)).toContain('Nothing is left on this voucher.')
  expect(await isIn('c2')).toBe(false)

  expect(await enterHere('c2', mine.code)).toContain('1 h 0 min')
  await until(() => isIn('c2'))
  expect(await page('c2', 'http://192.168.20.1:19543/')).toContain('Time left')
  expect(await isIn('c1')).toBe(true)

  await house.one.restart()
  await until(async () => (await voucherOf(mine))?.state === 1)
  expect(await voucherOf(mine)).toMatchObject({ devices: [macs.c2] })
  expect(await voucherOf(short)).toMatchObject({ state: 2, devices: [macs.c2] })
  expect(await voucherOf(other)).toMatchObject({ state: 0, devices: [] })
  // What it knows of goes from the gateway; nothing is counted again.
  await until(async () => (await onGateway('used')) === '')
  const rows = await house.rows(macs.c2)
  expect(rows.map(one => [one.voucher, one.state, one.ended === null])).toEqual([
    [mine.id, 1, true],
    [short.id, 0, false],
  ])
  expect((await voucherOf(mine))?.secondsLeft).toBeGreaterThan(3000)
  expect([await isIn('c1'), await isIn('c2')]).toEqual([true, true])
})

test('a gateway that restarts while the manager is away has who was in again, and nobody else', async () => {
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
  await house.one.restart()
  await until(async () => (await voucherOf(sold))?.state === 1)
  expect(await voucherOf(sold)).toMatchObject({ devices: [macs.c1] })
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
  await until(async () => !(await isIn('c1')))
  await until(async () => (await house.rows(macs.c1))[0]?.why === 'voucher')
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
  await house.one.restart()
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
  await house.one.restart()
})
