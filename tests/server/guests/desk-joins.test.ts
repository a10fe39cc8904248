// What the front desk shows to a guest's camera before the voucher: the Wi-Fi networks that it is good for.

import { person } from '../_people'
import { type House, house } from './_house'

let one: House
let voucher: number
beforeAll(async () => {
  one = await house()
  const terms = { days: 1, hours: 0, minutes: 0, validityDays: 30, desk: true }
  const { data } = await one.owner.post('vouchers/groups/save', { name: '1 day', ...terms })
  const act = crypto.randomUUID()
  const sold = (await one.owner.post('vouchers/desk/sell', { act, groupId: data.id })).data.voucher as {
    id: number
  }
  voucher = sold.id
})
afterAll(() => one.end())

const save = async (name: string, own: object): Promise<string> => {
  const { retCode, data } = await one.owner.post('settings/ssid/save', { name, ...own })
  expect([name, retCode, data.fields]).toEqual([name, 0, undefined])
  return data.id as string
}
const joins = async (browser: Pick<House['owner'], 'post'> = one.owner): Promise<string[]> => {
  const { data } = await browser.post('vouchers/desk/code', { networkId: 1, id: voucher })
  const all = data.joins as { ssid: string; qr: { size: number; path: string } }[]
  for (const { qr } of all)
    expect(qr).toEqual({ size: expect.any(Number), path: expect.stringMatching(/^M4 4h1v1h-1z/) })
  return all.map(({ ssid }) => ssid).sort()
}

test('open networks behind a portal and those that take vouchers as keys; nothing with a key that all share', async () => {
  expect(await joins()).toEqual([])
  await save('Terrace', { security: 'open', vlan: 66 })
  await save('Garden', { security: 'owe', vlan: 66 })
  await save('Off', { security: 'open', vlan: 66, enabled: false })
  await save('Staff', { security: 'open' })
  await save('Keyed', { security: 'wpa2', key: 'correct horse', vlan: 66 })
  await save('Vouchers', { security: 'ppsk', vouchers: true })
  expect(await joins()).toEqual(['Garden', 'Terrace', 'Vouchers'])
  const clerk = await person(one.manager, { role: 'guestEditor', networks: [1] })
  expect(await joins(clerk)).toEqual(['Garden', 'Terrace', 'Vouchers'])
})

test('a voucher that is no key joins by the portal alone', async () => {
  const terms = { days: 1, hours: 0, minutes: 0, validityDays: 30, desk: true, byteLimitMb: 100 }
  const { data } = await one.owner.post('vouchers/groups/save', { name: 'Limited', ...terms })
  const sold = await one.owner.post('vouchers/desk/sell', { act: crypto.randomUUID(), groupId: data.id })
  voucher = (sold.data.voucher as { id: number }).id
  expect(await joins()).toEqual(['Garden', 'Terrace'])
})
