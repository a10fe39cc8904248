import { networkInterfaces } from 'node:os'
import { type Agent, parseWalk, startAgent } from '../drivers/snmp-agent'
import { type Console, openConsole } from './_console'

// What a device tells of its hardware, VLANs and access points, over real SNMP: shown where it is told, and only there.

let here: Console
const agents: Agent[] = []

const mib2 = '1.3.6.1.2.1'
const system = (objectId: string, name: string) => [
  `${mib2}.1.1.0|4|${name} of a test`,
  `${mib2}.1.2.0|6|1.3.6.1.4.1.${objectId}`,
  `${mib2}.1.3.0|67|12345600`,
  `${mib2}.1.5.0|4|${name}`,
]
const entity = (index: number, class_: number, name: string) => [
  `${mib2}.47.1.1.1.1.5.${index}|2|${class_}`,
  `${mib2}.47.1.1.1.1.7.${index}|4|${name}`,
]
const sensor = (index: number, type: number, value: number) => [
  `${mib2}.99.1.1.1.1.${index}|2|${type}`,
  `${mib2}.99.1.1.1.4.${index}|2|${value}`,
  `${mib2}.99.1.1.1.5.${index}|2|1`,
]
const sockets = Array.from({ length: 8 }, (_, i) => [
  `${mib2}.2.2.1.2.${i + 1}|4|port${i + 1}`,
  `${mib2}.2.2.1.3.${i + 1}|2|6`,
  `${mib2}.2.2.1.6.${i + 1}|4x|02005e1000${i + 1}0`,
  `${mib2}.2.2.1.7.${i + 1}|2|1`,
  `${mib2}.2.2.1.8.${i + 1}|2|1`,
  `${mib2}.17.1.4.1.2.${i + 1}|2|${i + 1}`,
  `${mib2}.17.7.1.4.5.1.1.${i + 1}|66|${i < 4 ? 1 : 40}`,
]).flat()

/** A switch of D-Link's number: its memory is a share alone. */
const tower = [
  ...system('171.10.1', 'tower'),
  ...sockets,
  '1.3.6.1.4.1.171.12.1.1.9.1.4.0|66|63',
  ...entity(1, 3, 'Chassis'),
  ...entity(10, 7, 'Fan 1'),
  ...sensor(10, 10, 5100),
  ...entity(20, 6, 'PSU A'),
  `${mib2}.131.1.1.1.3.20|2|3`,
  ...entity(21, 6, 'PSU B'),
  `${mib2}.131.1.1.1.3.21|2|3`,
  `${mib2}.131.1.1.1.5.21|4x|10`,
  ...entity(30, 8, 'Inlet'),
  ...sensor(30, 8, 24),
  ...entity(31, 8, 'Outlet'),
  ...sensor(31, 8, 41),
  `${mib2}.17.7.1.4.3.1.1.1|4|default`,
  `${mib2}.17.7.1.4.3.1.2.1|4x|F0`,
  `${mib2}.17.7.1.4.3.1.4.1|4x|F0`,
  `${mib2}.17.7.1.4.3.1.1.40|4|Cameras`,
  `${mib2}.17.7.1.4.3.1.2.40|4x|8F`,
  `${mib2}.17.7.1.4.3.1.4.40|4x|0F`,
]

/** A controller by AIRESPACE-WIRELESS-MIB with two access points. */
const ap = (last: number, name: string, state: number) => [
  `1.3.6.1.4.1.14179.2.2.1.1.3.2.0.94.16.1.${last}|4|${name}`,
  `1.3.6.1.4.1.14179.2.2.1.1.6.2.0.94.16.1.${last}|2|${state}`,
  `1.3.6.1.4.1.14179.2.2.1.1.16.2.0.94.16.1.${last}|4|AIR-AP2802I`,
  `1.3.6.1.4.1.14179.2.2.1.1.19.2.0.94.16.1.${last}|64|192.0.2.${last}`,
]
const controller = [
  ...system('14179.1.1.4.3', 'wlc'),
  '1.3.6.1.4.1.14179.1.1.1.14.0|4|8.5.1',
  `${mib2}.2.2.1.2.1|4|port1`,
  `${mib2}.2.2.1.3.1|2|6`,
  `${mib2}.2.2.1.6.1|4x|02005e300010`,
  ...ap(7, 'Lobby', 1),
  ...ap(8, 'Hall', 2),
]

/** The address of this machine that the manager reaches without a loop. */
const ownAddress = () =>
  Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .find(one => !one.internal && one.family === 'IPv4')?.address ?? ''

beforeAll(async () => {
  here = await openConsole()
  const address = ownAddress()
  for (const lines of [tower, controller]) {
    const agent = await startAgent(parseWalk(lines.join('\n')), { address })
    agents.push(agent)
    await here.adopt({ address, port: agent.port, login: { type: 'snmp2c', community: 'public' } })
  }
})
afterAll(async () => {
  await here?.close()
  await Promise.all(agents.map(each => each.close()))
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

test('a switch: memory as a share, fans, power supplies and sensors by name', async () => {
  const { page } = here
  await here.openDevice('tower')
  const card = (title: string) =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title }) })
  await card('Fans').getByText('5100').waitFor()
  expect(await card('Power supplies').textContent()).toMatch(/PSU A\s*OK[\s\S]*PSU B\s*Failed/)
  expect(await card('Temperatures').textContent()).toMatch(/Inlet\s*24[\s\S]*Outlet\s*41/)
  expect(await card('Facts').textContent()).toMatch(/Memory\s*63\s*%/)
  await here.looksWell('device-hardware')
})

test('a switch: its VLANs with their names and ports', async () => {
  const { page } = here
  await page
    .getByRole('link', { name: /^VLANs/ })
    .or(page.getByRole('tab', { name: /^VLANs/ }))
    .first()
    .click()
  const row = page.getByRole('row').filter({ hasText: 'Cameras' })
  expect(await row.textContent()).toMatch(/40\s*Cameras\s*5, 6, 7, 8\s*1/)
  await here.looksWell('device-vlans')
})

test('a controller: its access points; it has no cards of what it does not tell', async () => {
  const { page } = here
  await here.openDevice('wlc')
  expect(await page.getByRole('heading', { name: 'Fans' }).count()).toBe(0)
  await page
    .getByRole('link', { name: /^Access points/ })
    .or(page.getByRole('tab', { name: /^Access points/ }))
    .first()
    .click()
  const table = page.getByRole('table', { name: 'Access points' })
  expect(await table.getByRole('row').filter({ hasText: 'Lobby' }).textContent()).toMatch(/Online[\s\S]*AIR-AP2802I/)
  expect(await table.getByRole('row').filter({ hasText: 'Hall' }).textContent()).toContain('Offline')
  await here.looksWell('device-access-points')
})
