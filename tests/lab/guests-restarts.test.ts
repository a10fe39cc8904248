// What outlives a restart of the guests' gate on a real gateway, and that nothing is left of it without guests.
import { on } from './_device'
import { isIn, isLed, macs } from './_guests'
import { lab, until } from './_lab'
import { admit, apply, begin, end, gateOf, guestLan, lan, list, remove, useOf } from './_linux-guests'

beforeAll(begin)
afterAll(end)

test('a restart keeps who is in until the end that they had, and the gate is shut for everybody else', async () => {
  await admit('c1', { seconds: 1800, download: 8000 })
  await remove('c2')
  await lab.reboot('gw')
  await until(() => isLed('c2'))
  await until(() => isIn('c1'))
  const use = await until(() => useOf('c1'))
  expect(use.secondsLeft).toBeLessThanOrEqual(1800)
  expect(use.secondsLeft).toBeGreaterThan(1500)
  expect(await list()).toHaveLength(1)
  await until(async () => (await lab.sh('gw', 'tc class show dev lan20')).stdout.includes('rate 8Mbit'))
  await remove('c1')
  await lab.reboot('gw')
  await until(() => isLed('c1'))
  expect(await list()).toEqual([])
})

test('everything can be taken away', async () => {
  await admit('c1', { download: 8000, upload: 2000 })
  await apply([lan(20)])
  await until(() => isIn('c2'))
  const left = await lab.sh('gw', 'nft list tables; tc qdisc show; systemctl list-units; ls /etc/lanward*')
  expect(left.stdout).not.toMatch(/lanward.gate|lanward-portal\.|htb|answer/)
  await on('gw', async session => {
    expect(await gateOf().list(session)).toEqual([])
    await gateOf().remove(session, [macs.c1])
    await expect(
      gateOf().admit(session, [{ mac: macs.c1, lan: guestLan, seconds: 60, idleSeconds: 300 }]),
    ).rejects.toMatchObject({ reason: 'unsupported' })
  })
})
