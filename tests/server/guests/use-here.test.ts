// A full voucher: whoever has its code takes the place of one of its devices.
import { eq } from 'drizzle-orm'
import { guests, voucherDevices } from '@/db/schema'
import { type Guest, type House, house, type Page, used } from './_house'

let one: House
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:a${count >> 8}:${(count & 255).toString(16).padStart(2, '0')}`, ip: `10.66.7.${count}` }
}
beforeAll(async () => {
  one = await house()
})
afterAll(() => one.end())

const enter = (guest: Guest, code: string, more: Record<string, string> = {}) =>
  one.send(guest, { method: 'voucher', code, ...more })
const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const end = ({ mac }: Guest) => mac.slice(-5).toUpperCase()
/** What the page offers: the end of each address with the name that is sent for it, as they stand. */
const offered = ({ text }: Page) =>
  [
    ...text.matchAll(
      /type="radio" name="instead" value="([^"]+)"( checked)?>.*?<bdi dir="ltr">([^<]+)<.*?small">([^<]+)</g,
    ),
  ].map(([, name = '', checked, of, when]) => ({ name, checked: checked !== undefined, end: of, when }))
const nameOf = (page: Page, guest: Guest) => offered(page).find(of => of.end === end(guest))?.name ?? ''
const rowsOf = ({ mac }: Guest) => one.rows().filter(row => row.mac === mac)
const idleSince = ({ mac }: Guest, activeAt: number) =>
  one.manager.runtime.db.update(guests).set({ activeAt }).where(eq(guests.mac, mac)).run()
const placesOf = (guest: Guest) =>
  one.manager.runtime.db.select().from(voucherDevices).where(eq(voucherDevices.mac, guest.mac)).all()

test('a full voucher shows its devices, the longest idle first, with one button, no script and no address', async () => {
  const [code = ''] = one.codes(1, { maxDevices: 3 })
  const [phone, laptop, left, fresh] = [device(), device(), device(), device()]
  for (const guest of [phone, laptop, left]) await enter(guest, code)
  idleSince(phone, Date.now() - 60_000)
  await one.send(left, { act: 'leave' })
  const page = await enter(fresh, code)
  expect(page.status).toBe(200)
  expect(offered(page).map(of => [of.end, of.checked])).toEqual([
    [end(left), true],
    [end(phone), false],
    [end(laptop), false],
  ])
  expect(offered(page).map(of => of.when)).toEqual([expect.stringMatching(/^Last used: /), 'Online now', 'Online now'])
  expect(page.text.match(/<button/g)).toHaveLength(1)
  expect(page.text).toContain('>Use here instead</button>')
  expect(page.text).not.toMatch(/<script|onclick/)
  for (const guest of [phone, laptop, left]) expect(page.text).not.toContain(guest.mac)
  expect(isIn(fresh)).toBe(false)
})

test('the chosen device is out everywhere, the new one in with what is left, and the place went along', async () => {
  const [code = ''] = one.codes(1, { byteLimitMb: 5, bytesPer: 'device' })
  const [before, after] = [device(), device()]
  await enter(before, code)
  one.other.in.set(before.mac, one.gateway.in.get(before.mac) as never)
  used(one.gateway, before.mac, 2_000_000)
  const [place] = placesOf(before)
  const page = await enter(after, code)
  const { text } = await enter(after, code, { instead: nameOf(page, before) })
  expect(text).toContain('You are online')
  expect([isIn(before), isIn(after)]).toEqual([false, true])
  // Its data, too: who moves to and fro is given no more by it.
  expect(one.gateway.in.get(after.mac)?.bounds.bytes).toBe(5 * 1_048_576 - 2_000_000)
  expect(rowsOf(before)).toEqual([expect.objectContaining({ state: 0, why: 'moved', token: null, bytes: 2_000_000 })])
  expect(placesOf(before)).toEqual([])
  expect(placesOf(after)).toEqual([expect.objectContaining({ firstAt: place?.firstAt, usedBytes: 2_000_000 })])
  const listed = await one.owner.post('guests/list', { search: before.mac })
  expect(listed.data.result).toEqual([expect.objectContaining({ why: 'moved' })])
  // Whoever was put out is asked the same.
  expect(offered(await enter(before, code)).map(of => of.end)).toEqual([end(after)])
})

test('two who take the same place at once: one is in, the other is told and chooses again', async () => {
  for (let round = 0; round < 20; round++) {
    const [code = ''] = one.codes(1)
    const [before, left, right] = [device(), device(), device()]
    await enter(before, code)
    const instead = nameOf(await enter(left, code), before)
    const pages = await Promise.all([left, right].map(guest => enter(guest, code, { instead })))
    expect(pages.filter(({ text }) => text.includes('You are online'))).toHaveLength(1)
    const [winner, loser] = isIn(left) ? [left, right] : [right, left]
    const told = pages[loser === left ? 0 : 1] as Page
    expect(told.text).toContain('That device has no place on the voucher any more.')
    expect(offered(told).map(of => of.end)).toEqual([end(winner)])
    expect([before, left, right].filter(isIn)).toEqual([winner])
    expect([before, left, right].flatMap(placesOf)).toHaveLength(1)
  }
})

test('at most three moves an hour for each voucher, then the page says so and offers none', async () => {
  const [code = '', another = ''] = one.codes(2)
  const all = [device(), device(), device(), device(), device()]
  await enter(all[0] as Guest, code)
  for (const [at, guest] of all.slice(1, 4).entries()) {
    const instead = nameOf(await enter(guest, code), all[at] as Guest)
    expect((await enter(guest, code, { instead })).text).toContain('You are online')
  }
  const [held, next] = all.slice(3) as [Guest, Guest]
  const full = await enter(next, code)
  expect(full.text).toContain('was moved 3 times within an hour')
  expect(full.text).toMatch(/id="code"[^>]*aria-invalid="true"/)
  expect(offered(full)).toEqual([])
  expect([isIn(held), isIn(next)]).toEqual([true, false])
  // Another voucher is not held up by it.
  const [first, second] = [device(), device()]
  await enter(first, another)
  const instead = nameOf(await enter(second, another), first)
  expect((await enter(second, another, { instead })).text).toContain('You are online')
})

test.each([
  ['a made-up name', () => 'f'.repeat(43)],
  ['the device’s address', (before: Guest) => before.mac],
  ['a device of another voucher', (_: Guest, other: string) => other],
])('%s puts nobody out', async (_, chosen) => {
  const [code = '', another = ''] = one.codes(2)
  const [before, stranger, other, guest] = [device(), device(), device(), device()]
  await enter(before, code)
  await enter(stranger, another)
  const instead = chosen(before, nameOf(await enter(other, another), stranger))
  expect((await enter(guest, code, { instead })).text).toContain('Voucher in use')
  expect([before, stranger, guest].map(isIn)).toEqual([true, true, false])
})

test('a place that became free meanwhile is taken, and nobody is put out for it', async () => {
  const [code = ''] = one.codes(1, { maxDevices: 2 })
  const [stays, goes, guest] = [device(), device(), device()]
  for (const guest of [stays, goes]) await enter(guest, code)
  const instead = nameOf(await enter(guest, code), stays)
  one.manager.runtime.db.delete(voucherDevices).where(eq(voucherDevices.mac, goes.mac)).run()
  await enter(guest, code, { instead })
  expect([isIn(stays), isIn(guest)]).toEqual([true, true])
})

test('whoever gave up the place but came in by other means since stays in', async () => {
  const [code = ''] = one.codes(1)
  const [before, guest] = [device(), device()]
  await enter(before, code)
  await one.send(before, { method: 'free' })
  await enter(guest, code, { instead: nameOf(await enter(guest, code), before) })
  expect([isIn(before), isIn(guest)]).toEqual([true, true])
})
