// What a person decides about changes: discard, push over, cut through, take over, go back.
import { eq } from 'drizzle-orm'
import { alerts as alertRows, changelog, deviceEvents } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { networkOutlook } from '@/server/devices/change/overview/outlook'
import { engineOf } from '@/server/devices/change/plan/plan'
import { until } from '../../lab/_lab'
import { type Scene, scene } from '../_change'

let one: Scene
beforeEach(async () => {
  one = await scene()
})
afterEach(() => one.end())

type Waiting = { id: string; revision: number; name: string; action: string; by: string; discard: boolean }
const waiting = async () => (await one.ok('changes/list')).changes as Waiting[]
type Listed = {
  deviceId: number
  state: string
  modified: boolean
  drifted: boolean
  driftedSince?: number
  endedAt?: number
}
const listed = async () => (await one.ok('changes/list')).devices as Listed[]
const ssid = async (id: string) => one.ok('settings/ssid/get', { id })
const names = async () =>
  ((await one.ok('settings/ssid/list')).result as { name: string }[]).map(row => row.name).sort()
const text = (id: number) =>
  one
    .at(id)
    .config.blocks.map(block => block.text)
    .join('')

describe('discard', () => {
  test('a changed document goes back to how it was pushed, key and all; then nothing waits', async () => {
    const ap = one.add('ap1')
    const { id } = await one.saveSsid('Café', { dtim: 3 })
    await one.push([ap])
    await one.saveSsid('Bar', { id, revision: 1, key: 'another-key-1', dtim: 4, assign: { devices: [ap] } })
    expect(await waiting()).toMatchObject([{ id, name: 'Bar', action: 'edit', revision: 2, discard: true }])
    await one.ok('changes/discard', { id, revision: 2 })
    expect(await ssid(id)).toMatchObject({ name: 'Café', dtim: 3, revision: 3, assign: { all: true } })
    expect(await one.ok('changes/list')).toMatchObject({ total: 0, devices: [], changes: [] })
    const pushed = await one.push([ap])
    expect(pushed.devices[0]?.detail).toBe('nothingToDo')
    const log = one.manager.runtime.db.select().from(changelog).where(eq(changelog.action, 'discard')).get()
    expect(log).toMatchObject({ object: 'ssid', name: 'Café' })
    expect(JSON.stringify(log)).not.toContain('harbour1234')
  })

  test('a new one is deleted, a deleted one comes back under its id', async () => {
    const ap = one.add('ap1')
    const kept = await one.saveSsid('Café')
    await one.push([ap])
    const added = await one.saveSsid('New')
    await one.ok('settings/ssid/delete', { ids: [kept.id] })
    expect((await waiting()).map(({ name, action, discard }) => [name, action, discard]).sort()).toEqual([
      ['Café', 'delete', true],
      ['New', 'add', true],
    ])
    await one.ok('changes/discard', { id: added.id, revision: 1 })
    await one.ok('changes/discard', { id: kept.id, revision: 0 })
    expect(await names()).toEqual(['Café'])
    expect(await ssid(kept.id)).toMatchObject({ name: 'Café', revision: 2, key: { set: true } })
    expect(await one.ok('changes/list')).toMatchObject({ total: 0, devices: [] })
  })

  test('a schedule waits at the devices that have something with it, and is put back as others are', async () => {
    const [a, b] = [one.add('a'), one.add('b')]
    const hours = { name: 'Hours', weekly: 'mon 08:00-18:00' }
    const { id: schedule } = await one.ok('settings/schedule/save', hours)
    await one.saveSsid('Café', { schedule, assign: { devices: [a] } })
    await one.saveSsid('Pier')
    await one.push([a, b])
    expect([text(a).includes('Hours'), text(b).includes('Hours')]).toEqual([true, false])
    await one.ok('settings/schedule/save', { id: schedule, revision: 1, ...hours, name: 'Long hours' })
    expect(await listed()).toMatchObject([{ deviceId: a, modified: true }])
    expect(await waiting()).toMatchObject([{ id: schedule, name: 'Long hours', action: 'edit', discard: true }])
    await one.ok('changes/discard', { id: schedule, revision: 2 })
    expect(await one.ok('settings/schedule/get', { id: schedule })).toMatchObject({ name: 'Hours', revision: 3 })
    expect(await listed()).toEqual([])
  })

  test('a network that is without its schedule now is the change, not the schedule', async () => {
    const ap = one.add('ap1')
    const { id: schedule } = await one.ok('settings/schedule/save', { name: 'Hours', weekly: 'mon 08:00-18:00' })
    const { id } = await one.saveSsid('Café', { schedule })
    await one.push([ap])
    await one.saveSsid('Café', { id, revision: 1 })
    expect(await waiting()).toMatchObject([{ id, action: 'edit' }])
  })

  test('refused: saved again meanwhile, on a device already, its name taken meanwhile', async () => {
    const [a, b] = [one.add('a'), one.add('b')]
    const { id } = await one.saveSsid('Café')
    await one.push([a, b])
    await one.saveSsid('Bar', { id, revision: 1 })
    expect((await one.refused('changes/discard', { id, revision: 1 })).retCode).toBe(codes.staleRevision)
    await one.saveSsid('Café')
    expect(await one.refused('changes/discard', { id, revision: 2 })).toMatchObject({
      retCode: codes['ssid:nameExists'],
      data: { fields: { name: 'nameExists' } },
    })
    expect(await ssid(id)).toMatchObject({ name: 'Bar', revision: 2 })
    await one.push([a])
    expect(await waiting()).toMatchObject([{ discard: false }, { name: 'Bar', discard: false }])
    expect((await one.refused('changes/discard', { id, revision: 2 })).retCode).toBe(codes.nothingToDiscard)
    const unknown = { id: '00000000-0000-4000-8000-000000000000', revision: 0 }
    expect((await one.refused('changes/discard', unknown)).retCode).toBe(codes.changeNotFound)
  })

  test('a device that was just adopted puts nothing up for discarding', async () => {
    const a = one.add('a')
    const { id } = await one.saveSsid('Café')
    await one.push([a])
    one.add('b')
    expect(await waiting()).toMatchObject([{ id, action: 'add', discard: false }])
  })
})

describe('changed on the device', () => {
  const change = (id: number, from: string, to: string) => {
    for (const block of one.at(id).config.blocks) block.text = block.text.replace(from, to)
  }

  test('a push leaves it alone until it is agreed to; then it puts it back', async () => {
    const ap = one.add('ap1')
    await one.saveSsid('Café')
    await one.push([ap])
    expect(await one.ok('devices/config/check', { deviceId: ap })).toEqual({ drifted: 0 })
    const { values, revision } = (await one.ok('alerts/config/query')) as { values: object; revision: number }
    await one.ok('alerts/config/save', { ...values, off: [], revision })
    const begun = Date.now()
    change(ap, 'harbour1234', 'by-hand-1234')
    expect(await one.ok('devices/config/check', { deviceId: ap })).toEqual({ drifted: 1 })
    const preview = await one.ok('devices/push/preview', { deviceId: ap })
    expect(preview.drift).toMatchObject([{ id: 'file:Café', action: 'change', adoptable: true }])
    expect(JSON.stringify(preview)).not.toContain('by-hand-1234')
    expect(await listed()).toMatchObject([{ deviceId: ap, state: 'drifted', drifted: true, modified: false }])
    const [found] = await listed()
    expect(found?.driftedSince).toBeGreaterThanOrEqual(begun)
    // Looked at again it is so since then.
    expect(await one.ok('devices/config/check', { deviceId: ap })).toEqual({ drifted: 1 })
    expect((await listed())[0]?.driftedSince).toBe(found?.driftedSince)
    expect((await one.push([ap])).devices).toMatchObject([{ state: 'failed', reason: 'drifted' }])
    const [failed] = await listed()
    expect(failed?.endedAt).toBeGreaterThanOrEqual(Number(found?.driftedSince))
    const outlook = await until(() => networkOutlook(engineOf(one.manager.runtime), 1))
    expect(outlook).toMatchObject({
      failed: [{ id: ap, since: failed?.endedAt }],
      drifted: [{ id: ap, since: found?.driftedSince }],
    })
    expect(text(ap)).toContain('by-hand-1234')
    expect((await one.push([ap], { overwrite: [ap] })).devices).toMatchObject([{ state: 'applied' }])
    expect(text(ap)).toContain('harbour1234')
    expect(await listed()).toEqual([])
    // Told once, and only where the network wants to be told of it.
    const alerts = one.manager.runtime.db.select({ type: alertRows.type }).from(alertRows).all()
    expect(alerts.filter(({ type }) => type === 'changedOnDevice')).toEqual([{ type: 'changedOnDevice' }])
    expect(one.manager.runtime.db.select().from(deviceEvents).all()).toMatchObject([
      { code: 'pushApplied' },
      { code: 'changedOnDevice' },
      { code: 'pushFailed' },
      { code: 'pushApplied' },
    ])
  })

  test('taken over it is in the settings, and the device is as saved', async () => {
    const ap = one.add('ap1')
    const { id } = await one.saveSsid('Café')
    await one.push([ap])
    change(ap, 'harbour1234', 'by-hand-1234')
    expect((await one.ok('devices/push/preview', { deviceId: ap })).adopts).toEqual(['ssid'])
    const { jobId } = await one.ok('devices/config/adopt', { deviceId: ap })
    expect((await one.ended(String(jobId))).devices).toMatchObject([{ state: 'applied', detail: 'nothingToDo' }])
    expect(text(ap)).toContain('by-hand-1234')
    expect(await ssid(id)).toMatchObject({ revision: 2 })
    expect(await listed()).toEqual([])
    expect((await one.refused('devices/config/adopt', { deviceId: ap })).retCode).toBe(codes.nothingToAdopt)
  })

  test('what settings cannot say is not offered', async () => {
    const ap = one.add('ap1')
    await one.saveSsid('Café')
    await one.push([ap])
    one.at(ap).config.blocks.push({ id: 'file:by-hand', text: 'x=1' })
    const { drift, adopts } = await one.ok('devices/push/preview', { deviceId: ap })
    expect([drift, adopts]).toMatchObject([[{ id: 'file:by-hand', adoptable: false }], []])
    expect((await one.refused('devices/config/adopt', { deviceId: ap })).retCode).toBe(codes.nothingToAdopt)
  })
})

test('what would cut the manager off is not pushed until it is agreed to', async () => {
  const ap = one.add('ap1')
  await one.saveSsid('own path')
  const preview = await one.ok('devices/push/preview', { deviceId: ap })
  expect(preview.cuts).toEqual([{ code: 'interface', values: { interface: 'eth0' }, block: 'file:own path', name: '' }])
  expect((await one.push([ap])).devices).toMatchObject([
    { state: 'failed', reason: 'cutsPath', detail: 'file:own path' },
  ])
  expect(one.at(ap).pushes).toBe(0)
  expect((await one.push([ap], { cut: [ap] })).devices).toMatchObject([{ state: 'applied' }])
})

test('whom a push interrupts is counted before it is made', async () => {
  const ap = one.add('ap1')
  const { id } = await one.saveSsid('Café')
  await one.push([ap])
  await one.saveSsid('Café', { id, revision: 1, key: 'another-key-1' })
  expect((await one.ok('changes/list')).devices).toMatchObject([{ impact: { ssids: ['Café'], clients: 3 } }])
  expect((await one.ok('devices/push/preview', { deviceId: ap })).interrupted).toEqual([
    { ssid: 'Café', devices: [], clients: 3 },
  ])
})

describe('earlier configurations', () => {
  type Push = { deploymentId: string; kept: boolean; restored: boolean }
  const pushes = async (deviceId: number) =>
    (await one.ok('devices/config/history', { deviceId, pageSize: 100 })).result as Push[]

  test('two are compared, one is gone back to, and the settings then differ and can follow', async () => {
    const ap = one.add('ap1')
    const { id } = await one.saveSsid('Café')
    await one.push([ap])
    await one.saveSsid('Café', { id, revision: 1, key: 'another-key-1' })
    await one.push([ap])
    const [newer, older] = await pushes(ap)
    const pair = { from: older?.deploymentId, to: newer?.deploymentId }
    const compared = await one.ok('devices/config/compare', pair)
    expect(compared.blocks).toMatchObject([
      { id: 'file:Café', name: 'Café', action: 'change', lines: [{ text: 'ssid=Café' }, { sign: '-' }, { sign: '+' }] },
    ])
    expect(JSON.stringify(compared)).not.toMatch(/harbour1234|another-key-1/)
    expect((await one.ok('devices/config/compare', { from: newer?.deploymentId })).blocks).toEqual([])

    const shown = await one.ok('devices/push/preview', { deviceId: ap, restores: older?.deploymentId })
    expect(shown).toMatchObject({ blocks: [{ action: 'change' }], changes: [] })
    const { jobId } = await one.ok('devices/config/restore', { deploymentId: older?.deploymentId })
    expect((await one.ended(String(jobId))).devices).toMatchObject([{ state: 'applied' }])
    expect(text(ap)).toContain('harbour1234')
    expect((await pushes(ap))[0]).toMatchObject({ restored: true, kept: true })
    expect(await listed()).toMatchObject([{ state: 'modified', modified: true }])
    expect(await waiting()).toMatchObject([{ id, action: 'edit', discard: true }])
    await one.ok('changes/discard', { id, revision: 2 })
    expect(await listed()).toEqual([])
  })

  test('the oldest go, the last one stays', async () => {
    const ap = one.add('ap1')
    await one.saveSsid('Café')
    await one.push([ap])
    const [first] = await pushes(ap)
    one.at(ap).cut = true
    for (let n = 0; n < limits.configurationsPerDevice; n++) await one.push([ap])
    const kept = await pushes(ap)
    expect(kept).toHaveLength(limits.configurationsPerDevice + 1)
    expect(kept.at(-1)?.deploymentId).toBe(first?.deploymentId)
    await one.push([ap])
    expect(await pushes(ap)).toHaveLength(limits.configurationsPerDevice + 1)
  })

  test('refused: one that is gone, one of another device, one that never arrived', async () => {
    const [a, b] = [one.add('a'), one.add('b')]
    await one.saveSsid('Café')
    await one.push([a])
    one.at(b).refusesPush = true
    await one.push([b])
    const [ofA, ofB] = [(await pushes(a))[0], (await pushes(b))[0]]
    const gone = '00000000-0000-4000-8000-000000000000'
    expect((await one.refused('devices/config/restore', { deploymentId: gone })).retCode).toBe(codes.configurationGone)
    const failed = { deploymentId: ofB?.deploymentId }
    expect((await one.refused('devices/config/restore', failed)).retCode).toBe(codes.configurationGone)
    const foreign = { deviceId: b, restores: ofA?.deploymentId }
    expect((await one.refused('devices/push/preview', foreign)).retCode).toBe(codes.configurationGone)
  })
})

test('a device that takes a part: the push says in part and names the rest', async () => {
  const ap = one.add('ap1')
  await one.saveSsid('Café')
  await one.saveSsid('Staff')
  one.at(ap).takesPart = true
  expect((await one.push([ap])).devices).toMatchObject([
    {
      ...{ state: 'partial', reason: 'rejected', detail: 'file:Staff (notSupported)' },
      values: { 'file:Staff': 'notSupported' },
    },
  ])
  expect(await listed()).toMatchObject([{ state: 'partial', modified: false, drifted: false }])
})

test('a setting given to a device that only reads is named', async () => {
  const sw = one.add('sw1', 'switch', 'snmp')
  await one.saveSsid('Café', { assign: { devices: [sw] } })
  expect((await one.ok('changes/list')).readOnly).toEqual([{ name: 'Café', kind: 'ssid', device: 'sw1' }])
})

test('a device that does not show its radios for a moment keeps its Wi-Fi', async () => {
  const ap = one.add('ap1')
  const other = one.add('other')
  await one.saveSsid('Café')
  await one.push([ap])
  Object.assign(one.at(ap), { blind: true })
  Object.assign(one.at(other), { blind: true })
  one.manager.runtime.bus.emit({ topic: 'devices' })
  expect(await one.ok('devices/push/preview', { deviceId: ap })).toMatchObject({
    blocked: true,
    warnings: [{ code: 'partGone', kind: 'ssid' }],
  })
  expect((await one.push([ap])).devices).toMatchObject([{ state: 'failed', reason: 'planBlocked' }])
  expect(text(ap)).toContain('Café')
  expect(await one.ok('devices/push/preview', { deviceId: other })).toMatchObject({ blocked: false, warnings: [] })
})
