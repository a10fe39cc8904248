// A push to OpenWrt, and how it goes back.
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { ssidDocument } from './_device'
import { lab, until } from './_lab'
import { ail, begin, config, end, heal, leftovers, on, plan, push, tricky, wireless } from './_openwrt-push'

beforeAll(begin)
afterAll(end)

test('a push writes our sections, leaves the others, and reads back equal', async () => {
  const next = plan(tricky)
  const pending = await push(next, 60)
  await on(async session => {
    const seen = await driver.read(session)
    expect(seen.blocks.map(block => block.id)).toEqual(next.blocks.map(block => block.id))
    expect(next.blocks.every((block, at) => seen.blocks[at] && driver.equal(block, seen.blocks[at]))).toBe(true)
    expect(await driver.selfCheck(session, next)).toEqual([])
    expect(await driver.state(session, pending)).toBe('waiting')
    await driver.confirm(session, pending)
    expect(await driver.state(session, pending)).toBe('confirmed')
  })
  expect(await wireless()).toContain(config)
  expect(await wireless()).toContain("wireless.lw_7f_a_radio0.ssid='It'\\''s $(id) `x` \"é\"'")
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('reload\n')
  expect(await leftovers()).toBe('')
})

test('many commands that are asked for together are all answered', async () => {
  const answers = await on(({ ssh }) =>
    Promise.all(Array.from({ length: 60 }, async (_, at) => (await ssh.exec(`echo ${at}`)).stdout)),
  )
  expect(answers).toEqual(Array.from({ length: 60 }, (_, at) => `${at}\n`))
})

test('unconfirmed it goes back by its own timer', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Wrong' })), 12)
  expect(await wireless()).toContain("ssid='Wrong'")
  await until(async () => (await wireless()) === before)
  // Its files are back first; the system follows them after.
  await until(async () => (await on(session => driver.state(session, pending))) === 'reverted')
  expect(await leftovers()).toBe('')
})

test('a timer that outlives its window does not touch the next change', async () => {
  const first = await push(plan(tricky, ssidDocument('8', { name: 'First' })), 12)
  const over = Date.now() + 13_000
  await on(session => driver.confirm(session, first))
  const second = await push(plan(tricky), 60)
  await until(() => Date.now() > over)
  expect(await on(session => driver.state(session, second))).toBe('waiting')
  await on(session => driver.revert(session, second))
  expect(await wireless()).toContain("ssid='First'")
})

test('at the next boot it goes back before the network starts', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Rebooted' })), 300)
  await lab.reboot('sw1')
  expect(await wireless()).toBe(before)
  expect(await on(session => driver.state(session, pending))).toBe('reverted')
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('')
  expect(await leftovers()).toBe('')
})

test('a window whose timer and boot hook are gone is closed by whoever asks for it', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Forgotten' })), 300)
  await lab.sh('sw1', 'rm /etc/uci-defaults/*; echo 1 >/etc/lanward/undo/until')
  expect(await on(session => driver.state(session, pending))).toBe('reverted')
  expect(await wireless()).toBe(before)
  expect(await leftovers()).toBe('')
})

test('what uci refuses is not applied, although it ends with 0', async () => {
  const before = await wireless()
  const next = plan(tricky)
  const broken = { blocks: next.blocks.map(block => ({ ...block, text: `${block.text}\nnonsense` })) }
  await expect(push(broken, 60)).rejects.toMatchObject({
    reason: 'commandFailed',
    detail: expect.stringContaining('Parse error'),
  })
  expect(await wireless()).toBe(before)
  expect(await leftovers()).toBe('')
})

test('work of another administrator that is not committed is not taken along', async () => {
  await lab.sh(
    'sw1',
    'cp /etc/config/wireless /tmp/.uci-wireless; echo "wireless.other=wifi-iface" >>/tmp/.uci-wireless',
  )
  await expect(push(plan(tricky), 60)).rejects.toMatchObject({ reason: 'busy' })
  await lab.sh('sw1', 'rm /tmp/.uci-wireless')
})

test('a device without room refuses before anything changes', async () => {
  const before = await wireless()
  await lab.sh('sw1', 'mkdir -p /etc/lanward; mount -t tmpfs -o size=4k tmpfs /etc/lanward')
  await expect(push(plan(ssidDocument('5', { name: 'Full' })), 60)).rejects.toMatchObject({ reason: 'deviceFull' })
  await lab.sh('sw1', 'umount /etc/lanward')
  expect(await wireless()).toBe(before)
})

test('a device that became full in the window goes back all the same', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Full' })), 60)
  await ail('/bin/cp', 'echo full >&2; exit 1')
  // It was ended once already, when the first file was back.
  await lab.sh('sw1', 'mv -f "$(grep -l wifi-device /etc/lanward/undo/old/*)" /etc/config/wireless')
  await on(session => driver.revert(session, pending))
  expect(await wireless()).toBe(before)
  await heal('/bin/cp')
})

test('one service that does not follow keeps no other from being told, there and back', async () => {
  const before = await wireless()
  await lab.sh(
    'sw1',
    `mkdir -p /etc/init.d; printf '#!/bin/sh\\necho "$0 $1" >>/tmp/reloads\\n' >/etc/init.d/firewall
chmod 755 /etc/init.d/firewall; : >/etc/config/firewall; : >/tmp/reloads`,
  )
  await ail('/usr/sbin/ubus', '[ "$*" != "call network reload" ] || { echo gone >&2; exit 1; }')
  const zone = { id: 'uci:firewall.lw_z', text: "firewall.lw_z=zone\nfirewall.lw_z.name='lw_z'" }
  const next = { blocks: [...plan(ssidDocument('6', { name: 'Told' })).blocks, zone] }
  await expect(push(next, 60)).rejects.toMatchObject({ detail: expect.stringContaining('gone') })
  await heal('/usr/sbin/ubus')
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('/etc/init.d/firewall reload\n'.repeat(2))
  expect(await wireless()).toBe(before)
  expect(await leftovers()).toBe('')
})

test('a change that is cut off before its commit leaves nothing that another commit would take along', async () => {
  const before = await wireless()
  await ail('/usr/sbin/uci', '[ "$1" != commit ] || { kill -9 $PPID; exit 1; }')
  await expect(push(plan(ssidDocument('4', { name: 'Cut' })), 4)).rejects.toMatchObject({ reason: 'closed' })
  await heal('/usr/sbin/uci')
  await until(async () => (await leftovers()) === '')
  expect((await lab.sh('sw1', 'uci changes wireless')).stdout).toBe('')
  expect(await wireless()).toBe(before)
})

test('nothing is proven while the device is still making the change', async () => {
  const next = plan(tricky)
  await lab.sh('sw1', 'mkdir -p /etc/lanward/undo; : >/etc/lanward/undo/applying')
  expect(await on(session => driver.selfCheck(session, next))).toMatchObject([{ code: 'applyUnfinished' }])
  await lab.sh('sw1', 'rm -r /etc/lanward/undo')
})

test('an OpenWrt that is given nothing any more keeps nothing of the manager', async () => {
  const laid = await push(plan(tricky), 300)
  await on(session => driver.confirm(session, laid))
  expect((await lab.sh('sw1', 'ls /etc/lanward')).stdout).toContain('results')
  const returned = await push(plan(), 300)
  await on(async session => {
    await driver.confirm(session, returned)
    expect((await driver.read(session)).blocks).toEqual([])
  })
  expect((await lab.sh('sw1', 'ls -d /etc/lanward 2>/dev/null')).stdout).toBe('')
})
