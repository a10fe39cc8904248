// The manager comes in to the access point by the very radio that a push changes.
import { managerWithAp } from './_change'
import { air, lab, run } from './_lab'

const [own, other] = ['10.99.0.2', '10.99.0.1']
let wires = ''
let here = ''

const ip = async (...words: string[]) => {
  const { code, stderr } = await run('ip', words)
  if (code !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`)
}

beforeAll(async () => {
  here = (await lab.up()).namespace
  wires = here.replace(/mgr$/, 'wires')
  await lab.reset('ap1')
  // The far end of the radio's cable becomes the manager's.
  await ip('-n', wires, 'link', 'set', 'ap1-air', 'netns', here)
  await ip('addr', 'add', `${own}/24`, 'dev', 'ap1-air')
  await ip('link', 'set', 'ap1-air', 'up')
  await lab.sh('ap1', `ip link set wlan0 up && ip addr add ${other}/24 dev wlan0`)
})
afterAll(async () => {
  await ip('link', 'set', 'ap1-air', 'netns', wires)
  await ip('-n', wires, 'link', 'set', 'ap1-air', 'up')
})

test('what would cut it is named and not pushed unasked; when it is agreed to, it is proven as ever', async () => {
  const one = await managerWithAp(other)
  try {
    await one.saveSsid({ name: 'Own way' })
    const block = 'file:/etc/hostapd/lanward-wlan0.conf'
    const preview = await one.ok('devices/push/preview', { deviceId: one.id })
    expect(preview.cuts).toMatchObject([{ code: 'interface', values: { interface: 'wlan0' }, block }])
    expect(await one.changes()).toMatchObject({ devices: [{ impact: { cuts: true } }] })
    expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'cutsPath', detail: block })
    expect(await air()).not.toContain('Own way')
    expect(await one.pushed({ cut: [one.id] })).toMatchObject({ state: 'applied' })
    expect(await air()).toContain('ssid[0]=Own way')
  } finally {
    await one.end()
  }
})
