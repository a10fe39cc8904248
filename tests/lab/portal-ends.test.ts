// Guests of a real manager's portal behind a real gateway: what ends their time there, and what does not.
import Database from 'better-sqlite3'
import { web } from './_firewall'
import { curl as asked, type Client as Guest, isIn, isLed, macs } from './_guests'
import { lab, until } from './_lab'
import { everyWay, guestVlan, type House, led, nearlyOver, portalHouse, secondsOnGateway, send } from './_portal'
import { join } from './_vlan'

let house: House

const curl = (guest: Guest, ...words: string[]) => asked(guest, '-m', '20', ...words)
const got = async (guest: Guest, ...words: string[]) => (await curl(guest, ...words)).stdout
const enter = (guest: Guest, fields: Record<string, string>) => send(guest, { terms: '1', ...fields })
const rowOf = async (guest: Guest) => (await house.rows(macs[guest]))[0]

/** The manager, which is stopped: the guests who are in began so much sooner. */
function beganSooner(seconds: number): void {
  const database = new Database(`${house.one.dataDir}/gen-1/lanward.sqlite`)
  database
    .prepare(
      `UPDATE guests SET started = started - @by, ends = ends - @by, active_at = active_at - @by,
         counted_at = counted_at - @by WHERE ended IS NULL`,
    )
    .run({ by: seconds * 1000 })
  database.close()
}

beforeAll(async () => {
  house = await portalHouse(everyWay)
})
afterAll(async () => {
  await house?.end()
})

test('a voucher lets in within its bounds: its bytes end the session, and it is used up', async () => {
  const { code } = await house.voucher({ byteLimitMb: 3 })
  await lab.sh('inet', 'truncate -s 60M /srv/big')
  const { url } = await led('c1')
  expect(await enter('c1', { method: 'voucher', code })).toContain('3 MB of 3 MB')
  await until(() => isIn('c1'))
  const download = curl('c1', '-o', '/dev/null', `${web}big`)
  await until(() => isLed('c1'))
  // Nothing comes any more, and nobody says so.
  await lab.sh('c1', 'kill $(pgrep curl)')
  expect((await download).code).not.toBe(0)
  // Whoever opens the page again is looked at at once.
  await got('c1', url)
  await until(async () => /bytes|voucher/.test((await rowOf('c1'))?.why ?? ''))
  expect((await rowOf('c1'))?.bytes).toBeGreaterThan(2_800_000)
  expect(await enter('c1', { method: 'voucher', code })).toContain('Nothing is left on this voucher')
  expect(await isIn('c1')).toBe(false)
})

test('a voucher is for one device: the second is refused; where it is deleted the first is out', async () => {
  const { groupId, id, code } = await house.voucher({ maxDevices: 1 })
  expect(await enter('c1', { method: 'voucher', code })).toContain('You are online')
  expect(await enter('c2', { method: 'voucher', code })).toContain('as many devices as it is good for')
  await until(() => isIn('c1'))
  await house.owner.must('vouchers/delete', { groupId, ids: [id] })
  await until(async () => !(await isIn('c1')))
  expect((await rowOf('c1'))?.why).toBe('voucher')
})

test('the time of a session ends it on the gateway itself, manager or not', async () => {
  const { code } = await house.voucher({ hours: 0, minutes: 1 })
  await enter('c1', { method: 'voucher', code })
  await until(() => isIn('c1'))
  await house.one.stop()
  expect(await isIn('c1')).toBe(true)
  expect(await secondsOnGateway('c1')).toBeLessThanOrEqual(60)
  beganSooner(await nearlyOver('c1'))
  await until(async () => !(await isIn('c1')))
  await house.restart()
  await until(async () => (await rowOf('c1'))?.ended !== null)
})

test('a gateway that rebooted has who was in again, without being asked', async () => {
  await enter('c2', { method: 'free' })
  await until(() => isIn('c2'))
  const before = await rowOf('c2')
  await lab.reboot('gw')
  await join(guestVlan, 'c2')
  await until(() => isIn('c2'))
  expect(await rowOf('c2')).toMatchObject({ id: before?.id, ended: null })
})
