// How people get into a Wi-Fi network: the key and its QR code are told to who may change it, one at a time, and written down.
import { codes, documentCode } from '@/model/codes'
import { joinFields, read } from '../../_qr'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
})
afterAll(() => manager.stop())

const saved = async (input: object): Promise<string> =>
  String((await browser.post('settings/ssid/save', { name: 'Harbour', ...input })).data.id)
type Shown = { name: string; key?: string; qr?: { size: number; path: string } }
const join = async (id: string) => (await browser.post('wifi/ssids/join', { id })).data as unknown as Shown

test('a camera reads from the code what the network is and what opens it', async () => {
  const key = 'a;b,c:d\\e"f and g'
  const shown = await join(await saved({ name: 'Café; "Pier": 7\\8', security: 'wpa2', key, hidden: true }))
  expect(shown).toMatchObject({ name: 'Café; "Pier": 7\\8', security: 'wpa2', hidden: true, key })
  const text = shown.qr && read(shown.qr)
  expect(joinFields(text ?? '')).toEqual({ T: 'WPA', S: 'Café; "Pier": 7\\8', P: key, H: 'true' })
})

test('the longest there is can be read', async () => {
  const shown = await join(await saved({ name: '"'.repeat(32), security: 'wpa2wpa3', key: '\\'.repeat(63) }))
  expect(joinFields((shown.qr && read(shown.qr)) ?? '')).toEqual({ T: 'WPA', S: '"'.repeat(32), P: '\\'.repeat(63) })
})

test('an open network has a code and no key; where everybody has a key of their own there is neither', async () => {
  const open = await join(await saved({ name: 'Open', security: 'open' }))
  expect(open).not.toHaveProperty('key')
  expect(joinFields((open.qr && read(open.qr)) ?? '')).toEqual({ T: 'nopass', S: 'Open' })
  const own = await join(await saved({ name: 'Rooms', security: 'ppsk' }))
  expect(own).toEqual({ name: 'Rooms', security: 'ppsk', hidden: false })
})

test('that a key was shown stands in the changelog, without the key', async () => {
  await join(await saved({ name: 'Written down', security: 'wpa2', key: 'correct horse' }))
  const { data } = await browser.post('changelog/list', { pageSize: 20 })
  const [latest] = data.result as { action: string; object: string; name: string }[]
  expect(latest).toMatchObject({ action: 'reveal', object: 'ssid', name: 'Written down' })
  expect(JSON.stringify(data)).not.toContain('correct horse')
})

test('what is not there is said to be so', async () => {
  const { retCode } = await browser.post('wifi/ssids/join', { id: '7f9b2a4e-2c3d-4d5e-8f6a-1b2c3d4e5f60' })
  expect(retCode).toBe(codes[documentCode('ssid', 'notFound')])
})

test('LAN networks are listed as something is put into them: by name, with VLAN and subnet', async () => {
  const lan = { dhcp: false, address: '10.0.20.1/24' }
  await browser.post('settings/lan/save', { name: 'Guests', vlan: 20, ...lan })
  await browser.post('settings/lan/save', { name: 'Main', vlan: 1, ...lan, address: '192.168.7.254/25' })
  const { data } = await browser.post('settings/vlans/list', {})
  expect(data.result).toMatchObject([
    { name: 'Guests', vlan: 20, subnet: '10.0.20.0/24' },
    { name: 'Main', vlan: 1, subnet: '192.168.7.128/25' },
  ])
})
