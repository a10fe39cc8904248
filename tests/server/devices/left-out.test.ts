import { leftOutOf } from '@/server/devices/change/plan/left-out'
import type { DesiredDocument, Warning } from '@/server/drivers/driver'
import { type Scene, scene } from '../_change'

const air = (id: string, more: object = {}): DesiredDocument => ({
  id,
  kind: 'ssid',
  name: id,
  data: { enabled: true, ...more },
})
const told = (documents: DesiredDocument[], warnings: Warning[], carries: string[] = []) =>
  leftOutOf({ documents, warnings, carries }).map(({ document, effect }) => [document, effect])

test('what a warning says of a setting on one device', () => {
  const missing: Warning = { code: 'vlanMissing', kind: 'ssid', document: 'a', values: { vlan: 20 } }
  expect(told([air('a')], [missing])).toEqual([['a', 'out']])
  // Another radio carries it.
  expect(told([air('a')], [missing], ['a'])).toEqual([['a', 'part']])
  expect(told([air('a')], [{ code: 'wnmMissing', kind: 'ssid', document: 'a' }])).toEqual([['a', 'part']])
  expect(told([air('a')], [{ code: 'countryMissing', kind: 'ssid' }])).toEqual([])
  // Without a document: all of its kind that are on.
  const lacking: Warning = { code: 'needs.systemd', kind: 'ssid', blocks: true }
  expect(told([air('a'), air('b', { enabled: false }), air('c')], [lacking])).toEqual([
    ['a', 'held'],
    ['c', 'held'],
  ])
  expect(told([], [{ code: 'documentDamaged', kind: 'ssid', document: 'd', blocks: true }])).toEqual([['d', 'held']])
})

describe('with a manager', () => {
  let one: Scene
  beforeEach(async () => {
    one = await scene(25)
  })
  afterEach(() => one.end())
  const leftOut = async (kind?: string) => (await one.ok('changes/left-out/list', { ...(kind && { kind }) })).result

  test('a setting that no device can have is told although nothing waits, with its reason and its devices', async () => {
    const ap = one.add('ap1')
    one.at(ap).lacks.push('Harbour Staff')
    const { id } = await one.saveSsid('Harbour Staff', { vlan: 20 })
    expect(await one.ok('changes/list')).toMatchObject({ total: 0, devices: [], changes: [], leftOut: 1 })
    const reason = { code: 'vlanMissing', effect: 'out', values: { ssid: 'Harbour Staff', vlan: 20 } }
    expect(await leftOut()).toEqual([
      {
        ...{ id, kind: 'ssid', name: 'Harbour Staff', given: true, of: 1, on: 0, partly: 0 },
        reasons: [
          { ...reason, values: { ...reason.values, radio: 'radio0' }, count: 1, devices: [{ id: ap, name: 'ap1' }] },
        ],
      },
    ])
    expect(await leftOut('lan')).toEqual([])
    expect((await one.ok('devices/left-out/list', { deviceId: ap })).result).toMatchObject([
      { document: id, name: 'Harbour Staff', effect: 'out', code: 'vlanMissing' },
    ])
  })

  test('devices that have it are counted; it is told no more once all have it, or it is off', async () => {
    const [ap, other] = [one.add('ap1'), one.add('ap2')]
    one.at(ap).lacks.push('Guests')
    const { id, revision } = await one.saveSsid('Guests', { vlan: 20 })
    expect(await leftOut()).toMatchObject([{ of: 2, on: 1, reasons: [{ count: 1, devices: [{ id: ap }] }] }])
    await one.push([ap, other])
    expect(await leftOut()).toMatchObject([{ of: 2, on: 1 }])
    // The device says something new: its VLAN is there now.
    one.at(ap).lacks.length = 0
    one.manager.runtime.bus.emit({ topic: 'device', id: ap })
    expect(await leftOut()).toEqual([])
    one.at(ap).blind = true
    one.at(other).blind = true
    one.manager.runtime.bus.emit({ topic: 'devices' })
    expect(await leftOut()).toMatchObject([{ id, of: 0, on: 0, reasons: [{ code: 'partGone' }] }])
    await one.saveSsid('Guests', { id, revision, enabled: false })
    expect(await leftOut()).toEqual([])
  })

  test('a setting that no device in the network can have is told without a reason of a device', async () => {
    const sw = one.add('sw1', 'switch')
    one.at(sw).blind = true
    const { id, revision } = await one.saveSsid('Lonely')
    const lonely = { id, kind: 'ssid', name: 'Lonely', of: 0, on: 0, partly: 0, reasons: [] }
    expect(await leftOut()).toEqual([{ ...lonely, given: true }])
    const assign = { all: false, groups: [], devices: [] }
    const next = await one.saveSsid('Lonely', { id, revision, assign })
    expect(await leftOut()).toEqual([{ ...lonely, given: false }])
    await one.saveSsid('Lonely', { id, revision: next.revision, enabled: false })
    expect(await leftOut()).toEqual([])
  })

  test('how many settings a device lacks is counted for each of a list; of one that was never read nothing is known', async () => {
    const [ap, other] = [one.add('ap1'), one.add('ap2')]
    const counts = async () =>
      ((await one.ok('devices/left-out/count', { ids: [ap, other] })) as { result: unknown }).result
    one.at(ap).lacks.push('Harbour Staff')
    one.at(other).unread = true
    await one.saveSsid('Harbour Staff', { vlan: 20 })
    await one.saveSsid('Harbour')
    expect(await counts()).toEqual([
      { id: ap, count: 1 },
      { id: other, count: null },
    ])
    // A push brings nothing of it there.
    await one.push([ap])
    expect(await counts()).toContainEqual({ id: ap, count: 1 })
    one.at(ap).lacks.length = 0
    one.manager.runtime.bus.emit({ topic: 'device', id: ap })
    expect(await counts()).toContainEqual({ id: ap, count: 0 })
  })

  test('what is listed as saved is what a push would bring to a device that waits', async () => {
    const [ap, sw] = [one.add('ap1'), one.add('sw1', 'switch')]
    one.at(sw).blind = true
    one.at(ap).lacks.push('Nowhere')
    await one.saveSsid('Harbour')
    await one.saveSsid('Nowhere', { vlan: 20 })
    expect(await one.ok('changes/list')).toMatchObject({ total: 1, changes: [{ name: 'Harbour', action: 'add' }] })
    await one.push([ap])
    expect(await one.ok('changes/list')).toMatchObject({ total: 0, devices: [], changes: [] })
    // The switch waits for its own: what only the access point has is none of its changes.
    await one.ok('settings/system/save', { scope: {}, revision: 0, timeZone: 'Europe/Berlin' })
    const { changes } = (await one.ok('changes/list')) as { changes: { kind: string }[] }
    expect(changes.map(({ kind }) => kind)).toEqual(['system'])
  })
})
