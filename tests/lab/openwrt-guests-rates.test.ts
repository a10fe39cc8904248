// What the guests' gate of OpenWrt holds: by the packet filter alone, and by queues. What is real: openwrt-guests.test.ts.
import { type Client, isIn, rateOf } from './_guests'
import { lab, until } from './_lab'
import { admit, apply, begin, end, guests } from './_openwrt-guests'
import { holds, type Way } from './_rate'

beforeAll(begin)
afterAll(end)

test('rates are held by the packet filter within a quarter, each guest its own', async () => {
  await admit('c1', { download: 8000, upload: 2000 })
  await admit('c2', { download: 2000 })
  const nearly = (client: Client, rate: number, from: number, way: Way) => {
    let port = from
    return until(async () => {
      const seen = await rateOf(client, port++, way)
      return seen > rate * 0.75 && seen < rate * 1.25
    })
  }
  await Promise.all([nearly('c1', 8, 5450, 'download'), nearly('c2', 2, 5490, 'download')])
  await nearly('c1', 2, 5470, 'upload')
})

test('where tc has queues they hold the rates within a tenth, and are there again after a restart', async () => {
  expect(await apply([guests()], true)).toEqual([])
  await admit('c1', { download: 8000, upload: 2000 })
  await holds(8, attempt => rateOf('c1', 5500 + attempt, 'download'))
  await holds(2, attempt => rateOf('c1', 5520 + attempt, 'upload'))
  await lab.sh('gw', 'nft delete table inet lanward_gate; tc qdisc del dev br-lw20 root; tc qdisc del dev eth0 root')
  await lab.sh('gw', '/etc/init.d/firewall reload; ACTION=ifup; . /etc/hotplug.d/iface/92-lanward-gate; wait')
  await until(() => isIn('c1'))
  await until(async () => (await lab.sh('gw', 'tc class show dev eth0')).stdout.includes('rate 2Mbit'))
  await holds(8, attempt => rateOf('c1', 5540 + attempt, 'download'))
})
