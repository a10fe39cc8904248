// Vouchers as keys on the air: real hostapd, stations on radios of their own, the manager there and gone.
import { startVoucherKeys } from '@/server/guests/sessions/voucher-keys'
import { until } from '../../lab/_lab'
import { inGuest, managerWithGuest, mustInGuest } from '../_guest'
import { join, macOf, reaches, type Station } from './_station'

let one: Awaited<ReturnType<typeof managerWithGuest>>
const state = '/var/lib/lanward-keys'
const slowly = { everyMs: 1_000 }
const name = 'Guests'
const wrongKey = { refused: expect.stringContaining('WRONG_KEY') }

let groups = 0
/** A voucher, and its key as the front desk shows it. */
async function sell(terms: object = {}): Promise<{ id: number; groupId: number; key: string }> {
  groups += 1
  const { id: groupId } = await one.ok('vouchers/groups/save', {
    ...{ name: `group ${groups}`, days: 0, hours: 1, minutes: 0, validityDays: 7, quantity: 1, maxDevices: 2 },
    ...terms,
  })
  const { result } = await one.ok('vouchers/list', { groupId })
  const [first] = result as { id: number }[]
  const id = first?.id ?? 0
  const { keys } = await one.ok('vouchers/desk/code', { id })
  // What hostapd reads follows the list.
  await until(async () => (await inGuest(`grep -q "^keyid=v${id} " ${state}/*.psk`)).code === 0, slowly)
  return { id, groupId: Number(groupId), key: (keys as { key: string }[])[0]?.key ?? '' }
}
const station = (at: Station, key: string, more: Record<string, string> = {}) =>
  join(at, { ssid: Buffer.from(name).toString('hex'), psk: `"${key}"`, ...more })
const stations = () => mustInGuest('hostapd_cli -p /run/hostapd -i wlan0 all_sta')
const isIn = async (mac: string) => (await stations()).includes(mac)
const voucherOf = async ({ groupId }: { groupId: number }) =>
  ((await one.ok('vouchers/list', { groupId })).result as { state: number; firstUsedAt: number | null }[])[0]

beforeAll(async () => {
  one = await managerWithGuest()
  const { revision } = await one.ok('settings/radio/get', {})
  await one.ok('settings/radio/save', { revision, channel2g: 6 })
  await one.ok('settings/ssid/save', { name, bands: ['2g'], security: 'ppsk', vouchers: true })
  expect(await one.pushed()).toMatchObject({ state: 'applied', reason: '' })
  startVoucherKeys(one.runtime())
})
afterAll(() => one?.end())

test('a station joins with the key of a voucher, also by another MAC address; the first use is known', async () => {
  const sold = await sell()
  expect(await station(1, sold.key)).toMatchObject({ key_mgmt: 'WPA2-PSK' })
  expect(await reaches(1, '10.78.0.1')).toBe(true)
  await until(async () => (await voucherOf(sold))?.state === 1, slowly)
  expect((await voucherOf(sold))?.firstUsedAt).toBeGreaterThan(0)
  const joined = await station(1, sold.key, { mac_addr: '1' })
  expect(joined).toMatchObject({ key_mgmt: 'WPA2-PSK' })
  expect(await isIn(macOf(1))).toBe(false)
  expect(await reaches(1, '10.78.0.1')).toBe(true)
  expect(await station(2, `${sold.key.slice(0, -1)}0`)).toMatchObject(wrongKey)
})

test('a voucher lets in as many devices at a time as it is good for', async () => {
  const sold = await sell({ maxDevices: 1, downloadKbps: 8000 })
  expect(await station(1, sold.key)).toMatchObject({ key_mgmt: 'WPA2-PSK' })
  await until(async () => (await inGuest(`grep -q '${macOf(1)}' ${state}/present`)).code === 0, slowly)
  expect((await station(2, sold.key)).refused).toBeDefined()
  expect(await reaches(1, '10.78.0.1')).toBe(true)
  expect(await mustInGuest('nft list table bridge lanward_voucher_keys')).toContain(
    `ether daddr ${macOf(1)} limit rate`,
  )
})

test('a voucher that is taken away is void: who is in by it is out', async () => {
  const [mine, other] = [await sell(), await sell()]
  expect(await station(1, mine.key)).toMatchObject({ key_mgmt: 'WPA2-PSK' })
  expect(await station(3, other.key)).toMatchObject({ key_mgmt: 'WPA2-PSK' })
  await one.ok('vouchers/delete', { groupId: mine.groupId, ids: [mine.id] })
  await until(async () => !(await isIn(macOf(1))), { everyMs: 200 })
})

test('while the manager is gone a voucher that nobody used opens, is over by the clock of the device, and is merged later', async () => {
  const [short, long] = [await sell({ hours: 0, minutes: 1 }), await sell()]
  await one.restart({
    async whileOff() {
      expect(await station(1, short.key)).toMatchObject({ key_mgmt: 'WPA2-PSK' })
      expect(await station(2, long.key)).toMatchObject({ key_mgmt: 'WPA2-PSK' })
      await until(async () => !(await isIn(macOf(1))), slowly)
      expect(await isIn(macOf(2))).toBe(true)
      expect(await station(1, short.key)).toMatchObject(wrongKey)
      // A restart of the radio changes nothing of it.
      await mustInGuest("systemctl restart 'lanward-hostapd@*.service'")
      expect(await station(1, short.key)).toMatchObject(wrongKey)
      expect(await station(2, long.key)).toMatchObject({ key_mgmt: 'WPA2-PSK' })
    },
  })
  startVoucherKeys(one.runtime())
  await until(async () => (await voucherOf(long))?.state === 1, slowly)
  await until(async () => (await voucherOf(short))?.state === 2, slowly)
  await until(async () => (await mustInGuest(`cat ${state}/used`)) === '', slowly)
  expect(await isIn(macOf(2))).toBe(true)
})
