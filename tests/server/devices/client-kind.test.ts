// What a client is: by votes of what is told of it, unknown where they do not tell; chosen by a person before all.
import type { LikelyKind } from '@/model/found-host'
import { type Signs, votedKind, votesOf } from '@/server/worker/likely-kind'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { addDevice, clientTable, station } from './_clients'

const judged = (signs: Signs): LikelyKind | undefined => votedKind(votesOf(signs))

test.each<[LikelyKind | undefined, Signs]>([
  ['phone', { name: 'Ines-iPhone' }],
  ['printer', { vendor: 'Brother Industries, LTD.' }],
  ['camera', { vendor: 'Axis Communications AB', services: ['http'] }],
  ['media', { services: ['googlecast'], name: 'Living room' }],
  ['phone', { capabilities: ['bridge', 'phone'], vendor: 'Polycom' }],
  ['switch', { description: 'JetStream 24-port switch', services: ['http'] }],
  ['computer', { name: 'desktop-4f2', vendor: 'Dell Inc.' }],
  // Many things are made by them, and many run that.
  [undefined, { vendor: 'Intel Corporate' }],
  [undefined, { banner: 'SSH-2.0-OpenSSH_9.6p1 Ubuntu-3' }],
  [undefined, { name: 'guest' }],
  [undefined, {}],
  // One says this, one that, and neither weighs more.
  [undefined, { name: 'galaxy-s9', vendor: 'Sonos, Inc.' }],
  // What a device announces weighs more than how somebody named it.
  ['printer', { name: 'pc-office', services: ['ipp'] }],
])('%s by %j', (kind, signs) => expect(judged(signs)).toBe(kind))

test('each sign that says something is told with its own words and what it says', () => {
  expect(votesOf({ name: 'LaserJet M404', vendor: 'Intel Corporate', services: ['ipp', 'http'] })).toEqual([
    { sign: 'services', kind: 'printer', value: 'ipp', weight: 4 },
    { sign: 'name', kind: 'printer', value: 'LaserJet M404', weight: 2 },
    { sign: 'vendor', kind: 'computer', value: 'Intel Corporate', weight: 1 },
  ])
})

describe('of a network', () => {
  const [phone, hidden] = ['5c:cb:99:4e:21:b7', '02:cb:99:4e:21:b7'] as const
  let manager: Manager
  let browser: Browser
  let site: ReturnType<typeof clientTable>

  beforeEach(async () => {
    manager = await startTestManager()
    browser = await finishedWizard(manager)
    site = clientTable(manager)
    addDevice(manager, 'ap1')
    // The table of who is there is put together anew after some seconds at the earliest.
    jest.spyOn(Date, 'now').mockImplementation(() => site.now())
    const hosts = [
      { mac: phone, address: '192.0.2.50', hostname: 'Ines-iPhone', source: 'arp' as const },
      { mac: hidden, address: '192.0.2.51', source: 'arp' as const },
    ]
    site.reads(1, { stations: [station(phone), station(hidden)], hosts })
    await site.record(0)
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await manager.stop()
  })

  const ok = async (path: string, input: object) => {
    const answer = await browser.post(path, input)
    expect(answer).toMatchObject({ retCode: 0 })
    return answer.data as Record<string, unknown>
  }
  const info = (mac: string) => ok('clients/info', { mac })

  test('the list says what each likely is, its page by what; of a private address alone nothing is said', async () => {
    const { result } = await ok('clients/list', { pageSize: 100 })
    expect(new Map((result as { mac: string; kind?: string }[]).map(one => [one.mac, one.kind]))).toEqual(
      new Map([
        [phone, 'phone'],
        [hidden, undefined],
      ]),
    )
    expect(await info(phone)).toMatchObject({ signs: [{ sign: 'name', value: 'Ines-iPhone', kind: 'phone' }] })
    expect(await info(hidden)).toMatchObject({ private: true, signs: [] })
  })

  test('what a client tells its switch by LLDP names it and counts, for that client alone', async () => {
    const desk = '00:04:f2:00:00:01'
    addDevice(manager, 'sw2')
    const hosts = [desk, '00:04:f2:00:00:02'].map(mac => ({ mac, port: 'p1', source: 'fdb' as const }))
    const neighbours = [
      { localPort: 'p1', chassisId: desk.toUpperCase(), systemName: 'Desk 4', capabilities: ['phone'] },
    ]
    site.reads(2, { hosts, neighbours })
    await site.record()
    expect(await info(desk)).toMatchObject({
      ...{ name: 'Desk 4', kind: 'phone' },
      signs: [{ sign: 'lldp', value: 'phone', kind: 'phone', weight: 4 }],
    })
    expect((await info('00:04:f2:00:00:02')).kind).toBeUndefined()
  })

  test('a person’s choice comes first, for one and for many, and is taken back', async () => {
    await ok('clients/icons/save', { mac: phone, icon: 'printer' })
    expect(await info(phone)).toMatchObject({ icon: 'printer', kind: 'phone' })
    expect(
      await ok('clients/icons/batch-save', { macs: [phone, hidden, '5c:cb:99:00:00:00'], icon: 'camera' }),
    ).toEqual({ macs: expect.arrayContaining([phone, hidden]) })
    expect([await info(phone), await info(hidden)]).toMatchObject([{ icon: 'camera' }, { icon: 'camera' }])
    await ok('clients/icons/save', { mac: phone, icon: '' })
    expect((await info(phone)).icon).toBeUndefined()
    const { result } = await ok('clients/icons/list', {})
    expect(result).toContainEqual({ icon: 'printer' })
    expect((await browser.post('clients/icons/save', { mac: phone, icon: 'toaster' })).data).toMatchObject({
      fields: { icon: expect.any(String) },
    })
    expect((await browser.post('clients/icons/save', { mac: '5c:cb:99:00:00:00', icon: '' })).retCode).not.toBe(0)
  })

  test('who is watched raises an alert each time it comes and goes, and nobody else does', async () => {
    await ok('clients/subscribe', { macs: [phone], on: true })
    expect(await ok('clients/setting', { mac: phone })).toMatchObject({ watched: true })
    const alerts = async () =>
      ((await ok('alerts/list', { pageSize: 100 })).result as { type: string }[]).map(one => one.type)
    type Watched = { mac: string; online: boolean; deviceName: string; since: number }
    const watched = async () => (await ok('clients/monitor', {})).result as Watched[]
    expect(await watched()).toMatchObject([{ mac: phone, online: true, deviceName: 'ap1' }])
    site.reads(1, { stations: [] })
    await site.record()
    await site.record(600_000)
    expect(await alerts()).toEqual(['clientDisconnected'])
    // By it the alert leads to the client.
    expect((await ok('alerts/list', {})).result).toMatchObject([{ values: { mac: phone } }])
    expect(await watched()).toMatchObject([{ mac: phone, online: false, deviceName: 'ap1', since: expect.any(Number) }])
    site.reads(1, { stations: [station(phone), station(hidden)] })
    await site.record()
    expect((await alerts()).toSorted()).toEqual(['clientConnected', 'clientDisconnected'])
    await ok('clients/subscribe', { macs: [phone], on: false })
    expect(await watched()).toEqual([])
    site.reads(1, { stations: [] })
    await site.record()
    await site.record(600_000)
    expect(await alerts()).toHaveLength(2)
  })

  test('a fixed address is a lease of the LAN network that holds it, and is refused at its field', async () => {
    const pool = (net: number) => ({ poolStart: `10.${net}.0.100`, poolEnd: `10.${net}.0.200` })
    await ok('settings/lan/save', { name: 'Office', vlan: 10, address: '10.1.0.1/24', ...pool(1) })
    await ok('settings/lan/save', { name: 'Cameras', vlan: 20, address: '10.2.0.1/24', ...pool(2) })
    const leases = async () =>
      ((await ok('settings/lan/list', {})).result as { name: string; leases: object[] }[]).map(one => [
        one.name,
        one.leases,
      ])
    await ok('clients/fixed-address', { mac: phone, address: '10.1.0.50' })
    expect(await ok('clients/setting', { mac: phone })).toMatchObject({
      fixed: { address: '10.1.0.50', lan: 'Office' },
    })
    await ok('clients/fixed-address', { mac: hidden, address: '10.1.0.51' })
    for (const address of ['10.1.0.51', '10.1.0.1', '10.9.0.1', 'nonsense'])
      expect((await browser.post('clients/fixed-address', { mac: phone, address })).data).toMatchObject({
        fields: { address: expect.any(String) },
      })
    await ok('clients/fixed-address', { mac: phone, address: '10.2.0.50' })
    expect(new Map((await leases()) as [string, object[]][])).toEqual(
      new Map([
        ['Office', [{ mac: hidden, address: '10.1.0.51' }]],
        ['Cameras', [{ mac: phone, address: '10.2.0.50', name: 'Ines-iPhone' }]],
      ]),
    )
    await ok('clients/fixed-address', { mac: phone, address: '' })
    expect(await ok('clients/setting', { mac: phone })).not.toHaveProperty('fixed')
  })
})
