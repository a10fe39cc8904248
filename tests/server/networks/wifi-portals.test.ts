// A portal that a Wi-Fi network refers to: which gateway asks for it, whom, and where it cannot.
import { devices } from '@/db/schema'
import { desiredOf, loadKinds, networkDocuments } from '@/server/devices/change/plan/desired'
import { findPlace } from '@/server/guests/sessions/place'
import { guestLans } from '@/server/networks/settings/portals'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
let portal: string
let other: string
const everywhere = { assign: { all: true, groups: [], devices: [] } }

const save = async (kind: string, data: object): Promise<string> => {
  const answer = await browser.post(`settings/${kind}/save`, { ...data })
  expect([answer.retCode, answer.data.fields]).toEqual([0, undefined])
  return String(answer.data.id)
}
const wrong = async (kind: string, data: object) => (await browser.post(`settings/${kind}/save`, data)).data.fields
const remove = async (kind: string, ...ids: string[]) =>
  expect((await browser.post(`settings/${kind}/delete`, { ids })).retCode).toBe(0)

const air = (more: object = {}) => ({ name: 'Harbour', security: 'open', vlan: 20, portal, ...everywhere, ...more })
const lan = (more: object = {}) => ({
  ...{ name: 'Guest LAN', vlan: 20, address: '192.168.20.1/24', dhcp: false, ...everywhere },
  ...more,
})

beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
  for (const [id, kind] of [
    [1, 'gateway'],
    [2, 'ap'],
  ] as const) {
    const place = { organization: 1, network: 1, address: `192.0.2.${id}`, port: 22 }
    const row = {
      ...place,
      id,
      name: `${kind} ${id}`,
      kind,
      driver: 'linux',
      status: 1,
      statusAt: 0,
      createdAt: 0,
    } as const
    manager.runtime.db.insert(devices).values(row).run()
  }
  portal = await save('portal', { name: 'Guests', methods: ['free'] })
  other = await save('portal', { name: 'Others', methods: ['free'] })
})
afterAll(() => manager.stop())

async function desired(id: number) {
  const { db, secrets } = manager.runtime
  return desiredOf(secrets, await loadKinds(), networkDocuments(db, 1), { id, network: 1, group: null })
}
const told = async (id: number) =>
  (await desired(id)).warnings.map(({ code, kind, values, blocks }) => ({
    code,
    kind,
    values,
    ...(blocks && { blocks }),
  }))

test('without a LAN network of its VLAN nobody would ask: refused at the field, and nothing is stored', async () => {
  expect(await wrong('ssid', air())).toEqual({ portal: 'portalLan' })
  expect(await wrong('ssid', air({ vlan: undefined }))).toEqual({ portal: 'portalLan' })
  expect((await browser.post('settings/ssid/list', {})).data.result).toEqual([])
})

test('its LAN network has the portal in the gateway’s plan, as do the portal’s page and the count of guests; all is told', async () => {
  const guestLan = await save('lan', lan())
  expect([
    guestLans(manager.runtime.db, manager.runtime.secrets, 1),
    await findPlace(manager.runtime, guestLan),
  ]).toEqual([[], undefined])
  const harbour = await save('ssid', air())
  const staff = await save('ssid', air({ name: 'Staff', portal: undefined }))
  const given = (await desired(1)).documents.find(one => one.kind === 'lan')
  expect(given?.data.portal).toMatchObject({ name: 'Guests', methods: ['free'] })
  // As it is stored the LAN network has none.
  expect((await browser.post('settings/lan/get', { id: guestLan })).data.portal).toBeUndefined()
  expect(guestLans(manager.runtime.db, manager.runtime.secrets)).toEqual([{ network: 1, lan: guestLan }])
  expect(await findPlace(manager.runtime, guestLan)).toMatchObject({ lan: guestLan, policy: { name: 'Guests' } })
  const asks = { ssid: 'Harbour', lan: 'Guest LAN', gateways: 'gateway 1' }
  expect(await told(2)).toEqual([{ code: 'ssidPortal', kind: 'ssid', values: asks }])
  expect(await told(1)).toContainEqual({
    ...{ code: 'portalSsids', kind: 'lan' },
    values: { lan: 'Guest LAN', ssids: 'Harbour, Staff', vlan: 20 },
  })
  await remove('ssid', harbour, staff)
  expect((await desired(1)).documents.find(one => one.kind === 'lan')?.data.portal).toBeUndefined()
  await remove('lan', guestLan)
})

test('one that differs from its LAN network’s, or from another Wi-Fi network’s of the VLAN, is refused at the field', async () => {
  const guestLan = await save('lan', lan({ portal: other }))
  expect(await wrong('ssid', air())).toEqual({ portal: 'portalLanOther' })
  const same = await save('ssid', air({ portal: other }))
  expect(await wrong('ssid', air({ name: 'Quay' }))).toEqual({ portal: 'portalVlan' })
  const { revision } = (await browser.post('settings/lan/get', { id: guestLan })).data
  expect(await wrong('lan', lan({ id: guestLan, revision, portal }))).toEqual({ portal: 'portalSsid' })
  expect((await browser.post('settings/portal/delete', { ids: [other] })).retCode).not.toBe(0)
  await remove('ssid', same)
  await remove('lan', guestLan)
})

test('where its LAN network is gone, or on no gateway, access points do not send it out as if somebody asked', async () => {
  const guestLan = await save('lan', lan({ assign: { all: false, groups: [], devices: [2] } }))
  const harbour = await save('ssid', air())
  const values = { ssid: 'Harbour', lan: 'Guest LAN', gateways: '' }
  expect(await told(2)).toContainEqual({ code: 'ssidPortalGateway', kind: 'ssid', values, blocks: true })
  await remove('lan', guestLan)
  const gone = { code: 'ssidPortalLan', kind: 'ssid', values: { ssid: 'Harbour', vlan: 20 }, blocks: true }
  expect(await told(2)).toEqual([gone])
  await remove('ssid', harbour)
})

test('one that is switched off asks nobody', async () => {
  const guestLan = await save('lan', lan())
  const harbour = await save('ssid', air({ enabled: false }))
  expect((await desired(1)).documents.find(one => one.kind === 'lan')?.data.portal).toBeUndefined()
  expect(await told(2)).toEqual([])
  await remove('ssid', harbour)
  await remove('lan', guestLan)
})
