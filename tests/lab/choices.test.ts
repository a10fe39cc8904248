// What a person decides about changes, on a real access point.
import { cutInTheChange, managerWithAp } from './_change'
import { air, lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWithAp>>
let cafe: { id: string; revision: number }

beforeAll(async () => {
  await lab.up()
  await lab.reset('ap1')
  one = await managerWithAp()
  cafe = (await one.saveSsid({ name: 'Cafe', security: 'wpa2' })) as typeof cafe
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  await one.known(one.id)
})
afterAll(() => one.end())

const conf = '/etc/hostapd/lanward-wlan0.conf'
const onDevice = async () => (await lab.in('ap1', ['cat', conf])).stdout
/** As an administrator does on the device itself. */
const byHand = (from: string, to: string) => lab.in('ap1', ['sed', '-i', `s/${from}/${to}/`, conf])
const ssid = () => one.ok('settings/ssid/get', { id: cafe.id })
const preview = (more = {}) => one.ok('devices/push/preview', { deviceId: one.id, ...more })

test('a discarded change leaves nothing to push, and the device as it is', async () => {
  cafe = (await one.saveSsid({ ...cafe, name: 'Other', security: 'wpa2' })) as typeof cafe
  expect(await one.changes()).toMatchObject({ total: 1, devices: [{ state: 'modified', impact: { ssids: ['Cafe'] } }] })
  expect((await preview()).interrupted).toEqual([{ ssid: 'Cafe', devices: [], clients: 0 }])
  await one.ok('changes/discard', cafe)
  expect(await one.changes()).toMatchObject({ total: 0, devices: [] })
  expect(await one.pushed()).toMatchObject({ state: 'applied', detail: 'nothingToDo' })
  expect(await air()).toContain('ssid[0]=Cafe')
})

test('what was changed on the device is shown, left alone, and put back when that is chosen', async () => {
  await byHand('ssid2="Cafe"', 'ssid2="By hand"')
  const { drift } = await preview()
  expect(drift).toMatchObject([{ id: `file:${conf}`, action: 'change', adoptable: true }])
  expect(await one.changes()).toMatchObject({ total: 1, devices: [{ state: 'drifted', drifted: true }] })
  expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'drifted' })
  expect(await onDevice()).toContain('ssid2="By hand"')
  expect(await one.pushed({ overwrite: [one.id] })).toMatchObject({ state: 'applied', detail: '' })
  expect(await onDevice()).toContain('ssid2="Cafe"')
  expect(await air()).toContain('ssid[0]=Cafe')
})

test('taken over it stands in the settings, key and all, and there is nothing left to push', async () => {
  await byHand('wpa_passphrase=.*', 'wpa_passphrase=battery staple')
  await byHand('ap_isolate=0', 'ap_isolate=1')
  const { jobId } = await one.ok('devices/config/adopt', { deviceId: one.id })
  expect(await one.settled(String(jobId))).toMatchObject({ state: 'applied', detail: 'nothingToDo' })
  cafe = { id: cafe.id, revision: Number((await ssid()).revision) }
  expect(await ssid()).toMatchObject({ name: 'Cafe', isolation: true })
  expect(await onDevice()).toContain('wpa_passphrase=battery staple')
  expect(await one.changes()).toMatchObject({ total: 0, devices: [] })
})

test('what settings cannot say can only be put back', async () => {
  await byHand('channel=1$', 'channel=11')
  expect((await preview()).drift).toMatchObject([{ adoptable: false }])
  expect(await one.pushed({ overwrite: [one.id] })).toMatchObject({ state: 'applied' })
  expect(await onDevice()).toMatch(/^channel=1$/m)
})

test('an earlier configuration is gone back to, and the settings then differ', async () => {
  type Push = { deploymentId: string; kept: boolean }
  const before = (await one.ok('devices/config/history', { deviceId: one.id })).result as Push[]
  cafe = (await one.saveSsid({ ...cafe, name: 'Later', security: 'wpa2', key: 'later key 1' })) as typeof cafe
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  expect(await air()).toContain('ssid[0]=Later')
  const restores = before[0]?.deploymentId
  const compared = await one.ok('devices/config/compare', { from: restores })
  expect(JSON.stringify(compared.blocks)).toContain('Later')
  expect(JSON.stringify(compared.blocks)).not.toContain('later key 1')
  const { jobId } = await one.ok('devices/config/restore', { deploymentId: restores })
  expect(await one.settled(String(jobId))).toMatchObject({ state: 'applied', detail: '' })
  expect(await air()).toContain('ssid[0]=Cafe')
  expect(await one.changes()).toMatchObject({ devices: [{ state: 'modified' }] })
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  expect(await air()).toContain('ssid[0]=Later')
})

test('the device restarts in the window: it comes back as it was, and the push says so', async () => {
  cafe = (await one.saveSsid({ ...cafe, name: 'Rebooted', security: 'wpa2' })) as typeof cafe
  const jobId = await cutInTheChange(one.push)
  try {
    await until(async () => (await air()).includes('ssid[0]=Rebooted'))
    await lab.sh('ap1', '(sleep 0.2; exec reboot) >/dev/null 2>&1 &')
    await until(async () => (await air()).includes('ssid[0]=Later'))
  } finally {
    await lab.join('ap1')
  }
  expect(await one.settled(jobId)).toMatchObject({ state: 'reverted' })
  expect(await air()).toContain('ssid[0]=Later')
})

test('the device is full: nothing is touched, the push says why, and goes through when there is room', async () => {
  await lab.sh('ap1', 'mkdir -p /etc/lanward && mount -t tmpfs -o size=4k tmpfs /etc/lanward')
  const before = await onDevice()
  cafe = (await one.saveSsid({ ...cafe, name: 'Full', security: 'wpa2' })) as typeof cafe
  expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'deviceFull' })
  expect(await onDevice()).toBe(before)
  await lab.sh('ap1', 'umount /etc/lanward')
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
})
