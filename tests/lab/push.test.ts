import type { NativeConfig } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push, ssidDocument } from './_device'
import { air, lab, until } from './_lab'
import { begin, cafe, nothingIsLeft, pushed, wlan } from './_push'

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

beforeAll(begin)

test('an SSID is on the air: hostapd says ENABLED and the name', async () => {
  const pending = await pushed(cafe, 60)
  await on('ap1', async session => {
    const { next, warnings } = await plan(session, cafe)
    expect(warnings.map(warning => warning.code)).toEqual(['withoutRadio'])
    expect(await driver.selfCheck(session, next)).toEqual([])
    const seen = await driver.read(session)
    expect(seen.blocks.map(({ id, text }) => ({ id, text })).sort(byId)).toEqual(
      next.blocks.map(({ id, text }) => ({ id, text })).sort(byId),
    )
    expect(await driver.state(session, pending)).toBe('waiting')
    await driver.confirm(session, pending)
    await driver.confirm(session, pending)
    expect(await driver.state(session, pending)).toBe('confirmed')
    const { bss, radios } = await driver.observe(session, 'counters')
    expect(bss).toMatchObject([{ ssid: 'Lanward Café "1"', up: true, clients: 0, radio: wlan }])
    expect(radios).toMatchObject([{ key: wlan, driver: 'none', up: true }])
    await expect(driver.revert(session, pending)).rejects.toMatchObject({ reason: 'commandFailed' })
  })
  expect(await air()).toMatch(/^state=ENABLED$/m)
  expect(await air()).toContain('ssid[0]=Lanward Caf\\xc3\\xa9 \\"1\\"')
  await nothingIsLeft()
})

test('what was confirmed is there after a reboot', async () => {
  await lab.reboot('ap1')
  expect(await until(air)).toMatch(/^state=ENABLED$/m)
})

test('a list of MACs goes along, and goes with its network; what is secret reads back as it was planned', async () => {
  const macList = ['02:00:00:00:00:01']
  const more = { macFilter: 'block', macList, fastRoaming: true, minRate: 12 }
  const pending = await pushed([ssidDocument('1', { name: 'Filtered', ...more })], 300)
  await on('ap1', async session => {
    const { next } = await plan(session, [ssidDocument('1', { name: 'Filtered', ...more })])
    const sorted = (config: NativeConfig) => config.blocks.map(({ id, text }) => ({ id, text })).sort(byId)
    expect(sorted(await driver.read(session))).toEqual(sorted(next))
    expect(await driver.selfCheck(session, next)).toEqual([])
  })
  const acl = await lab.sh('ap1', `hostapd_cli -p /run/hostapd -i ${wlan} deny_acl SHOW`)
  expect(acl.stdout).toContain(macList[0])
  await on('ap1', session => driver.revert(session, pending))
  expect((await lab.sh('ap1', 'ls /etc/hostapd')).stdout).not.toMatch(/wlan0-\w+\.macs/)
})

test('two reads of an idle device are equal, and a radio without a card carries one network', async () => {
  await on('ap1', async session => {
    const { next, warnings } = await plan(session, [...cafe, ssidDocument('2', { name: 'Second', vlan: 20 })])
    expect(await driver.read(session)).toEqual(await driver.read(session))
    expect(warnings.map(warning => warning.code)).toContain('vlanMissing')
    const two = await plan(session, [...cafe, ssidDocument('2', { name: 'Second' })])
    expect(two.warnings.map(warning => warning.code)).toContain('bssLimit')
    expect(next).toEqual((await plan(session, cafe)).next)
  })
})

test('a second push waits its turn', async () => {
  const pending = await pushed([ssidDocument('1', { name: 'First' })], 300)
  await expect(pushed([ssidDocument('1', { name: 'Other' })], 300)).rejects.toMatchObject({ reason: 'busy' })
  await on('ap1', session => driver.revert(session, pending))
})

test('a full device refuses before anything changes', async () => {
  await lab.sh('ap1', 'mkdir -p /etc/lanward && mount -t tmpfs -o size=4k tmpfs /etc/lanward')
  await expect(pushed([ssidDocument('1', { name: 'Full' })], 60)).rejects.toMatchObject({ reason: 'deviceFull' })
  expect(await air()).toContain('ssid[0]=Lanward Caf')
  await lab.sh('ap1', 'umount /etc/lanward')
  await nothingIsLeft()
})

// systemd calls a start failed when hostapd ends before what runs after it has ended, which is a matter of milliseconds.
test('what hostapd refuses is reported, and going back mends it', async () => {
  const dropIn = '/run/systemd/system/lanward-hostapd@.service.d'
  await lab.sh('ap1', `mkdir -p ${dropIn}; printf '[Service]\\nExecStartPost=/bin/sleep 1\\n' >${dropIn}/slow.conf`)
  const pending = await on('ap1', async session => {
    const { next } = await plan(session, cafe)
    const broken = next.blocks.map(block =>
      block.id.endsWith('lanward-wlan0.conf')
        ? { ...block, text: block.text.replace('auth_algs', 'auth_algorithms') }
        : block,
    )
    const sent = await push(session, { blocks: broken }, 300)
    expect(await driver.selfCheck(session, { blocks: broken })).toMatchObject([{ code: 'hostapdDown' }])
    await driver.revert(session, sent)
    return sent
  })
  await until(async () => (await air()).includes('ENABLED'))
  expect(await on('ap1', session => driver.state(session, pending))).toBe('reverted')
  await lab.sh('ap1', `rm -r ${dropIn} && systemctl daemon-reload`)
})

test('a device that is given nothing any more keeps nothing of the manager', async () => {
  const laid = await pushed(cafe, 300)
  await on('ap1', session => driver.confirm(session, laid))
  expect((await lab.sh('ap1', 'ls /etc/lanward')).stdout).toContain('results')
  const taken = await pushed([], 300)
  await on('ap1', async session => {
    await driver.confirm(session, taken)
    expect((await driver.read(session)).blocks).toEqual([])
  })
  expect((await lab.sh('ap1', 'ls -d /etc/lanward 2>/dev/null')).stdout).toBe('')
})
