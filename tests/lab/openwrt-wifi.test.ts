// What of OpenWrt's Wi-Fi follows a push: hostapd's own lines, steering, networks by their hours.
import { renderAll } from '@/server/drivers/assess'
import type { NativeConfig } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { ssidDocument } from './_device'
import { lab, until } from './_lab'
import { begin, config, document, end, facts, observation, on, plan, push, tricky, wireless } from './_openwrt-push'

beforeAll(begin)
afterAll(end)

test('lines for hostapd itself are a list on the device, and read back as they were planned', async () => {
  const capabilities = ['wifi', 'fw4', 'nftBridge', 'ucodeWifi']
  const documents = [ssidDocument('6', { name: 'Lines' })]
  const next = renderAll(driver.renderers, {
    ...{ facts: { ...facts, capabilities }, observation, documents },
    confirmSeconds: 60,
  })
  const pending = await push(next, 60)
  expect(await wireless()).toContain("wireless.lw_6_radio0.hostapd_bss_options='ap_isolate=1'\n")
  await on(async session => {
    const seen = await driver.read(session)
    expect(next.blocks.map(block => seen.blocks.some(one => driver.equal(block, one)))).toEqual([true])
    expect(await driver.selfCheck(session, next)).toEqual([])
    await driver.revert(session, pending)
  })
  expect(await wireless()).toBe(config)
})

test('clients are steered where the package is: beside its own section, by the restarted service, and as before without', async () => {
  const own = "usteer.@usteer[0]=usteer\nusteer.@usteer[0].network='lan'\n"
  const read = async () => (await lab.sh('sw1', 'cat /etc/config/usteer')).stdout
  const steered = async () => on(async session => (await driver.facts(session)).capabilities.includes('usteer'))
  expect(await steered()).toBe(false)
  await lab.in('sw1', ['sh', '-c', 'cat >/etc/init.d/usteer; chmod 755 /etc/init.d/usteer'], {
    // As there: each section's options go to the running service, so that the last ones hold.
    input: `#!/bin/sh
[ "$1" = restart ] || exit 1
value=$(sed -n "s/.*roam_trigger_snr='\\(.*\\)'/\\1/p" /etc/config/usteer | tail -n 1)
echo "{\\"roam_trigger_snr\\":\${value:-0}}" >/tmp/usteer
`,
  })
  await lab.in('sw1', ['sh', '-c', 'cat >/etc/config/usteer'], { input: own })
  expect(await steered()).toBe(true)
  const data = { enabled: true, roamingThreshold: -70, clientThreshold: 30 }
  const documents = [tricky, document('steering', 'steering', data)]
  const input = { facts: { kind: 'ap' as const, capabilities: ['usteer'] }, observation, documents, confirmSeconds: 60 }
  const next = { blocks: renderAll(driver.renderers, input).blocks }
  const pending = await push(next, 60)
  expect(await read()).toContain(`${own}usteer.lw_steering=usteer\nusteer.lw_steering.enabled='1'\n`)
  expect(await read()).toContain("usteer.lw_steering.load_kick_min_clients='30'\n")
  await on(async session => {
    expect((await driver.read(session)).blocks).toContainEqual(
      expect.objectContaining({ id: 'uci:usteer.lw_steering', text: next.blocks.at(-1)?.text }),
    )
    expect(await driver.selfCheck(session, next)).toEqual([])
    await driver.revert(session, pending)
  })
  expect([await read(), (await lab.sh('sw1', 'cat /tmp/usteer')).stdout]).toEqual([own, '{"roam_trigger_snr":0}\n'])
  await lab.sh('sw1', 'rm /etc/init.d/usteer /etc/config/usteer /tmp/usteer')
})

test('a Wi-Fi network is sent out by its hours on the device’s own clock: that is no drift, and without them it stays on', async () => {
  const air = (schedule?: object) => plan(ssidDocument('h', { name: 'Hours', ...(schedule && { schedule }) }))
  const settle = async (next: NativeConfig) => {
    const pending = await push(next, 60)
    await on(async session => {
      const seen = await driver.read(session)
      expect(seen.blocks.map(({ id, text }) => [id, text]).sort()).toEqual(
        next.blocks.map(({ id, text }) => [id, text]).sort(),
      )
      expect(await driver.selfCheck(session, next)).toEqual([])
    })
    return pending
  }
  const isOff = async () => (await wireless()).includes("wireless.lw_h_radio0.disabled='1'\n")
  const always = await settle(air())
  await on(session => driver.confirm(session, always))
  const before = await wireless()
  const silent = { name: 'Never', weekly: '', dates: [] }
  const reverted = await settle(air(silent))
  expect(await isOff()).toBe(true)
  await on(session => driver.revert(session, reverted))
  expect(await wireless()).toBe(before)
  // One day of the west; in the east it is another day already.
  const zones = Array.from({ length: 27 }, (_, at) => at - 12).filter(east => {
    const hour = (new Date().getUTCHours() + east + 24) % 24
    return hour > 0 && hour < 23
  })
  const [west = 0, east = 0] = [zones[0], zones.at(-1)]
  const date = new Date(Date.now() + west * 3_600_000).toISOString().slice(0, 10)
  const confirmed = await settle(air({ name: 'A day', weekly: '', dates: [{ date, times: '00:00-24:00' }] }))
  await on(session => driver.confirm(session, confirmed))
  const cron = '0,30 * * * * sh /etc/lanward/hours.sh # lanward\n'
  expect((await lab.sh('sw1', 'cat /etc/crontabs/root')).stdout).toBe(cron)
  const clock = (hours: number) => `TZ=AAA${hours > 0 ? '-' : '+'}${Math.abs(hours)}; export TZ`
  const follow = (hours: number) => lab.sh('sw1', `${clock(hours)}; sh /etc/lanward/hours.sh`)
  await follow(west)
  expect(await isOff()).toBe(false)
  // Somebody's work that is not committed is left alone, and so is a change that is being made.
  await lab.sh('sw1', 'echo x | cat /etc/config/wireless - >/tmp/.uci-wireless')
  await follow(east)
  expect(await isOff()).toBe(false)
  await lab.sh('sw1', 'rm /tmp/.uci-wireless; mkdir -p /etc/lanward/undo; : >/etc/lanward/undo/applying')
  await follow(east)
  expect(await isOff()).toBe(false)
  await lab.sh('sw1', 'rm -r /etc/lanward/undo; : >/tmp/reloads')
  await lab.sh('sw1', `${clock(east)}; ACTION=ifup; . /etc/hotplug.d/iface/90-lanward`)
  await until(isOff)
  await follow(east)
  expect((await lab.sh('sw1', 'cat /tmp/reloads')).stdout).toBe('reload\n')
  await on(async session =>
    expect((await driver.read(session)).blocks.map(one => one.text).join()).not.toMatch(/lw_h_radio0\.disabled/),
  )
  const none = await settle(air())
  await on(session => driver.confirm(session, none))
  expect(await wireless()).toBe(before)
  expect(
    (await lab.sh('sw1', 'ls /etc/crontabs /etc/lanward /etc/hotplug.d/* /lib/upgrade/keep.d')).stdout,
  ).not.toMatch(/root|hours|lanward-/)
  const gone = await push(plan(), 60)
  await on(session => driver.confirm(session, gone))
})

test('Wi-Fi software that was built without 802.11v is known by its file, and another that is no program says nothing', async () => {
  const lacks = () => on(async session => (await driver.facts(session)).capabilities.includes('noWnm'))
  expect(await lacks()).toBe(false)
  await lab.sh(
    'sw1',
    'cp /usr/sbin/hostapd /tmp/hostapd; sed s/bss_transition/bss_xxxxxxxxxx/ /tmp/hostapd >/usr/sbin/hostapd',
  )
  expect(await lacks()).toBe(true)
  await lab.sh('sw1', 'printf "#!/bin/sh\n" >/usr/sbin/hostapd')
  expect(await lacks()).toBe(false)
  await lab.sh('sw1', 'cat /tmp/hostapd >/usr/sbin/hostapd')
})
