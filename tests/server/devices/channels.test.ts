// The channels that access points get where settings say automatic: chosen once for each, and kept.
import { eq } from 'drizzle-orm'
import { credentials, devices, networks } from '@/db/schema'
import { engineOf, findDevice, planKnown } from '@/server/devices/change/plan/plan'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { chooseChannel } from '@/server/devices/link/channel-choice'
import { channelsOf } from '@/server/devices/link/channels'
import { sealCredential } from '@/server/devices/link/credential-store'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Driver, NativeConfig } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import type { Observation } from '@/server/drivers/observation'
import { allowedIn } from '@/server/networks/settings/regulatory'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

test.each([
  ['the lowest where nobody is', 'DE', '2g', 20, {}, 1],
  ['the next that is free', 'DE', '2g', 20, { 1: 1 }, 6],
  ['the third', 'DE', '2g', 20, { 1: 1, 6: 1 }, 11],
  ['the least used', 'DE', '2g', 20, { 1: 2, 6: 1, 11: 2 }, 6],
  ['a channel between two disturbs both', 'DE', '2g', 20, { 3: 1 }, 11],
  ['a wide one takes what lies beside it', 'US', '5g', 80, { 36: 1 }, 149],
  ['where all overlap, another number', 'DE', '5g', 80, { 36: 1 }, 40],
  ['narrow ones lie side by side', 'DE', '5g', 20, { 36: 1, 40: 1 }, 44],
  ['none with radar on its other half', 'DE', '5g', 160, {}, 36],
  ['none of 25 mW', 'DE', '5g', 20, { 36: 9, 40: 9, 44: 9, 48: 8 }, 48],
  ['what is weak where there is nothing else', 'CL', '6g', 80, {}, 5],
  ['one on which clients look first', 'DE', '6g', 80, { 5: 1 }, 21],
  ['none where the band is forbidden', 'CN', '6g', 80, {}, undefined],
  ['none where all listen for radar', 'AM', '5g', 20, {}, undefined],
] as const)('%s: %s, %s, %i MHz, %j: %s', (_why, country, band, width, used, channel) => {
  const others = new Map(Object.entries(used).map(([on, count]) => [Number(on), count]))
  expect(chooseChannel({ band, width, allowed: allowedIn(country)?.[band] ?? [] }, others)).toBe(channel)
})

/** What access points have, by address. */
const onDevices = new Map<string, NativeConfig>()
/** Linux' own renderers on devices that take what is pushed to them; their radio is none. */
const accessPoint = (): Driver<unknown> => {
  const configOf = (address: unknown) => onDevices.get(String(address)) ?? { blocks: [] }
  const facts = { kind: 'ap' as const, capabilities: ['wifi', 'systemd', 'hostapd', 'root'] }
  const radio = { key: 'wlan0', name: 'wlan0', interface: 'wlan0', bridge: 'br0', up: false, driver: 'none' as const }
  return {
    ...(linuxDriver as Driver<unknown>),
    connect: async ({ address }) => address,
    close: () => undefined,
    ping: async () => undefined,
    facts: async () => facts,
    observe: async (): Promise<Observation> => ({
      ...{ takenAt: Date.now(), depth: 'full', facts, interfaces: [], radios: [radio] },
    }),
    read: async address => configOf(address),
    push: async (address, _before, next, confirmSeconds, events) => {
      const pending = { id: 'push', armedAt: Date.now(), confirmSeconds, driver: 'linux', data: {} }
      await events.pending(pending)
      onDevices.set(String(address), next)
      return pending
    },
    confirm: async () => undefined,
    selfCheck: async () => [],
  }
}

describe('with a manager', () => {
  let manager: Manager
  let browser: Browser
  beforeEach(async () => {
    onDevices.clear()
    manager = await startTestManager({
      starters: [
        fleetInProcess({ drivers: accessPoint }),
        async runtime => void (await startChange(runtime, changeTransport(fleetOf(runtime)), 300)),
      ],
    })
    browser = await finishedWizard(manager)
    await ok('settings/ssid/save', { name: 'Cafe', security: 'wpa2', key: 'harbour1234', assign: { all: true } })
  })
  afterEach(() => manager.stop())

  async function ok(path: string, body: object): Promise<Record<string, unknown>> {
    const { retCode, data } = await browser.post(path, body)
    if (retCode !== 0) throw new Error(`${path}: ${retCode} ${JSON.stringify(data)}`)
    return data
  }

  const network = () => {
    const row = manager.runtime.db.select().from(networks).get()
    if (!row) throw new Error('no network')
    return row
  }

  /** As adoption leaves it: a row, told to the worker, which reads it. */
  async function adopt(name: string, at: number, chooses = true): Promise<number> {
    const { db } = manager.runtime
    const own = { organization: network().organization, network: network().id }
    const login = { ...own, name, type: 'ssh' as const, user: 'root', secret: '', createdAt: 0, changedAt: 0 }
    const { id: credential } = db.insert(credentials).values(login).returning({ id: credentials.id }).get()
    const secret = sealCredential(manager.runtime, credential, { type: 'ssh', user: 'root', password: 'x' })
    db.update(credentials).set({ secret }).where(eq(credentials.id, credential)).run()
    const place = { address: `192.0.2.${at}`, port: 22, driver: 'linux', kind: 'ap' as const, credential }
    const row = { ...own, ...place, name, status: 3, statusAt: 0, createdAt: 0 }
    const { id } = db.insert(devices).values(row).returning({ id: devices.id }).get()
    fleetOf(manager.runtime).upsert(id)
    await fleetOf(manager.runtime).ask('observeNow', id)
    if (chooses) await until(async () => kept(id)['2g'] !== undefined)
    return id
  }
  const rowOf = (id: number) => {
    const row = findDevice(manager.runtime, id)
    if (!row) throw new Error('no device')
    return row
  }
  const kept = (id: number) => channelsOf(rowOf(id))
  /** What its plan writes. */
  async function planned(id: number): Promise<string | undefined> {
    const { planned } = await planKnown(engineOf(manager.runtime), rowOf(id))
    return planned.blocks.flatMap(({ text }) => /^channel=(\d+)$/m.exec(text)?.[1] ?? [])[0]
  }
  const setRadio = async (fields: object, scope: object = {}) => {
    const { revision } = await ok('settings/radio/get', { scope })
    await ok('settings/radio/save', { scope, revision, ...fields })
  }

  test('three access points get three channels, and one more changes none of them', async () => {
    const three = [await adopt('ap1', 1), await adopt('ap2', 2), await adopt('ap3', 3)]
    expect(await Promise.all(three.map(planned))).toEqual(['1', '6', '11'])
    expect(await planned(await adopt('ap4', 4))).toBe('1')
    expect(await Promise.all(three.map(planned))).toEqual(['1', '6', '11'])
    // What the second had is free, and the next gets it.
    manager.runtime.db
      .delete(devices)
      .where(eq(devices.id, three[1] ?? 0))
      .run()
    expect(await planned(await adopt('ap5', 5))).toBe('6')
  })

  test('a channel that a person sets wins, and counts for those that come after; automatic again is the one it kept', async () => {
    const first = await adopt('ap1', 1)
    await setRadio({ channel2g: 6 }, { device: first })
    expect(await planned(first)).toBe('6')
    expect(await planned(await adopt('ap2', 2))).toBe('1')
    await setRadio({ channel2g: 0 }, { device: first })
    expect(await planned(first)).toBe('1')
    await setRadio({ channel2g: 13 })
    expect(await planned(await adopt('ap3', 3))).toBe('13')
  })

  test('where the country does not allow it any more another is chosen, for the device alone, too', async () => {
    const two = [await adopt('ap1', 1), await adopt('ap2', 2)]
    expect(two.map(id => kept(id)['5g'])).toEqual([36, 40])
    const { id, name: networkName, timezone } = network()
    await ok('networks/edit', { id, networkName, timezone, country: 'BD' })
    // In Bangladesh 5 GHz begins at 149; 2.4 GHz is as it was.
    expect(two.map(kept)).toEqual([
      { '2g': 1, '5g': 149 },
      { '2g': 6, '5g': 153 },
    ])
    // And in Algeria it ends before.
    await setRadio({ country: 'DZ' }, { device: two[1] })
    expect(two.map(id => kept(id)['5g'])).toEqual([149, 36])
  })

  test('moved to another network it gets one by those that are there', async () => {
    const moved = [await adopt('ap1', 1), await adopt('ap2', 2)]
    const more = { networkName: 'Pier', country: 'US', timezone: network().timezone }
    const { id: toNetworkId } = await ok('networks/add', more)
    for (const id of moved) await ok('devices/move', { ids: [id], toNetworkId })
    expect(moved.map(kept)).toEqual([
      { '2g': 1, '5g': 36 },
      { '2g': 6, '5g': 149 },
    ])
  })

  describe('what a push left stands', () => {
    const channelAt = (at: number) =>
      onDevices.get(`192.0.2.${at}`)?.blocks.flatMap(({ text }) => /^channel=(\d+)$/m.exec(text)?.[1] ?? [])[0]
    const forget = (id: number) =>
      manager.runtime.db.update(devices).set({ facts: '{}', channels: '{}' }).where(eq(devices.id, id)).run()
    const setCountry = (country: string) => {
      manager.runtime.db.update(networks).set({ country }).run()
      const { id, organization } = network()
      manager.runtime.bus.emit({ topic: 'networks', network: id, organization })
    }
    const byHand = (at: number, from: string | RegExp, to: string) =>
      onDevices.set(`192.0.2.${at}`, {
        blocks: (onDevices.get(`192.0.2.${at}`)?.blocks ?? []).map(one => ({
          ...one,
          text: one.text.replace(from, to),
        })),
      })
    const changes = async () => (await ok('changes/list', {})).devices
    async function ended(jobId: unknown) {
      const job = await until(async () => {
        const result = await ok('devices/push/result', { jobId })
        return result.state !== 'running' && (result.devices as { state: string; detail: string }[])
      })
      return job.map(({ state, detail }) => ({ state, detail }))
    }
    const push = async (deviceIds: number[], more = {}) =>
      ended((await ok('devices/push', { deviceIds, ...more })).jobId)

    test('told of Wi-Fi by its first plan it gets a channel with its first push: nothing waits after, and drift is adopted', async () => {
      const two = [await adopt('ap1', 1), await adopt('ap2', 2)] as const
      two.map(forget)
      expect(await push([...two])).toEqual(two.map(() => ({ state: 'applied', detail: '' })))
      expect(['1', '6'].map(String)).toEqual([channelAt(1), channelAt(2)].toSorted())
      await fleetOf(manager.runtime).ask('observeNow', two[0])
      expect(await changes()).toEqual([])
      byHand(1, 'ssid2="Cafe"', 'ssid2="By hand"')
      const { drift } = await ok('devices/push/preview', { deviceId: two[0] })
      expect(drift).toMatchObject([{ adoptable: true }])
      const { jobId } = await ok('devices/config/adopt', { deviceId: two[0] })
      expect(await ended(jobId)).toEqual([{ state: 'applied', detail: 'nothingToDo' }])
    })

    test('pushed to before it had one it stays as it is, and gets one with what changes its Wi-Fi anyway', async () => {
      setCountry('')
      const id = await adopt('ap1', 1, false)
      await until(async () => rowOf(id).facts.includes('wifi'))
      await push([id])
      expect(channelAt(1)).toBe('6')
      setCountry('DE')
      expect(await changes()).toEqual([])
      expect((await ok('devices/push/preview', { deviceId: id })).blocks).toEqual([])
      expect(await push([id])).toEqual([{ state: 'applied', detail: 'nothingToDo' }])
      // What is changed on it is adopted without a push that nobody asked for.
      byHand(1, 'ap_isolate=0', 'ap_isolate=1')
      const { jobId } = await ok('devices/config/adopt', { deviceId: id })
      expect(await ended(jobId)).toEqual([{ state: 'applied', detail: 'nothingToDo' }])
      await ok('settings/system/save', { revision: 0, timeZone: 'Europe/Rome' })
      await push([id])
      expect(kept(id)).toEqual({})
      await ok('settings/ssid/save', { name: 'Bar', security: 'wpa2', key: 'harbour1234', assign: { all: true } })
      const { blocks } = await ok('devices/push/preview', { deviceId: id })
      expect(JSON.stringify(blocks)).toContain('channel=1')
      expect(kept(id)).toEqual({})
      await push([id])
      expect([channelAt(1), kept(id)['2g']]).toEqual(['1', 1])
      expect(await changes()).toEqual([])
    })
  })
})
