// What outlives reloads and restarts of the guests' gate of OpenWrt. What of it is real: openwrt-guests.test.ts.
import { isIn, isLed } from './_guests'
import { lab, until } from './_lab'
import { admit, apply, begin, end, guests, list, remove, useOf } from './_openwrt-guests'

beforeAll(begin)
afterAll(end)

test('a reload of the firewall and another push keep who is in, with what it used', async () => {
  await admit('c1', { download: 8000, upload: 2000 })
  await until(() => isIn('c1'))
  const used = (await until(() => useOf('c1'))).bytes
  await lab.sh('gw', '/etc/init.d/firewall reload')
  expect((await until(() => useOf('c1'))).bytes).toBeGreaterThanOrEqual(used)
  await apply([guests({ lease: 60 })])
  expect((await until(() => useOf('c1'))).bytes).toBeGreaterThanOrEqual(used)
  await until(() => isIn('c1'))
})

test('a reboot keeps who is in, until the end that they had, and nobody who was removed', async () => {
  await admit('c1', { seconds: 1800, download: 8000 })
  await remove('c2')
  await lab.reboot('gw')
  await until(() => isIn('c1'))
  await until(() => isLed('c2'))
  const use = await until(() => useOf('c1'))
  expect(use.secondsLeft).toBeLessThanOrEqual(1800)
  expect(use.secondsLeft).toBeGreaterThan(1500)
  expect(await list()).toHaveLength(1)
  const limited = await lab.sh('gw', 'nft list set inet lanward_gate over_down')
  expect(limited.stdout).toMatch(/limit rate over 1000000 bytes\/second/)
})

test('a clock that is set after the start moves the end of everybody', async () => {
  // As a device without a clock of its own: what was written down ends 900 s sooner than it seemed.
  await lab.sh(
    'gw',
    `awk '$1 == "+" { $NF -= 900 } { print }' /etc/lanward/away/guests >/tmp/g && cat /tmp/g >/etc/lanward/away/guests`,
  )
  await lab.sh('gw', 'sh /etc/lanward/gate.sh again')
  expect((await until(() => useOf('c1'))).secondsLeft).toBeLessThanOrEqual(900)
  await until(() => isIn('c1'))
  await lab.sh(
    'gw',
    `awk '$1 == "+" { $NF -= 1800 } { print }' /etc/lanward/away/guests >/tmp/g && cat /tmp/g >/etc/lanward/away/guests`,
  )
  await lab.sh('gw', 'sh /etc/lanward/gate.sh again')
  await until(() => isLed('c1'))
  expect(await list()).toEqual([])
})
