import { blocksNamed } from '@/server/devices/change/push/culprit'
import { type Scene, scene } from '../_change'

const config = (...ids: string[]) => ({ blocks: ids.map(id => ({ id, text: id })) })

test.each([
  ['Job for lanward-vlans.service failed because of a timeout.', ['file:/etc/systemd/system/lanward-vlans.service']],
  ['cannot write /etc/lanward/vlans.sh', ['file:/etc/lanward/vlans.sh']],
  ['uci: wireless.lw_a_radio0 is wrong', ['uci:wireless.lw_a_radio0']],
  // No part of a longer name, and no word that says nothing.
  ['Job for lanward-vlans.service.d failed: sh', []],
  ['my-vlans.sh', []],
  ['', []],
])('%j names %j', (said, named) => {
  const ids = ['file:/etc/systemd/system/lanward-vlans.service', 'file:/etc/lanward/vlans.sh', 'file:/bin/sh']
  const found = blocksNamed(said, config(...ids), config(...ids, 'uci:wireless.lw_a_radio0', 'uci:wireless.lw_a_radio'))
  expect(found.map(({ id }) => id)).toEqual(named)
})

describe('with a manager', () => {
  let one: Scene
  beforeEach(async () => {
    one = await scene(25)
  })
  afterEach(() => one.end())

  test('what the device named is told, and the rest is pushed without it; it goes on waiting', async () => {
    const [ap, later] = [one.add('ap1'), one.add('ap2')]
    const first = await one.saveSsid('Harbour')
    await one.push([ap, later])
    await one.saveSsid('Harbour', { ...first, key: 'another-key-1' })
    const bad = await one.saveSsid('Berth')
    await one.saveSsid('Quay')
    Object.assign(one.at(ap), { givesUp: true, says: 'cannot do Berth: no' })
    const failed = await one.push([ap, later])
    expect(failed.devices).toMatchObject([
      { state: 'reverted', reason: 'commandFailed', detail: 'cannot do Berth: no', rest: true },
      { state: 'failed', reason: 'notTried', culprits: [], rest: true },
    ])
    const berth = { id: bad.id, kind: 'ssid', name: 'Berth' }
    expect(failed.devices[0]).toMatchObject({ culprits: [berth], without: [] })

    one.at(ap).givesUp = false
    const rest = await one.push([ap, later], { without: [bad.id] })
    expect(rest.devices.map(({ without }) => without)).toEqual([[berth], [berth]])
    expect(rest.devices.map(({ state }) => state)).toEqual(['applied', 'applied'])
    const has = (id: number) => one.at(id).config.blocks.map(block => block.id)
    expect(has(ap).sort()).toEqual(['file:Harbour', 'file:Quay'])
    expect(one.at(ap).config.blocks.some(block => block.text.includes('another-key-1'))).toBe(true)
    expect(await one.ok('changes/list')).toMatchObject({ total: 1, changes: [{ name: 'Berth', action: 'add' }] })
    await one.push([ap, later])
    expect(has(later).sort()).toEqual(['file:Berth', 'file:Harbour', 'file:Quay'])
    expect(await one.ok('changes/list')).toMatchObject({ total: 0 })
  })

  test('without a change and without a deletion the device keeps what it had', async () => {
    const ap = one.add('ap1')
    const [edited, gone] = [await one.saveSsid('Harbour'), await one.saveSsid('Berth')]
    await one.push([ap])
    await one.saveSsid('Harbour', { ...edited, key: 'another-key-1' })
    await one.ok('settings/ssid/delete', { ids: [gone.id] })
    await one.saveSsid('Quay')
    const rest = await one.push([ap], { without: [edited.id, gone.id] })
    expect(rest.devices).toMatchObject([{ state: 'applied' }])
    const texts = one.at(ap).config.blocks.map(block => block.text)
    expect(texts).toHaveLength(3)
    expect(texts.some(text => text.includes('another-key-1'))).toBe(false)
    const { changes } = (await one.ok('changes/list')) as { changes: { name: string; action: string }[] }
    expect(changes.map(({ name, action }) => [name, action]).sort()).toEqual([
      ['Berth', 'delete'],
      ['Harbour', 'edit'],
    ])
  })

  test('without a culprit what was not tried is pushed alone, and a setting left out earlier stays so, deleted or not', async () => {
    const [ap, later] = [one.add('ap1'), one.add('ap2')]
    const gone = await one.saveSsid('Harbour')
    await one.push([ap, later])
    await one.ok('settings/ssid/delete', { ids: [gone.id] })
    const bad = await one.saveSsid('Berth')
    for (const name of ['Quay', 'Pier']) await one.saveSsid(name)
    Object.assign(one.at(ap), { givesUp: true, says: 'no' })
    const failed = await one.push([ap, later], { without: [bad.id, gone.id] })
    expect(failed).toMatchObject({
      stopped: true,
      devices: [
        { state: 'reverted', culprits: [] },
        { state: 'failed', reason: 'notTried', culprits: [] },
      ],
    })
    const [, untried] = failed.devices
    expect(untried?.without.map(({ name }) => name).sort()).toEqual(['Berth', 'Harbour'])
    const pushed = one.at(ap).pushes
    const rest = await one.push([later], { without: untried?.without.map(({ id }) => id) ?? [] })
    expect(rest.devices).toMatchObject([{ deviceId: later, state: 'applied' }])
    expect(
      one
        .at(later)
        .config.blocks.map(({ id }) => id)
        .sort(),
    ).toEqual(['file:Harbour', 'file:Pier', 'file:Quay'])
    expect(one.at(ap).pushes).toBe(pushed)
  })

  test('a check names its setting; a plan that cannot be pushed, the one that stops it', async () => {
    const ap = one.add('ap1')
    const bad = await one.saveSsid('Harbour')
    await one.saveSsid('Quay')
    const warning = { code: 'hostapdDown', values: { radio: 'radio0', state: 'DOWN' }, stopped: true } as const
    one.at(ap).verify = async () => [{ ...warning, kind: 'ssid', document: bad.id }]
    const [first] = (await one.push([ap])).devices
    expect(first).toMatchObject({ state: 'reverted', reason: 'hostapdDown', rest: true })
    expect(first?.culprits).toEqual([{ id: bad.id, kind: 'ssid', name: 'Harbour' }])
  })
})
