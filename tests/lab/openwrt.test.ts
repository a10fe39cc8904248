import { readFileSync } from 'node:fs'
import type { NativeConfig, Pending } from '@/server/devices/driver'
import { openwrtDriver as driver } from '@/server/devices/openwrt/driver'
import type { OpenwrtSession } from '@/server/devices/openwrt/observe'
import { never, ssidDocument, target } from './_device'
import { lab, until } from './_lab'

// What OpenWrt's push does with dropbear, busybox, files, a background timer and a boot: all real here. Only uci and ubus
// are stand-ins (tests/lab/openwrt), since they run nowhere but on OpenWrt.

const config = "wireless.radio0=wifi-device\nwireless.radio0.band='2g'\n"
const wireless = async () => (await lab.sh('sw1', 'cat /etc/config/wireless')).stdout
const leftovers = async () => (await lab.sh('sw1', 'ls -d /etc/lanward/undo* /etc/uci-defaults/* 2>/dev/null')).stdout

async function on<T>(use: (session: OpenwrtSession) => Promise<T>): Promise<T> {
  const session = await driver.connect(await target('sw1'), never)
  try {
    return await use(session)
  } finally {
    driver.close(session)
  }
}

const tricky = ssidDocument('7f-a', { name: 'It\'s $(id) `x` "é"', key: "pass'word $HOME" })
const facts = { kind: 'ap' as const, capabilities: [] }
const radios = [{ key: 'radio0', name: 'radio0', band: '2g' as const, up: true }]
const observation = { takenAt: 0, depth: 'full' as const, radios, networks: [{ name: 'lan', device: 'br-lan' }] }
const plan = (...documents: ReturnType<typeof ssidDocument>[]): NativeConfig => ({
  blocks: driver.renderers.flatMap(one => one.render({ facts, observation, documents, windowSeconds: 60 }).blocks),
})
const events = { pending: async () => undefined, step: () => undefined }
const push = (next: NativeConfig, window: number): Promise<Pending> =>
  on(async session => driver.push(session, await driver.read(session), next, window, events))

async function install(): Promise<void> {
  for (const name of ['uci', 'ubus'])
    await lab.in('sw1', ['sh', '-c', `cat >/usr/sbin/${name} && chmod 755 /usr/sbin/${name}`], {
      input: readFileSync(`${__dirname}/openwrt/${name}`, 'utf8'),
    })
  await lab.in('sw1', ['sh', '-c', 'mkdir -p /etc/config /etc/uci-defaults && cat >/etc/config/wireless'], {
    input: config,
  })
  // Every script of ours is then read by busybox, as on OpenWrt.
  await lab.sh('sw1', 'ln -sf /bin/busybox /bin/sh; cp /etc/config/wireless /tmp/ubus-wireless')
}

beforeAll(async () => {
  await lab.up()
  await lab.reset('sw1')
  await install()
})
afterAll(() => lab.reset('sw1'))

test('a push writes our sections, leaves the others, and reads back equal', async () => {
  const next = plan(tricky)
  const pending = await push(next, 60)
  await on(async session => {
    const seen = await driver.read(session)
    expect(seen.blocks.map(block => block.id)).toEqual(next.blocks.map(block => block.id))
    expect(next.blocks.every((block, at) => seen.blocks[at] && driver.equal(block, seen.blocks[at]))).toBe(true)
    expect(await driver.verify(session, next)).toEqual([])
    expect(await driver.state(session, pending)).toBe('waiting')
    await driver.confirm(session, pending)
    expect(await driver.state(session, pending)).toBe('confirmed')
  })
  expect(await wireless()).toContain(config)
  expect(await wireless()).toContain("wireless.lw_7f_a_radio0.ssid='It'\\''s $(id) `x` \"é\"'")
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('reload\n')
  expect(await leftovers()).toBe('')
})

test('unconfirmed it goes back by its own timer', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Wrong' })), 3)
  expect(await wireless()).toContain("ssid='Wrong'")
  await until(async () => (await wireless()) === before)
  expect(await on(session => driver.state(session, pending))).toBe('reverted')
  expect(await leftovers()).toBe('')
})

test('a timer that outlives its window does not touch the next change', async () => {
  const first = await push(plan(tricky, ssidDocument('8', { name: 'First' })), 4)
  await on(session => driver.confirm(session, first))
  const second = await push(plan(tricky), 60)
  await new Promise(wake => setTimeout(wake, 5_000))
  expect(await on(session => driver.state(session, second))).toBe('waiting')
  await on(session => driver.revert(session, second))
  expect(await wireless()).toContain("ssid='First'")
})

test('at the next boot it goes back before the network starts', async () => {
  const before = await wireless()
  const pending = await push(plan(ssidDocument('9', { name: 'Rebooted' })), 300)
  await lab.reboot('sw1')
  await lab.sh('sw1', 'cp /etc/config/wireless /tmp/ubus-wireless')
  // What /etc/init.d/boot does with these files.
  await lab.sh('sw1', 'cd /etc/uci-defaults && for file in *; do ( . ./$file ) && rm -f $file; done')
  expect(await wireless()).toBe(before)
  expect(await on(session => driver.state(session, pending))).toBe('reverted')
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('')
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

/** Lets the tool fail as the shell text says, until `heal`. */
const ail = (tool: string, how: string) =>
  lab.in('sw1', ['sh', '-c', `cp -p ${tool} /tmp/healthy && { printf '%s\\n' '#!/bin/sh'; cat; } >${tool}`], {
    input: `${how}\nexec /tmp/healthy "$@"\n`,
  })
const heal = (tool: string) => lab.sh('sw1', `mv /tmp/healthy ${tool}`)

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
  expect(await on(session => driver.verify(session, next))).toMatchObject([{ code: 'applyUnfinished' }])
  await lab.sh('sw1', 'rm -r /etc/lanward/undo')
})
