import { type Scene, scene } from '../_change'

let one: Scene
beforeEach(async () => {
  one = await scene(25)
})
afterEach(() => one.end())

const preview = (deviceId: number) => one.ok('devices/push/preview', { deviceId })

test.each(['unread', 'unsettled'] as const)(
  'a device that is %s is read before its preview, as before a push',
  async how => {
    const ap = one.add('ap1')
    await one.saveSsid('own path')
    one.at(ap)[how] = true
    // The same that the push knows: what it would do, and that it cuts the manager off.
    expect(await preview(ap)).toMatchObject({ read: true, reason: '', blocks: [{}], cuts: [{ code: 'interface' }] })
    expect(one.at(ap).readings).toBe(1)
    await preview(ap)
    expect(one.at(ap).readings).toBe(1)
  },
)

test('one that does not answer is told as it is known, and why', async () => {
  const ap = one.add('ap1')
  await one.saveSsid('Harbour')
  Object.assign(one.at(ap), { unsettled: true, cut: true })
  expect(await preview(ap)).toMatchObject({ read: false, reason: 'timeout', blocks: [{}] })
  one.at(ap).unread = true
  expect(await preview(ap)).toMatchObject({ read: false, reason: 'timeout', blocks: [] })
})
