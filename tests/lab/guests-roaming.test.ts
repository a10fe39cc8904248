// Two gateways of one network: a guest who signed in behind one of them and walks over to the other.
import { web } from './_firewall'
import { curl, isIn, isLed, macs } from './_guests'
import { lab, until } from './_lab'
import { type House, led, portalHouse, send } from './_portal'
import { endSecondGateway, secondGateway } from './_second-gateway'

/** The guest's phone, behind the first gateway and behind the second. */
const [here, there] = ['c1', 'c3'] as const
const dayKilobytes = 6000

let house: House

const onGateway = async (gateway: 'gw' | 'sw2') =>
  (await lab.sh(gateway, 'nft list set inet lanward_gate in')).stdout.includes(macs.c1)
const onBoth = async () => [await onGateway('gw'), await onGateway('sw2')]
/** What the second gateway lets through for the guest, in bytes. */
const quotaThere = async () =>
  Number(/"bytes": (\d+)/.exec((await lab.sh('sw2', 'nft -j list quotas table inet lanward_gate')).stdout)?.[1])
const rowOf = async () => (await house.rows(macs.c1))[0]
const password = () => send(here, { method: 'simplePassword', password: 'harbour' })
const load = async (guest: typeof here | typeof there, bytes: number) =>
  Number(
    (await curl(guest, '-r', `0-${bytes - 1}`, '-m', '25', '-o', '/dev/null', '-w', '%{size_download}', `${web}big`))
      .stdout,
  )

beforeAll(async () => {
  house = await portalHouse({
    ...{ name: 'Guests', methods: ['simplePassword'], password: 'harbour', passwordDays: 1, days: 3, hours: 0 },
    ...{ useLimit: 'client', dailyData: `${dayKilobytes} KB`, idleMinutes: 60 },
  })
  await secondGateway(house)
  await lab.sh('inet', 'truncate -s 60M /srv/big')
})
afterAll(async () => {
  await endSecondGateway()
  await house?.end()
})

test('behind each of them a stranger is led to the portal, by its own signature', async () => {
  for (const guest of [here, there]) {
    expect(await isIn(guest)).toBe(false)
    const { page, url } = await led(guest)
    expect(page).toContain('Wi-Fi password')
    expect(url).toContain(`mac=${macs.c1}`)
  }
})

test('who signed in behind one walks over to the other and is asked nothing', async () => {
  expect(await password()).toContain('You are online')
  await until(() => isIn(here))
  expect(await onBoth()).toEqual([true, true])
  expect(await isIn(there)).toBe(true)
  expect(await isIn('c2')).toBe(false)
  expect(await isIn(here)).toBe(true)
  const { stdout } = await lab.sh('sw2', 'nft -j list set inet lanward_gate in')
  // G12: three days of a session, and one of the password.
  const seconds = Number(/"expires": (\d+)/.exec(stdout)?.[1])
  expect(seconds).toBeLessThanOrEqual(86_400)
  expect(seconds).toBeGreaterThan(80_000)
})

test('while the manager is stopped who is in stays in behind both, and nobody else gets in', async () => {
  await house.one.stop()
  expect([await isIn(here), await isIn(there)]).toEqual([true, true])
  expect(await isIn('c2')).toBe(false)
  await house.restart()
  await until(async () => (await rowOf())?.ended === null)
  expect([await isIn(there), await isIn(here)]).toEqual([true, true])
})

test('removed at the manager the guest is out behind both', async () => {
  await house.owner.must('guests/remove', { ids: [(await rowOf())?.id] })
  expect(await onBoth()).toEqual([false, false])
  expect([await isLed(here), await isLed(there)]).toEqual([true, true])
})

test('G13: data used behind the first counts behind the second, in KB', async () => {
  expect(await password()).toContain('You are online')
  await until(() => isIn(here))
  expect(await load(here, 4_000_000)).toBe(4_000_000)
  await until(async () => ((await rowOf())?.bytes ?? 0) > 4_000_000)
  expect(await isIn(there)).toBe(true)
  // The second is told what is left, and ends it there by itself.
  await until(async () => (await quotaThere()) < 3_000_000)
  await house.one.stop()
  expect(await load(there, 3_000_000)).toBeLessThan(3_000_000)
  await house.restart()
  await until(async () => (await rowOf())?.ended !== null)
  expect((await rowOf())?.why).toMatch(/^(dailyBytes|bytes)$/)
  expect((await rowOf())?.bytes).toBeLessThan(dayKilobytes * 1024 * 1.1)
  await until(async () => (await onBoth()).every(one => !one))
  expect(await password()).toContain('The data for today is used up.')
})
