import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { startAdoptions } from '@/server/devices/adoption/adoption-job'
import { fleetOf } from '@/server/devices/link/fleet'
import { addressFor, isOwnAddress } from '@/server/drivers/own-address'
import { company } from '../_company'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network } from '../_people'

let manager: Manager
let owner: Browser
beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess(), startAdoptions] })
  owner = await finishedWizard(manager)
})
afterAll(() => manager.stop())

/** They come and go. */
const mine = () => Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(one => one.address))
test.each([
  ...['127.0.0.1', '127.9.8.7', '0.0.0.0', '0.1.2.3', '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1'],
  ...['0:0:0:0:0:0:0:1', '0:0:0:0:0:ffff:0.0.0.0'],
])('%s is this machine itself', async address => {
  expect(isOwnAddress(address)).toBe(true)
  await expect(addressFor({ address, notSelf: true })).rejects.toMatchObject({ reason: 'noRoute' })
  expect(await addressFor({ address })).toBe(address)
})

test('so is every address that it has', () => {
  for (const address of mine()) if (mine().includes(address)) expect(isOwnAddress(address)).toBe(true)
})

test.each(['10.255.254.253', '192.0.2.1', '2001:db8::1', '1.127.0.0', '::ffff:192.0.2.1'])('%s is another', address =>
  expect(isOwnAddress(address)).toBe(false),
)

test('a name is resolved once, and refused where it leads here', async () => {
  await expect(addressFor({ address: 'localhost', notSelf: true })).rejects.toMatchObject({ reason: 'noRoute' })
})

/** What listens on loopback as other services of the machine do, and how often anybody knocked. */
async function doors() {
  let knocks = 0
  const tcp = createServer(socket => {
    knocks++
    socket.end('SSH-2.0-secret\r\n')
  })
  await new Promise<void>(done => tcp.listen(0, '127.0.0.1', done))
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4')
  udp.on('message', () => knocks++)
  await new Promise<void>(done => udp.bind(port, '127.0.0.1', done))
  const close = () => {
    tcp.close()
    udp.close()
  }
  return { port, knocks: () => knocks, close }
}

const logins = [
  { type: 'ssh', user: 'root', password: 'x' },
  { type: 'snmp2c', community: 'public' },
] as const

test('people of another organization reach no service of the manager’s own machine, and learn nothing of it', async () => {
  const { port, knocks, close } = await doors()
  const { head } = await company(manager, owner, 'Harbour', 'harbour')
  const { organization } = head.account
  const networkId = network(manager, 'N', organization)
  const spellings = ['127.0.0.1', '127.0.0.2', 'localhost', '0.0.0.0', '::ffff:7f00:1', '::1']
  const hostKey = `SHA256:${'A'.repeat(43)}`
  const told = new Set<string>()
  for (const address of spellings) {
    const seen = await head.post('devices/fingerprint', { networkId, address, port })
    // Some are not taken as an address at all.
    if (seen.retCode !== codes.invalidInput) told.add(JSON.stringify([seen.retCode, seen.data]))
    for (const credential of logins) await head.post('devices/add', { networkId, address, port, hostKey, credential })
  }
  expect([...told]).toHaveLength(1)
  // One that came to be there otherwise, and is polled.
  const { runtime } = manager
  for (const login of logins) {
    const credential = insertCredential(runtime, { organization, network: networkId }, login)
    const address = login.type === 'ssh' ? '127.0.0.1' : 'localhost'
    const row = { organization, network: networkId, address, port, name: login.type, credential }
    const driver = login.type === 'ssh' ? 'linux' : 'snmp'
    const { id } = runtime.db
      .insert(devices)
      .values({ ...row, driver, hostKey, kind: 'switch', status: 1, statusAt: 1, createdAt: 1 })
      .returning({ id: devices.id })
      .get()
    fleetOf(runtime).upsert(id)
    await fleetOf(runtime)
      .ask('observeNow', id)
      .catch(() => undefined)
    await head.post('credentials/test', { networkId, id: credential, deviceId: id })
  }
  expect(knocks()).toBe(0)
  // The manager's own people manage the machine it runs on.
  await owner.post('devices/fingerprint', { address: '127.0.0.1', port })
  expect(knocks()).toBe(1)
  close()
}, 120_000)
