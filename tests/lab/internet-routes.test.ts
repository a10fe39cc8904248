// Routes beside the ways to the internet as a client meets them, and that all of it can be taken away.
import { apply, begin, end, first, leavesBy, one, route, wan } from './_internet'
import { lab } from './_lab'

beforeAll(begin)
afterAll(end)

test('a fixed address; a static route takes its destination by it and is gone with its document', async () => {
  const fixed = wan(2, {
    interface: 'eth3',
    connection: 'static',
    address: '198.51.100.150',
    prefix: 25,
    gateway: '198.51.100.129',
    metric: 2,
  })
  await apply([first, fixed])
  await leavesBy('c1', one)
  await apply([first, fixed, route('staticRoute', { destination: '192.88.99.7/32', gateway: '198.51.100.129' })])
  await leavesBy('c1', '198.51.100.150')
  // Neither networkd nor a reboot takes it away.
  await lab.in('gw', ['systemctl', 'restart', 'systemd-networkd'])
  await lab.reboot('gw')
  await leavesBy('c1', '198.51.100.150')
  await apply([first, fixed])
  await leavesBy('c1', one)
})

test('a way without a router’s address, as PPP makes it', async () => {
  await apply([first])
  const point = ['198.51.100.160', 'peer', '198.51.100.129', 'dev', 'eth3']
  await lab.sh('gw', `ip link set eth3 up && ip addr add ${point.join(' ')}`)
  await apply([wan(1, { interface: 'eth3', connection: 'kept' }), { ...first, data: { ...first.data, metric: 2 } }])
  await leavesBy('c1', '198.51.100.160')
  await apply([first])
  await lab.sh('gw', 'ip addr flush dev eth3')
  await leavesBy('c1', one)
})

test('everything can be taken away, and what was not ours is as it was', async () => {
  await apply([])
  await leavesBy('c1', one)
  const left = (
    await lab.sh('gw', 'ip rule; ip route show table all; ip -4 addr show dev eth3; nft list tables; ls /etc/lanward')
  ).stdout
  expect(left).not.toMatch(/lookup 77|proto 77|table 77|lanward|198\.51\.100\.\d+/)
})
